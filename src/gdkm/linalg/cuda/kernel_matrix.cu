#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/reduce.hpp"
#include "gdkm/linalg/inverse_norm.hpp"

namespace gdkm {

namespace {
using namespace cuda;

template <template <class> class K, class T>
struct KernelEntry {
  ConstView<T> g;
  const T* s;
  View<T> k;
  template <int width>
  __device__ void at(Index r, Index j) const {
    const T si = s[r], sj = s[j];
    k.row(r)[j] =
        r == j ? K<T>::diagonal(si) : K<T>::value(g.row(r)[j], si, sj, inverse_norm(si), inverse_norm(sj));
  }
};

/// One block per row. G is symmetric, so row r and column r have the same derivatives with respect to s_r:
/// entry (r, j) uses K̄_rj + K̄_jr.
template <template <class> class K, class T>
__global__ void __launch_bounds__(256)
    kernel_matrix_backward_kernel(ConstView<T> g, const T* s, ConstView<T> k_bar, View<T> g_bar, T* s_bar) {
  cuda::await_previous();
  const Index r = blockIdx.x;
  const T si = s[r], inv_si = inverse_norm(si);
  double sum[1] = {0};
  for (Index j = threadIdx.x; j < g.cols; j += 256) {
    if (j == r) {
      g_bar.row(r)[r] = T(0);
      sum[0] += static_cast<double>(k_bar.row(r)[r] * K<T>::diagonal_gradient(si));
    } else {
      const T bar = k_bar.row(r)[j], sj = s[j];
      const Pointwise<T> p = K<T>::gradient(g.row(r)[j], si, sj, inv_si, inverse_norm(sj));
      g_bar.row(r)[j] = bar * p.d_g;
      sum[0] += static_cast<double>((bar + k_bar.row(j)[r]) * p.d_si);
    }
  }
  block_sum(sum);
  if (threadIdx.x == 0) s_bar[r] += static_cast<T>(sum[0]);
}
}  // namespace

template <class T>
void CudaBackend<T>::kernel_matrix(KernelKind kind, ConstView<T> g, ConstView<T> s, View<T> k) {
  assert(g.rows == g.cols && k.rows == g.rows && k.cols == g.cols && s.size() == g.rows);
  with_kernel(kind, [&]<template <class> class K>() {
    for_each<T>(stream_, g.rows, g.cols, false, KernelEntry<K, T>{g, s.data, k});
  });
}

template <class T>
void CudaBackend<T>::kernel_matrix_backward(KernelKind kind, ConstView<T> g, ConstView<T> s,
                                            ConstView<T> k_bar, View<T> g_bar, View<T> s_bar) {
  assert(g.rows == g.cols && g_bar.data != k_bar.data && s_bar.size() == g.rows);
  with_kernel(kind, [&]<template <class> class K>() {
    launch(kernel_matrix_backward_kernel<K, T>, blocks_for(g.rows, 1), 256, 0, stream_, g, s.data, k_bar,
           g_bar, s_bar.data);
  });
}

#define GDKM_INSTANTIATE(T)                                                                                  \
  template void CudaBackend<T>::kernel_matrix(KernelKind, ConstView<T>, ConstView<T>, View<T>);              \
  template void CudaBackend<T>::kernel_matrix_backward(KernelKind, ConstView<T>, ConstView<T>, ConstView<T>, \
                                                       View<T>, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
