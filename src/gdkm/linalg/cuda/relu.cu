#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/elements.hpp"
#include "gdkm/linalg/dropout.hpp"

namespace gdkm {

namespace {
using namespace cuda;

/// A NaN stays a NaN.
template <class T>
__device__ T positive_part(T x) {
  return x < T(0) ? T(0) : x;
}

template <class T>
struct Relu {
  View<T> x;
  template <int width>
  __device__ void at(Index r, Index j) const {
    auto out = load<width>(x.row(r) + j);
    for (T& y : out.v) y = positive_part(y);
    store(x.row(r) + j, out);
  }
};

/// A thread handles the eight entries that one block of random words decides on.
template <int width, class T>
__global__ void __launch_bounds__(256) relu_dropout_kernel(Dropout drop, Stream given, Index count, T* x) {
  cuda::await_previous();
  constexpr int lanes = Dropout::per_block;
  const Index block = static_cast<Index>(blockIdx.x) * 256 + threadIdx.x, k = block * lanes;
  if (k >= count) return;
  const T scale = static_cast<T>(drop.scale);
  const Random4 random = random_block(at_this_step(given), static_cast<std::uint64_t>(block));
  const auto drop_or_keep = [&](T y, int lane) {
    return positive_part(y) * (drop.keeps(random, lane) ? scale : T(0));
  };
  if (k + lanes <= count) {
#pragma unroll
    for (int first = 0; first < lanes; first += width) {
      auto out = load<width>(x + k + first);
#pragma unroll
      for (int i = 0; i < width; ++i) out.v[i] = drop_or_keep(out.v[i], first + i);
      store(x + k + first, out);
    }
  } else {
#pragma unroll
    for (int lane = 0; lane < lanes; ++lane) {
      if (k + lane < count) x[k + lane] = drop_or_keep(x[k + lane], lane);
    }
  }
}

template <class T>
struct ReluBackward {
  ConstView<T> out;
  T scale;
  View<T> x_bar;
  template <int width>
  __device__ void at(Index r, Index j) const {
    const auto y = load<width>(out.row(r) + j);
    auto bar = load<width>(x_bar.row(r) + j);
    for (int i = 0; i < width; ++i) bar.v[i] *= y.v[i] > T(0) ? scale : T(0);
    store(x_bar.row(r) + j, bar);
  }
};
}  // namespace

template <class T>
void CudaBackend<T>::relu(double dropout, const Stream& stream, View<T> x) {
  assert(x.contiguous());
  const Dropout drop(dropout);
  flatten(x);
  if (drop.off()) return for_each<T>(stream_, x.rows, x.cols, packed(x), Relu<T>{x});
  const unsigned blocks = blocks_for(x.size(), 256 * Dropout::per_block);
  if (packed(x)) {
    launch(relu_dropout_kernel<pack_width<T>, T>, blocks, 256, 0, stream_, drop, stream, x.size(), x.data);
  } else {
    launch(relu_dropout_kernel<1, T>, blocks, 256, 0, stream_, drop, stream, x.size(), x.data);
  }
}

template <class T>
void CudaBackend<T>::relu_backward(ConstView<T> out, double dropout, View<T> x_bar) {
  assert(out.contiguous() && x_bar.contiguous() && out.size() == x_bar.size());
  const T scale = static_cast<T>(Dropout(dropout).scale);
  flatten(out, x_bar);
  for_each<T>(stream_, out.rows, out.cols, packed(out, x_bar), ReluBackward<T>{out, scale, x_bar});
}

#define GDKM_INSTANTIATE(T)                                           \
  template void CudaBackend<T>::relu(double, const Stream&, View<T>); \
  template void CudaBackend<T>::relu_backward(ConstView<T>, double, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
