#pragma once

#include <cmath>

#include "gdkm/linalg/cuda/diagonal_tile.hpp"
#include "gdkm/linalg/cuda/team.hpp"
#include "gdkm/linalg/jitter.hpp"
#include "gdkm/linalg/matrix.hpp"

namespace gdkm::cuda {

/// H Hᵀ = K + εI and H⁻¹; K and all arithmetic in U, results in T.
template <class T, class U>
struct CholeskyProblem {
  ConstView<U> k;  // its lower triangle is read
  T jitter;
  Leading<U> least_part;  // smallest allowed ratio of a diagonal entry of H to the largest; 0: no limit
  View<T> h, inverse;
  T* used;
  U* tiles;    // cholesky_tiles(m) of them
  int* flags;  // two, and three for each block
};

inline Index tiles_across(Index m) {
  return (m + tile_side - 1) / tile_side;
}
/// The lower triangle, and for two panels a column and an inverse of the diagonal tile.
inline Index cholesky_tiles(Index m) {
  const Index side = tiles_across(m);
  return side * (side + 1) / 2 + 2 * (side + 1);
}

/// Blocked elimination of [K | I], a panel of 32 columns at a time.
///
/// Row i of tiles has i + 1 slots. Slot (i, j) holds the remainder A_ij until panel j; L_ij is then final,
/// and the slot holds W_ijᵀ, W on its way to H⁻¹. A panel k has two phases, with a wait after each.
/// Everything waits for the diagonal tiles, so the first group has no other work: while others go through
/// panel k, it computes L_k+1,k and factorises the next diagonal tile. If there are other blocks, it has its
/// multiprocessor to itself.
///
/// Phase 1, one column of tiles by one kind of product: O_i = L_ik = A_ik L_kk⁻ᵀ below the diagonal tile, and
/// O_j = (H⁻¹)_kjᵀ = W_kjᵀ L_kk⁻ᵀ before it.
///
/// Phase 2: slot (i, j) −= O_i O_jᵀ, or its transpose, for all i > k and j ≤ i.
template <class T, class U, Team team>
class Cholesky {
 public:
  __device__ Cholesky(const CholeskyProblem<T, U>& problem, U* shared)
      : p_(problem),
        m_(static_cast<int>(problem.h.rows)),
        side_((m_ + tile_side - 1) / tile_side),
        member_(static_cast<int>(threadIdx.x)),
        group_(static_cast<int>(threadIdx.x) / group_size),
        id_(static_cast<int>(blockIdx.x) + group_ * static_cast<int>(gridDim.x)),
        groups_(static_cast<int>(gridDim.x) * groups_per_block<U>),
        workers_(gridDim.x > 1 ? groups_ - groups_per_block<U> : groups_ - 1),
        worker_(gridDim.x == 1 ? group_ - 1
                : blockIdx.x == 0
                    ? nobody
                    : static_cast<int>(blockIdx.x - 1) + group_ * static_cast<int>(gridDim.x - 1)),
        first_(shared + group_ * 2 * shared_tile_size<U>),
        second_(first_ + shared_tile_size<U>),
        columns_(problem.tiles + Index(side_) * (side_ + 1) / 2 * tile_size) {}

  __device__ void run() {
    T why = std::numeric_limits<T>::infinity(), jitter = p_.jitter;
    const double mean = mean_diagonal();
    clear_above();
    int factored = 0;  // diagonal tiles so far: says which of two flags is meant, so that none is written
                       // again before all have read it
    for (int attempt = 0; jitter <= T(max_jitter); jitter = raise_jitter(jitter), ++attempt) {
      const bool finite = begin(jitter * static_cast<T>(mean), factored);
      if (attempt > 0) {
        team_sync<team>();
      } else if (!agreed(finite, 2)) {
        why = std::numeric_limits<T>::quiet_NaN();
        break;
      }
      bool good = p_.flags[factored++ % 2] != 0;
      for (int k = 0; good; ++k) {
        const bool leads = id_ == 0, last = k + 1 == side_;
        Entries<U> next;
        if (!leads) {
          finish_column(k);
        } else if (!last) {
          next = lead(k);
        }
        if (last) break;
        if constexpr (team == Team::cluster) {
          cluster_arrive();
          if (!leads) cluster_wait();
        } else {
          team_sync<team>();
        }
        if (!leads) {
          update(k);
        } else {
          factor_next(k, next, factored);
          if constexpr (team == Team::cluster) cluster_wait();
        }
        team_sync<team>();
        good = p_.flags[factored++ % 2] != 0;
      }
      if (!good || !agreed(finite_, attempt % 2)) continue;
      if (id_ == 0 && member_.id == 0) *p_.used = jitter;
      return;
    }
    give_up(why);
  }

