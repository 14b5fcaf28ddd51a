#include "gdkm/linalg/cuda/small_product.hpp"

#include <cooperative_groups.h>

#include "gdkm/linalg/cuda/elements.hpp"

namespace gdkm::cuda {

namespace {

/// Terms that are in shared memory at a time, and how many such chunks are under way. Each of eight warps
/// adds up an eighth of a chunk for the whole tile.
constexpr int depth = 128, stages = 3, warps = 8, threads = 32 * warps, terms = depth / warps;

inline __device__ void copy_async(float* to, const float* from, bool wanted) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(wanted ? 4 : 0)
               : "memory");
}
inline __device__ void copy_four_async(float* to, const float* from, bool wanted) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "r"(wanted ? 16 : 0)
               : "memory");
}

/// One factor as the kernel sees it: `side` of its entries (rows of op(A), columns of op(B)) by the terms.
/// Its chunk in shared memory lies as the matrix does: by terms, or by entries with the terms along a row.
struct Operand {
  const float* data;
  Index stride;
  int count, terms;  // entries and terms that exist
  bool fours;        // whether four adjacent numbers can be copied at once
};

template <int side, bool by_terms>
struct Chunk {
  /// Rows are padded, so that eight adjacent ones are in different banks.
  static constexpr int stride = by_terms ? side : depth + 4;
  static constexpr int size = by_terms ? depth * side : side * stride;
  static constexpr int outer = by_terms ? depth : side, inner = by_terms ? side : depth;

  static __device__ void copy(const Operand& from, int entry, int term, float* to) {
    const int outer_end = by_terms ? from.terms - term : from.count - entry,
              inner_end = by_terms ? from.count - entry : from.terms - term;
    const float* base = from.data + (by_terms ? term * from.stride + entry : entry * from.stride + term);
    if (from.fours) {
      for (int e = static_cast<int>(threadIdx.x); e < outer * inner / 4; e += threads) {
        const int o = e / (inner / 4), i = e % (inner / 4) * 4;
        const bool inside = o < outer_end && i < inner_end;
        copy_four_async(to + o * stride + i, inside ? base + o * from.stride + i : from.data, inside);
      }
    } else {
      for (int e = static_cast<int>(threadIdx.x); e < outer * inner; e += threads) {
        const int o = e / inner, i = e % inner;
        const bool inside = o < outer_end && i < inner_end;
        copy_async(to + o * stride + i, inside ? base + o * from.stride + i : from.data, inside);
      }
    }
  }

  /// The entry of a tile that is number q of a thread's `each`, if `across` threads share the tile.
  template <int each, int across>
  static __device__ int entry(int place, int q) {
    return by_terms ? place * each + q : place + q * across;
  }
  /// A thread's entries of four terms.
  template <int each, int across>
  static __device__ void read(const float* chunk, int place, int term, float (&out)[4][each]) {
    if constexpr (by_terms) {
      static_assert(each % 2 == 0);
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        const float* at = chunk + (term + t) * stride + place * each;
        constexpr int width = each % 4 == 0 ? 4 : 2;
#pragma unroll
        for (int q = 0; q < each; q += width) {
          const auto pack = *reinterpret_cast<const Pack<float, width>*>(at + q);
#pragma unroll
          for (int i = 0; i < width; ++i) out[t][q + i] = pack.v[i];
        }
      }
    } else {
#pragma unroll
      for (int q = 0; q < each; ++q) {
        const float4 four = *reinterpret_cast<const float4*>(chunk + (place + q * across) * stride + term);
        out[0][q] = four.x;
        out[1][q] = four.y;
        out[2][q] = four.z;
        out[3][q] = four.w;
      }
    }
  }
};

/// What a block needs to know beside its operands.
struct Task {
  float alpha, beta;
  View<float> c;
  int across;  // tiles of C in a row
  Region a, b, wanted;
  int inner;  // terms of all
};

