#include "gdkm/linalg/adam_update.hpp"
#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/reduce.hpp"
#include "gdkm/linalg/log_softmax.hpp"

namespace gdkm {

namespace {
using namespace cuda;

template <class T>
struct Add {
  T alpha, beta;
  ConstView<T> a;
  View<T> c;
  T factor = T(0);
  const T* exponent = nullptr;  // if given, α is exp(factor · exponent)

  template <int width>
  __device__ void at(Index r, Index j) const {
    const T weight = exponent != nullptr ? std::exp(factor * *exponent) : alpha;
    auto out = load<width>(a.row(r) + j);
    for (T& x : out.v) x *= weight;
    if (beta != T(0)) {
      const auto old = load<width>(c.row(r) + j);
      for (int i = 0; i < width; ++i) out.v[i] += beta * old.v[i];
    }
    store(c.row(r) + j, out);
  }
};

template <class T>
struct FillWith {
  T value;
  View<T> a;
  template <int width>
  __device__ void at(Index r, Index j) const {
    Pack<T, width> out;
    for (T& x : out.v) x = value;
    store(a.row(r) + j, out);
  }
};

template <class T>
struct Identity {
  View<T> a;
  template <int width>
  __device__ void at(Index r, Index j) const {
    Pack<T, width> out;
    for (int i = 0; i < width; ++i) out.v[i] = r == j + i ? T(1) : T(0);
    store(a.row(r) + j, out);
  }
};

template <class T>
struct KeepLower {
  T diagonal;
  View<T> a;
  template <int width>
  __device__ void at(Index r, Index j) const {
    if (j > r) a.row(r)[j] = T(0);
    if (j == r) a.row(r)[j] *= diagonal;
  }
};

template <class T>
struct Dot {
  static constexpr int sums = 1;
  T alpha, beta;
  ConstView<T> a, b;
  T* value;
  template <int width>
  __device__ void add(Index r, Index j, double (&sum)[1]) const {
    const auto x = load<width>(a.row(r) + j), y = load<width>(b.row(r) + j);
    for (int i = 0; i < width; ++i) sum[0] += static_cast<double>(x.v[i]) * static_cast<double>(y.v[i]);
  }
  __device__ void finish(const double (&sum)[1]) const {
    *value = alpha * static_cast<T>(sum[0]) + (beta == T(0) ? T(0) : beta * *value);
  }
};

constexpr int tile = 32;

/// Reads a tile of A into shared memory with 32 × 8 threads. The caller must synchronise.
template <class T>
__device__ void read_tile(const View<T>& a, Index row, Index col,
                          std::remove_const_t<T> (&to)[tile][tile + 1]) {
  for (int y = static_cast<int>(threadIdx.y); y < tile; y += 8) {
    if (row + y < a.rows && col + threadIdx.x < a.cols)
      to[y][threadIdx.x] = a.row(row + y)[col + threadIdx.x];
  }
}

template <class T>
__global__ void transpose_kernel(ConstView<T> a, View<T> b, unsigned tiles_across) {
  cuda::await_previous();
  __shared__ T entries[tile][tile + 1];
  const Index row = static_cast<Index>(blockIdx.x / tiles_across) * tile,
              col = static_cast<Index>(blockIdx.x % tiles_across) * tile;
  read_tile(a, row, col, entries);
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < tile; y += 8) {
    if (col + y < b.rows && row + threadIdx.x < b.cols) {
      b.row(col + y)[row + threadIdx.x] = entries[threadIdx.x][y];
    }
  }
}

template <class T>
__global__ void anti_transpose_kernel(ConstView<T> a, View<T> b, unsigned tiles_across) {
  cuda::await_previous();
  __shared__ T entries[tile][tile + 1];
  const Index row = static_cast<Index>(blockIdx.x / tiles_across) * tile,
              col = static_cast<Index>(blockIdx.x % tiles_across) * tile, last = a.rows - 1;
  read_tile(a, row, col, entries);
  __syncthreads();
  for (int y = static_cast<int>(threadIdx.y); y < tile; y += 8) {
    const Index c = col + y, r = row + threadIdx.x;
    if (c < a.cols && r < a.rows) b.row(last - c)[last - r] = entries[threadIdx.x][y];
  }
}

/// A block handles a tile on or below the diagonal and its mirror image.
template <class T>
__global__ void symmetrise_kernel(View<T> a) {
  cuda::await_previous();
  if (blockIdx.x > blockIdx.y) return;
  __shared__ T below[tile][tile + 1], above[tile][tile + 1];
  const Index row = static_cast<Index>(blockIdx.y) * tile, col = static_cast<Index>(blockIdx.x) * tile;
  read_tile(a, row, col, below);
  read_tile(a, col, row, above);
  __syncthreads();
  const int x = static_cast<int>(threadIdx.x);
  for (int y = static_cast<int>(threadIdx.y); y < tile; y += 8) {
    if (row + y < a.rows && col + x < a.cols) a.row(row + y)[col + x] = T(0.5) * (below[y][x] + above[x][y]);
    if (col + y < a.rows && row + x < a.cols) a.row(col + y)[row + x] = T(0.5) * (below[x][y] + above[y][x]);
  }
}

__global__ void set_clock_kernel(Clock now, Clock* clock) {
  cuda::await_previous();
  *clock = now;
}

template <int width, class T>
__global__ void __launch_bounds__(256)
    adam_kernel(AdamStep step, Index count, const T* gradient, T* first, T* second, T* parameter) {
  cuda::await_previous();
  // Powers in double precision are slow, so one thread computes them for all.
  __shared__ alignas(AdamUpdate<T>) unsigned char memory[sizeof(AdamUpdate<T>)];
  if (threadIdx.x == 0) new (memory) AdamUpdate<T>(step);
  __syncthreads();
  const AdamUpdate<T> update = *reinterpret_cast<const AdamUpdate<T>*>(memory);
  const Index stride = static_cast<Index>(gridDim.x) * 256 * width;
  for (Index k = (static_cast<Index>(blockIdx.x) * 256 + threadIdx.x) * width; k < count; k += stride) {
    if (k + width <= count) {
      const auto g = load<width>(gradient + k);
      auto m = load<width>(first + k), v = load<width>(second + k), p = load<width>(parameter + k);
      for (int i = 0; i < width; ++i) update(g.v[i], m.v[i], v.v[i], p.v[i]);
      store(first + k, m);
      store(second + k, v);
      store(parameter + k, p);
    } else {
      for (Index i = k; i < count; ++i) update(gradient[i], first[i], second[i], parameter[i]);
    }
  }
}
}  // namespace

