#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/reduce.hpp"

namespace gdkm {

namespace {
using namespace cuda;

/// One warp per row.
template <int width, class T>
__global__ void __launch_bounds__(256) normalise_rows_kernel(T epsilon, View<T> x, T* length) {
  cuda::await_previous();
  const Index r = static_cast<Index>(blockIdx.x) * 8 + threadIdx.x / 32;
  if (r >= x.rows) return;
  T* row = x.row(r);
  T sum = 0;
  along_row<width>(x.cols, [&]<int w>(Index j) {
    for (const T y : load<w>(row + j).v) sum += y * y;
  });
  const T norm = std::sqrt(lane_sum(sum) / static_cast<T>(x.cols) + epsilon), inverse = T(1) / norm;
  if (threadIdx.x % 32 == 0) length[r] = norm;
  along_row<width>(x.cols, [&]<int w>(Index j) {
    auto y = load<w>(row + j);
    for (T& entry : y.v) entry *= inverse;
    store(row + j, y);
  });
}

template <int width, class T>
__global__ void __launch_bounds__(256)
    normalise_rows_backward_kernel(ConstView<T> out, const T* length, View<T> x_bar) {
  cuda::await_previous();
  const Index r = static_cast<Index>(blockIdx.x) * 8 + threadIdx.x / 32;
  if (r >= out.rows) return;
  const T* row = out.row(r);
  T* row_bar = x_bar.row(r);
  T along = 0;
  along_row<width>(out.cols, [&]<int w>(Index j) {
    const auto y = load<w>(row + j), bar = load<w>(row_bar + j);
    for (int i = 0; i < w; ++i) along += y.v[i] * bar.v[i];
  });
  const T slope = lane_sum(along) / static_cast<T>(out.cols), inverse = T(1) / length[r];
  along_row<width>(out.cols, [&]<int w>(Index j) {
    const auto y = load<w>(row + j);
    auto bar = load<w>(row_bar + j);
    for (int i = 0; i < w; ++i) bar.v[i] = (bar.v[i] - y.v[i] * slope) * inverse;
    store(row_bar + j, bar);
  });
}
}  // namespace

template <class T>
void CudaBackend<T>::normalise_rows(T epsilon, View<T> x, View<T> length) {
  assert(length.size() == x.rows);
  const unsigned blocks = blocks_for(x.rows, 8);
  if (packed(x)) {
    launch(normalise_rows_kernel<pack_width<T>, T>, blocks, 256, 0, stream_, epsilon, x, length.data);
  } else {
    launch(normalise_rows_kernel<1, T>, blocks, 256, 0, stream_, epsilon, x, length.data);
  }
}

template <class T>
void CudaBackend<T>::normalise_rows_backward(ConstView<T> out, ConstView<T> length, View<T> x_bar) {
  assert(out.rows == x_bar.rows && out.cols == x_bar.cols && length.size() == out.rows);
  const unsigned blocks = blocks_for(out.rows, 8);
  if (packed(out, x_bar)) {
    launch(normalise_rows_backward_kernel<pack_width<T>, T>, blocks, 256, 0, stream_, out, length.data,
           x_bar);
  } else {
    launch(normalise_rows_backward_kernel<1, T>, blocks, 256, 0, stream_, out, length.data, x_bar);
  }
}

#define GDKM_INSTANTIATE(T)                                          \
  template void CudaBackend<T>::normalise_rows(T, View<T>, View<T>); \
  template void CudaBackend<T>::normalise_rows_backward(ConstView<T>, ConstView<T>, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
