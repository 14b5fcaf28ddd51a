#include "gdkm/linalg/cpu/simd.hpp"

#include "gdkm/kernels/arccos.hpp"

// Resolving such a function happens before a sanitizer's run-time is ready.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define GDKM_EVERY_ISA __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define GDKM_EVERY_ISA
#endif

namespace gdkm::simd {

GDKM_EVERY_ISA void gather_add(float alpha, const float* value, const std::int32_t* col, Index count,
                               ConstView<float> b, float* out) {
  for (Index e = 0; e < count; ++e) {
    const float weight = alpha * value[e];
    const float* from = b.data + col[e] * b.stride;
#pragma omp simd
    for (Index j = 0; j < b.cols; ++j) out[j] += weight * from[j];
  }
}

GDKM_EVERY_ISA void gather_add(double alpha, const double* value, const std::int32_t* col, Index count,
                               ConstView<double> b, double* out) {
  for (Index e = 0; e < count; ++e) {
    const double weight = alpha * value[e];
    const double* from = b.data + col[e] * b.stride;
#pragma omp simd
    for (Index j = 0; j < b.cols; ++j) out[j] += weight * from[j];
  }
}

GDKM_EVERY_ISA void arccos_row(float* g, float si, float inv_si, const float* sj, const float* inv_sj,
                               Index count) {
#pragma omp simd
  for (Index j = 0; j < count; ++j) g[j] = ArcCos<float>::value(g[j], si, sj[j], inv_si, inv_sj[j]);
}

GDKM_EVERY_ISA float arccos_row_backward(float* g, float* k_bar, float si, float inv_si, const float* sj,
                                         const float* inv_sj, float* sj_bar, Index count) {
  float si_bar = 0;
#pragma omp simd reduction(+ : si_bar)
  for (Index j = 0; j < count; ++j) {
    const auto p = ArcCos<float>::gradient(g[j], si, sj[j], inv_si, inv_sj[j]);
    g[j] = p.value;
    si_bar += k_bar[j] * p.d_si;
    sj_bar[j] += k_bar[j] * p.d_sj;
    k_bar[j] *= p.d_g;
  }
  return si_bar;
}

}  // namespace gdkm::simd