template <class T>
void CudaBackend<T>::add(T alpha, ConstView<T> a, T beta, View<T> c) {
  assert(a.rows == c.rows && a.cols == c.cols);
  flatten(a, c);
  for_each<T>(stream_, c.rows, c.cols, packed(a, c), Add<T>{alpha, beta, a, c});
}

template <class T>
void CudaBackend<T>::add_exp_scaled(T factor, ConstView<T> exponent, ConstView<T> a, T beta, View<T> c) {
  assert(a.rows == c.rows && a.cols == c.cols);
  flatten(a, c);
  for_each<T>(stream_, c.rows, c.cols, packed(a, c), Add<T>{T(0), beta, a, c, factor, exponent.data});
}

template <class T>
void CudaBackend<T>::fill(View<T> a, T value) {
  flatten(a);
  for_each<T>(stream_, a.rows, a.cols, packed(a), FillWith<T>{value, a});
}

template <class T>
void CudaBackend<T>::identity(View<T> a) {
  for_each<T>(stream_, a.rows, a.cols, packed(a), Identity<T>{a});
}

template <class T>
void CudaBackend<T>::transpose(ConstView<T> a, View<T> b) {
  assert(a.rows == b.cols && a.cols == b.rows);
  const unsigned across = blocks_for(a.cols, tile);
  launch(transpose_kernel<T>, across * blocks_for(a.rows, tile), dim3(tile, 8), 0, stream_, a, b, across);
}

template <class T>
void CudaBackend<T>::anti_transpose(ConstView<T> a, View<T> b) {
  assert(a.rows == a.cols && b.rows == a.rows && b.cols == a.cols);
  const unsigned across = blocks_for(a.cols, tile);
  launch(anti_transpose_kernel<T>, across * blocks_for(a.rows, tile), dim3(tile, 8), 0, stream_, a, b,
         across);
}

