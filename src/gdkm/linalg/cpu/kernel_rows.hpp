#pragma once

#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/cpu/simd.hpp"

namespace gdkm::detail {

/// A kernel applied to rows of G; simd.hpp describes the two functions.
template <template <class> class K, class T>
struct KernelRows {
  static void value(T* g, T si, T inv_si, const T* sj, const T* inv_sj, Index count) {
    for (Index j = 0; j < count; ++j) g[j] = K<T>::value(g[j], si, sj[j], inv_si, inv_sj[j]);
  }
  static T backward(T* g, T* k_bar, T si, T inv_si, const T* sj, const T* inv_sj, T* sj_bar, Index count) {
    T si_bar = 0;
    for (Index j = 0; j < count; ++j) {
      const auto p = K<T>::gradient(g[j], si, sj[j], inv_si, inv_sj[j]);
      g[j] = p.value;
      si_bar += k_bar[j] * p.d_si;
      sj_bar[j] += k_bar[j] * p.d_sj;
      k_bar[j] *= p.d_g;
    }
    return si_bar;
  }
};

template <>
struct KernelRows<ArcCos, float> {
  static void value(float* g, float si, float inv_si, const float* sj, const float* inv_sj, Index count) {
    simd::arccos_row(g, si, inv_si, sj, inv_sj, count);
  }
  static float backward(float* g, float* k_bar, float si, float inv_si, const float* sj, const float* inv_sj,
                        float* sj_bar, Index count) {
    return simd::arccos_row_backward(g, k_bar, si, inv_si, sj, inv_sj, sj_bar, count);
  }
};

}  // namespace gdkm::detail