/// The terms that a tile of `side` rows and columns has.
template <int side>
__device__ int2 terms_of(const Task& task, int row, int column) {
  int begin = 0, end = task.inner;
  if (task.a == Region::lower) end = min(end, row + side);
  if (task.a == Region::upper) begin = max(begin, row);
  if (task.b == Region::lower) begin = max(begin, column);
  if (task.b == Region::upper) end = min(end, column + side);
  return {begin / 4 * 4, max(end, begin / 4 * 4)};
}

/// blockIdx.x selects a tile of side × side entries, blockIdx.z a share of its terms. Blocks of the same tile
/// form a cluster, and add up their shares from each other's shared memory.
template <int side, bool a_by_terms, bool b_by_terms>
__global__ void __launch_bounds__(threads) small_product_kernel(Operand a, Operand b, Task task) {
  await_previous();
  using Left = Chunk<side, a_by_terms>;
  using Right = Chunk<side, b_by_terms>;
  constexpr int down = 8, across = 4, rows = side / down, cols = side / across;
  // The padding keeps the sums that a warp writes at a time in different banks.
  constexpr int stage_size = Left::size + Right::size,
                tile_stride = side + (a_by_terms || b_by_terms ? 1 : 4);
  static_assert(warps * side * tile_stride <= stages * stage_size);
  extern __shared__ __align__(16) float memory[];
  const int row = static_cast<int>(blockIdx.x) / task.across * side,
            column = static_cast<int>(blockIdx.x) % task.across * side;
  if ((task.wanted == Region::lower && column >= row + side) ||
      (task.wanted == Region::upper && row >= column + side))
    return;
  const int2 all = terms_of<side>(task, row, column);
  const int shares = static_cast<int>(gridDim.z), each = ((all.y - all.x + shares - 1) / shares + 3) / 4 * 4;
  const int begin = min(all.y, all.x + static_cast<int>(blockIdx.z) * each), end = min(all.y, begin + each);
  const int chunks = (end - begin + depth - 1) / depth;
  a.terms = b.terms = end;

  const auto start = [&](int chunk) {
    if (chunk < chunks) {
      float* to = memory + chunk % stages * stage_size;
      Left::copy(a, row, begin + chunk * depth, to);
      Right::copy(b, column, begin + chunk * depth, to + Left::size);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
  };
#pragma unroll 1
  for (int chunk = 0; chunk < stages - 1; ++chunk) start(chunk);

  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int place_down = lane / across, place_across = lane % across;
  float sum[rows][cols] = {};
#pragma unroll 1
  for (int chunk = 0; chunk < chunks; ++chunk) {
    asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2) : "memory");
    __syncthreads();
    start(chunk + stages - 1);
    const float* stage = memory + chunk % stages * stage_size;
    const int first = warp * terms;
    if (begin + chunk * depth + first >= end) continue;
#pragma unroll
    for (int t = 0; t < terms; t += 4) {
      float x[4][rows], y[4][cols];
      Left::template read<rows, down>(stage, place_down, first + t, x);
      Right::template read<cols, across>(stage + Left::size, place_across, first + t, y);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
#pragma unroll
        for (int i = 0; i < rows; ++i) {
#pragma unroll
          for (int j = 0; j < cols; ++j) sum[i][j] = fmaf(x[k][i], y[k][j], sum[i][j]);
        }
      }
    }
  }
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = 0; j < cols; ++j) {
      memory[(warp * side + Left::template entry<rows, down>(place_down, i)) * tile_stride +
             Right::template entry<cols, across>(place_across, j)] = sum[i][j];
    }
  }
  __syncthreads();

  const auto write = [&](int e, float total) {
    const int r = row + e / side, j = column + e % side;
    if (r >= task.c.rows || j >= task.c.cols) return;
    float* to = task.c.row(r) + j;
    *to = task.alpha * total + (task.beta == 0 ? 0.0f : task.beta * *to);
  };
  const auto total_of_warps = [&](int e) {
    float total = 0;
#pragma unroll
    for (int w = 0; w < warps; ++w) total += memory[(w * side + e / side) * tile_stride + e % side];
    return total;
  };
  if (shares == 1) {
    for (int e = static_cast<int>(threadIdx.x); e < side * side; e += threads) write(e, total_of_warps(e));
    return;
  }