template <class T>
void CudaBackend<T>::keep_lower(View<T> a, T diagonal) {
  for_each<T>(stream_, a.rows, a.cols, false, KeepLower<T>{diagonal, a});
}

template <class T>
void CudaBackend<T>::symmetrise(View<T> a) {
  assert(a.rows == a.cols);
  const unsigned tiles = blocks_for(a.rows, tile);
  launch(symmetrise_kernel<T>, dim3(tiles, tiles), dim3(tile, 8), 0, stream_, a);
}

template <class T>
void CudaBackend<T>::dot(T alpha, ConstView<T> a, ConstView<T> b, T beta, View<T> value) {
  assert(a.rows == b.rows && a.cols == b.cols);
  flatten(a, b);
  sum_each<T>(stream_, a.rows, a.cols, packed(a, b), Dot<T>{alpha, beta, a, b, value.data},
              scratch<double>(most_sum_blocks), counters_);
}

template <class T>
void CudaBackend<T>::set_clock(const Clock& now, Clock* clock) {
  launch(set_clock_kernel, 1, 1, 0, stream_, now, clock);
}

template <class T>
void CudaBackend<T>::adam(const AdamStep& step, ConstView<T> gradient, View<T> first, View<T> second,
                          View<T> parameter) {
  assert(gradient.contiguous() && first.contiguous() && second.contiguous() && parameter.contiguous());
  const Index count = parameter.size();
  const bool packs = packed(gradient, first, second, parameter);
  const int width = packs ? pack_width<T> : 1;
  const unsigned blocks = blocks_for(count, 256 * width, 8 * multiprocessors_);
  if (packs) {
    launch(adam_kernel<pack_width<T>, T>, blocks, 256, 0, stream_, step, count, gradient.data, first.data,
           second.data, parameter.data);
  } else {
    launch(adam_kernel<1, T>, blocks, 256, 0, stream_, step, count, gradient.data, first.data, second.data,
           parameter.data);
  }
}

namespace {
template <class T>
__global__ void log_softmax_kernel(ConstView<T> raw, View<T> out) {
  cuda::await_previous();
  log_softmax_row(raw, out);
}
template <class T>
__global__ void log_softmax_backward_kernel(ConstView<T> out, ConstView<T> out_bar, View<T> raw_bar) {
  cuda::await_previous();
  log_softmax_backward_row<T>(out, out_bar, raw_bar);
}
}  // namespace

template <class T>
void CudaBackend<T>::log_softmax(ConstView<T> raw, View<T> out) {
  launch(log_softmax_kernel<T>, 1, 1, 0, stream_, raw, out);
}

template <class T>
void CudaBackend<T>::log_softmax_backward(ConstView<T> out, ConstView<T> out_bar, View<T> raw_bar) {
  launch(log_softmax_backward_kernel<T>, 1, 1, 0, stream_, out, out_bar, raw_bar);
}

#define GDKM_INSTANTIATE(T)                                                                \
  template void CudaBackend<T>::log_softmax(ConstView<T>, View<T>);                        \
  template void CudaBackend<T>::log_softmax_backward(ConstView<T>, ConstView<T>, View<T>); \
  template void CudaBackend<T>::add(T, ConstView<T>, T, View<T>);                          \
  template void CudaBackend<T>::add_exp_scaled(T, ConstView<T>, ConstView<T>, T, View<T>); \
  template void CudaBackend<T>::fill(View<T>, T);                                          \
  template void CudaBackend<T>::identity(View<T>);                                         \
  template void CudaBackend<T>::transpose(ConstView<T>, View<T>);                          \
  template void CudaBackend<T>::anti_transpose(ConstView<T>, View<T>);                     \
  template void CudaBackend<T>::keep_lower(View<T>, T);                                    \
  template void CudaBackend<T>::symmetrise(View<T>);                                       \
  template void CudaBackend<T>::dot(T, ConstView<T>, ConstView<T>, T, View<T>);            \
  template void CudaBackend<T>::set_clock(const Clock&, Clock*);                           \
  template void CudaBackend<T>::adam(const AdamStep&, ConstView<T>, View<T>, View<T>, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