 private:
  __device__ U* slot(int i, int j) const { return p_.tiles + (Index(i) * (i + 1) / 2 + j) * tile_size; }
  /// O_i of panel k. Two panels have memory, because the next one begins while others finish this one.
  __device__ U* column(int k, int i) const { return columns_ + (Index(k % 2) * (side_ + 1) + i) * tile_size; }
  __device__ U* l_inverse(int k) const { return column(k, side_); }

  /// Whether a condition holds for every thread of the team. Waits for all of them. `row`: row of the flags.
  __device__ bool agreed(bool holds, int row) {
    int* flags = p_.flags + 2 + row * static_cast<int>(gridDim.x);
    const int here = __syncthreads_and(holds);
    if (threadIdx.x == 0) flags[blockIdx.x] = here;
    team_sync<team>();
    bool everywhere = true;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) everywhere = everywhere && flags[b] != 0;
    return __syncthreads_and(everywhere) != 0;
  }

  __device__ double mean_diagonal() {
    __shared__ double part[32];
    double sum = 0;
    for (int r = static_cast<int>(threadIdx.x); r < m_; r += static_cast<int>(blockDim.x))
      sum += leading(p_.k.row(r)[r]);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = 0;
    for (unsigned w = 0; w < blockDim.x / 32; ++w) sum += part[w];
    const double mean = sum / m_;
    return mean > 0 ? mean : 1;
  }

  /// Zeros in the tiles above the diagonal of both results.
  __device__ void clear_above() {
    for (int t = id_; t < side_ * (side_ - 1) / 2; t += groups_) {
      const auto [j, i] = below(t);  // the transpose of a tile below the diagonal
      for (int e = member_.id; e < tile_size; e += group_size) {
        const int r = i * tile_side + e / tile_side, c = (j + 1) * tile_side + e % tile_side;
        if (r < m_ && c < m_) p_.h.row(r)[c] = p_.inverse.row(r)[c] = T(0);
      }
    }
  }

  struct Place {
    int i, j;
  };
  /// Entry t of a triangle in the order (0,0), (1,0), (1,1), (2,0), …
  __device__ static Place below(int t) {
    int i = static_cast<int>((sqrtf(8.0f * static_cast<float>(t) + 1.0f) - 1.0f) * 0.5f);
    while (i * (i + 1) / 2 > t) --i;
    while ((i + 1) * (i + 2) / 2 <= t) ++i;
    return {i, t - i * (i + 1) / 2};
  }

  /// Writes K + εI, padded by the identity, to the slots and factorises the first diagonal tile. Returns
  /// whether the values that this thread read were finite.
  __device__ bool begin(T epsilon, int factored) {
    bool finite = true;
    finite_ = true;
    pivots_ = {};
    for (int t = id_; t < side_ * (side_ + 1) / 2; t += groups_) {
      const auto [i, j] = below(t);
      Entries<U> a;
#pragma unroll
      for (int q = 0; q < 4; ++q) {
#pragma unroll
        for (int s = 0; s < 4; ++s) {
          const int r = i * tile_side + member_.down + 8 * q, c = j * tile_side + member_.across + 8 * s;
          a.v[q][s] = r < m_ && c < m_ ? p_.k.row(r)[c] : U(r == c ? 1 : 0);
          finite = finite && isfinite(leading(a.v[q][s]));
          if (r == c && r < m_) a.v[q][s] = a.v[q][s] + U(epsilon);
        }
      }
      if (t == 0) {
        stage(a, first_, member_);
        group_sync(group_);
        factor(0, factored);
      } else {
        keep(a, slot(i, j), member_);
      }
    }
    return finite;
  }

  /// Factorises diagonal tile k, which the first group has in shared memory. L_kk⁻¹ stays there.
  __device__ void factor(int k, int factored) {
    const int count = m_ - k * tile_side;
    const Pivots<U> here = factor_diagonal(first_, second_, count, member_.id, group_);
    if (member_.id < 32) {
      pivots_.add(here);
      const bool good =
          pivots_.good && (k + 1 < side_ || p_.least_part == 0 || pivots_.spread(p_.least_part));
      if (member_.id == 0) p_.flags[factored % 2] = good;
    }
    group_sync(group_);
#pragma unroll 4
    for (int e = member_.id; e < tile_size; e += group_size) {
      const int r = e / tile_side, c = e % tile_side, row = k * tile_side + r, col = k * tile_side + c;
      const U inverse = second_[r * tile_stride<U> + c];
      l_inverse(k)[e] = inverse;
      column(k, k)[e] = second_[c * tile_stride<U> + r];
      if (row >= m_ || col >= m_) continue;
      const T value = rounded<T>(inverse);
      p_.inverse.row(row)[col] = value;
      p_.h.row(row)[col] = rounded<T>(first_[r * tile_stride<U> + c]);
      finite_ = finite_ && isfinite(value);
    }
  }