#if __CUDA_ARCH__ >= 900
  const auto cluster = cooperative_groups::this_cluster();
  for (int e = static_cast<int>(threadIdx.x); e < side * side; e += threads)
    memory[e / side * tile_stride + e % side] = total_of_warps(e);
  cluster.sync();
  for (int e = static_cast<int>(threadIdx.x + blockIdx.z * threads); e < side * side; e += shares * threads) {
    float total = 0;
    for (int s = 0; s < shares; ++s)
      total += cluster.map_shared_rank(memory, static_cast<unsigned>(s))[e / side * tile_stride + e % side];
    write(e, total);
  }
  cluster.sync();  // others may still read from here
#endif
}

Operand operand(const Factor<float>& factor, bool by_terms, Index count, Index inner) {
  return {factor.view.data, factor.view.stride, static_cast<int>(count), static_cast<int>(inner),
          vectorised(factor.view, 4) && (by_terms ? count : inner) % 4 == 0};
}

template <int side>
void launch_product(const SmallProduct& p, int shares, const Queue& queue) {
  const bool a_by_terms = p.a.op == Op::transpose, b_by_terms = p.b.op == Op::none;
  const Index inner = p.a.cols();
  const Operand a = operand(p.a, a_by_terms, p.c.rows, inner), b = operand(p.b, b_by_terms, p.c.cols, inner);
  const unsigned across = blocks_for(p.c.cols, side), down = blocks_for(p.c.rows, side);
  const Task task{p.alpha,  p.beta,   p.c,      static_cast<int>(across),
                  p.a.part, p.b.part, p.wanted, static_cast<int>(inner)};
  const auto run = [&]<bool left, bool right>() {
    constexpr int bytes =
        stages * static_cast<int>(sizeof(float)) * (Chunk<side, left>::size + Chunk<side, right>::size);
    const auto kernel = small_product_kernel<side, left, right>;
    GDKM_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    launch_clusters(kernel, static_cast<unsigned>(shares),
                    dim3(across * down, 1, static_cast<unsigned>(shares)), threads, bytes, queue, a, b, task);
  };
  if (a_by_terms) {
    if (b_by_terms) return run.template operator()<true, true>();
    return run.template operator()<true, false>();
  }
  if (b_by_terms) return run.template operator()<false, true>();
  run.template operator()<false, false>();
}

}  // namespace

bool SmallProduct::is_small() const {
  // Measured on one H200: beyond these the library is ahead.
  constexpr double most_work = 80e6;
  constexpr Index most_terms = 4096, few_terms = 48, few_entries = 100000;
  const Index terms = a.cols();
  if (terms == 0 || terms > most_terms ||
      static_cast<double>(c.size()) * static_cast<double>(terms) > most_work)
    return false;
  return c.size() <= few_entries || terms >= few_terms;
}

void SmallProduct::compute(bool clusters, const Queue& queue) const {
  assert(a.rows() == c.rows && b.cols() == c.cols && a.cols() == b.rows());
  if (c.empty()) return;
  constexpr Index enough = 100;  // blocks for a large part of the GPU
  const Index inner = a.cols(), most = clusters ? std::clamp<Index>(inner / depth, 1, 8) : 1;
  const auto tiles = [&](Index side) { return blocks_for(c.rows, side) * Index{blocks_for(c.cols, side)}; };
  const auto shares = [&](Index side) {
    int count = 1;
    while (2 * count <= most && tiles(side) * count < enough) count *= 2;
    return count;
  };
  if (tiles(32) * most >= enough) return launch_product<32>(*this, shares(32), queue);
  launch_product<16>(*this, shares(16), queue);
}

}  // namespace gdkm::cuda
