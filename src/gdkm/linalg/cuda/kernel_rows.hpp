#pragma once

#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/cuda/reduce.hpp"
#include "gdkm/linalg/inverse_norm.hpp"

/// The nonlinearity on a block of rows of G = F_t F_iᵀ; K may take the place of G. A thread has the same
/// columns for all its rows, so the norms of its inducing points and its sums over rows stay in registers.
/// Blocks have 256 threads, of which blockDim.x (a multiple of 32) cover a row.
namespace gdkm::cuda {

/// The largest number of rows per thread.
inline constexpr int most_kernel_rows = 16;

/// The number of threads that cover a row of `cols` columns.
inline unsigned kernel_threads(Index cols, int width) {
  unsigned across = 32;
  while (across < 256 && across * width < cols) across *= 2;
  return across;
}

/// The number of rows per thread, chosen so that there are enough blocks for all multiprocessors.
inline int kernel_rows(Index rows, unsigned across, int multiprocessors) {
  const Index down = 256 / across;
  return static_cast<int>(std::clamp<Index>(rows / (down * 8 * multiprocessors), 1, most_kernel_rows));
}

/// The norms of a thread's columns and their inverses, with 0 beyond the last column.
template <class T>
struct ColumnNorms {
  static constexpr int width = pack_width<T>;
  T s[width], inverse[width];
  __device__ ColumnNorms(const T* norms, Index j, Index cols) {
#pragma unroll
    for (int i = 0; i < width; ++i) {
      s[i] = j + i < cols ? norms[j + i] : T(0);
      inverse[i] = inverse_norm(s[i]);
    }
  }
};

/// A pack of a row that has so many entries left. Rows of K start at multiples of a pack, those of G if
/// `packs`.
template <int width, class T>
__device__ Pack<T, width> read_pack(const T* from, Index left, bool packs) {
  if (packs) return load<width>(from);
  Pack<T, width> out;
#pragma unroll
  for (int i = 0; i < width; ++i) out.v[i] = i < left ? from[i] : T(0);
  return out;
}

/// K from G.
template <template <class> class K, class T>
__global__ void __launch_bounds__(256)
    kernel_rows_kernel(ConstView<T> g, bool packs, View<T> k, int rows_each, const T* s_t, const T* s_i) {
  cuda::await_previous();
  constexpr int width = pack_width<T>;
  const Index j = (static_cast<Index>(blockIdx.y) * blockDim.x + threadIdx.x) * width;
  if (j >= k.cols) return;
  const ColumnNorms<T> norms(s_i, j, k.cols);
  Index r = static_cast<Index>(blockIdx.x) * blockDim.y * rows_each + threadIdx.y;
#pragma unroll 2
  for (int n = 0; n < rows_each; ++n, r += blockDim.y) {
    if (r >= k.rows) return;
    const T si = s_t[r], inv_si = inverse_norm(si);
    auto x = read_pack<width>(g.row(r) + j, g.cols - j, packs);
#pragma unroll
    for (int i = 0; i < width; ++i) x.v[i] = K<T>::value(x.v[i], si, norms.s[i], inv_si, norms.inverse[i]);
    store(k.row(r) + j, x);
  }
}

/// Where the gradients of the norms are written.
template <class T>
struct NormGradients {
  T* columns;      // blocks × m: the gradient of s_i from every block
  T* s_t_bar;      // += the gradient of s_t; or, if null, s_t = ‖F_t‖ and
  ConstView<T> f;  // F̄_t ← β F̄_t + diag(s̄_t / s_t) F_t
  T beta;
  View<T> f_bar;
};

/// Computes K from G, replaces K̄ by Ḡ, and computes the gradients of the norms, which are sums over rows and
/// columns. `f_width`: the number of entries of F_t and F̄_t per access.
template <template <class> class K, int f_width, class T>
__global__ void __launch_bounds__(256)
    kernel_rows_backward_kernel(ConstView<T> g, bool packs, View<T> k, View<T> bar, int rows_each,
                                const T* s_t, const T* s_i, NormGradients<T> out) {
  cuda::await_previous();
  constexpr int width = pack_width<T>;
  __shared__ T row_sum[8 * most_kernel_rows];  // the part of every warp in the sum of a row
  __shared__ T column_sum[256 * width];
  const int lane = static_cast<int>(threadIdx.x) % 32, warp_of_row = static_cast<int>(threadIdx.x) / 32,
            warps_across = static_cast<int>(blockDim.x) / 32;
  const Index first = static_cast<Index>(blockIdx.x) * blockDim.y * rows_each;

  for (Index segment = 0; segment < k.cols; segment += blockDim.x * width) {
    const Index j = segment + threadIdx.x * width;
    const ColumnNorms<T> norms(s_i, j, k.cols);
    T columns[width] = {};
#pragma unroll 2
    for (int n = 0; n < rows_each; ++n) {
      const int row = n * static_cast<int>(blockDim.y) + static_cast<int>(threadIdx.y);
      const Index r = first + row;
      if (r >= k.rows) break;
      T sum = 0;
      if (j < k.cols) {
        const T si = s_t[r], inv_si = inverse_norm(si);
        auto x = read_pack<width>(g.row(r) + j, g.cols - j, packs), x_bar = load<width>(bar.row(r) + j);
#pragma unroll
        for (int i = 0; i < width; ++i) {
          const Pointwise<T> p = K<T>::gradient(x.v[i], si, norms.s[i], inv_si, norms.inverse[i]);
          x.v[i] = p.value;
          if (j + i < k.cols) sum += x_bar.v[i] * p.d_si;
          columns[i] += x_bar.v[i] * p.d_sj;
          x_bar.v[i] *= p.d_g;
        }
        store(k.row(r) + j, x);
        store(bar.row(r) + j, x_bar);
      }
      sum = lane_sum(sum);
      T& total = row_sum[row * warps_across + warp_of_row];
      if (lane == 0) total = segment == 0 ? sum : total + sum;
    }
#pragma unroll
    for (int i = 0; i < width; ++i) {
      column_sum[(threadIdx.y * blockDim.x + threadIdx.x) * width + i] = columns[i];
    }
    __syncthreads();
    for (unsigned c = threadIdx.y * blockDim.x + threadIdx.x; c < blockDim.x * width; c += 256) {
      T sum = 0;
      for (unsigned y = 0; y < blockDim.y; ++y) sum += column_sum[y * blockDim.x * width + c];
      if (segment + c < k.cols) out.columns[blockIdx.x * k.cols + segment + c] = sum;
    }
    __syncthreads();
  }

  const int warp = static_cast<int>(threadIdx.y) * warps_across + warp_of_row;
  for (int row = warp; row < rows_each * static_cast<int>(blockDim.y) && first + row < k.rows; row += 8) {
    const Index r = first + row;
    T sum = 0;
    for (int w = 0; w < warps_across; ++w) sum += row_sum[row * warps_across + w];
    if (out.s_t_bar != nullptr) {
      if (lane == 0) out.s_t_bar[r] += sum;
      continue;
    }
    const T weight = sum * inverse_norm(s_t[r]);
    const T* from = out.f.row(r);
    T* to = out.f_bar.row(r);
    along_row<f_width>(out.f.cols, [&]<int w>(Index c) {
      auto x = load<w>(from + c);
      for (T& entry : x.v) entry *= weight;
      if (out.beta != T(0)) {
        const auto old = load<w>(to + c);
        for (int i = 0; i < w; ++i) x.v[i] += out.beta * old.v[i];
      }
      store(to + c, x);
    });
  }
}

}  // namespace gdkm::cuda