  /// Phase 1. The workers share the column.
  __device__ void finish_column(int k) {
    for (int x = worker_; x < side_; x += workers_) {
      if (x == k || x == k + 1) continue;
      stage(recall(x > k ? slot(x, k) : slot(k, x), member_), first_, member_);
      stage(l_inverse(k), second_, member_);
      group_sync(group_);
      Entries<U> o{};
      add_product(first_, second_, member_, o);
      write_column(k, x, o);
      group_sync(group_);
    }
  }
  __device__ void write_column(int k, int x, const Entries<U>& o) {
#pragma unroll
    for (int q = 0; q < 4; ++q) {
#pragma unroll
      for (int s = 0; s < 4; ++s) {
        const int r = member_.down + 8 * q, c = member_.across + 8 * s;
        column(k, x)[r * tile_side + c] = o.v[q][s];
        const T value = rounded<T>(o.v[q][s]);
        if (x > k && x * tile_side + r < m_) p_.h.row(x * tile_side + r)[k * tile_side + c] = value;
        if (x < k && k * tile_side + c < m_) {
          p_.inverse.row(k * tile_side + c)[x * tile_side + r] = value;
          finite_ = finite_ && isfinite(value);
        }
      }
    }
  }

  /// The first group's part of phase 1: L_k+1,k, which it keeps in shared memory. Returns A_k+1,k+1.
  __device__ Entries<U> lead(int k) {
    const Entries<U> next = recall(slot(k + 1, k + 1), member_);
    stage(recall(slot(k + 1, k), member_), first_, member_);
    group_sync(group_);
    Entries<U> o{};
    add_product(first_, second_, member_, o);
    group_sync(group_);
    stage(o, first_, member_);
    write_column(k, k + 1, o);
    group_sync(group_);
    return next;
  }
  __device__ void factor_next(int k, Entries<U>& next, int factored) {
    subtract_product(first_, first_, next);
    group_sync(group_);
    stage(next, first_, member_);
    group_sync(group_);
    factor(k + 1, factored);
  }

  /// Phase 2. The workers share the tiles.
  __device__ void update(int k) {
    const int before = (k + 1) * (k + 2) / 2, all = side_ * (side_ + 1) / 2;
    if (worker_ == nobody) return;
    for (int t = before + worker_; t < all; t += workers_) {
      const auto [i, j] = below(t);
      if (i == k + 1 && j == k + 1) continue;
      Entries<U> a{};
      if (j != k) a = recall(slot(i, j), member_);
      stage(column(k, j > k ? i : j), first_, member_);
      stage(column(k, j > k ? j : i), second_, member_);
      group_sync(group_);
      subtract_product(first_, second_, a);
      keep(a, slot(i, j), member_);
      group_sync(group_);
    }
  }

  __device__ void subtract_product(const U* a, const U* b, Entries<U>& from) {
    Entries<U> sum{};
    add_product(a, b, member_, sum);
#pragma unroll
    for (int q = 0; q < 4; ++q) {
#pragma unroll
      for (int s = 0; s < 4; ++s) from.v[q][s] = from.v[q][s] - sum.v[q][s];
    }
  }

  /// Writes identities, so that later results stay finite until the caller checks `used`.
  __device__ void give_up(T why) {
    const Index size = Index(m_) * m_, threads = Index(gridDim.x) * blockDim.x;
    for (Index e = Index(blockIdx.x) * blockDim.x + threadIdx.x; e < size; e += threads) {
      const Index r = e / m_, c = e % m_;
      p_.h.row(r)[c] = p_.inverse.row(r)[c] = T(r == c ? 1 : 0);
    }
    if (id_ == 0 && member_.id == 0) *p_.used = why;
  }

  const CholeskyProblem<T, U>& p_;
  const int m_, side_;
  const Member member_;
  const int group_, id_, groups_;
  static constexpr int nobody = 1 << 30;  // a group without work
  const int workers_, worker_;
  U *first_, *second_, *columns_;
  Pivots<U> pivots_;
  bool finite_ = true;  // whether what this thread wrote is
};

}  // namespace gdkm::cuda
