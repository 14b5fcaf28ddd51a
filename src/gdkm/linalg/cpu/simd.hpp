#pragma once

#include "gdkm/linalg/matrix.hpp"

/// Inner loops that are compiled for several instruction sets; the best one is chosen when the program
/// starts.
namespace gdkm::simd {

/// out_j += Σ_e alpha·value_e · b[col_e]_j: one row of a sparse-dense product.
void gather_add(float alpha, const float* value, const std::int32_t* col, Index count, ConstView<float> b,
                float* out);
void gather_add(double alpha, const double* value, const std::int32_t* col, Index count, ConstView<double> b,
                double* out);

/// One row of the arc-cosine kernel, in place: g_j ← K_ij.
void arccos_row(float* g, float si, float inv_si, const float* sj, const float* inv_sj, Index count);

/// One row of its backward: reads G in `g` and K̄ in `k_bar`, leaves K in `g` and Ḡ in `k_bar`, adds K̄ ∂K/∂s_j
/// to `sj_bar`, and returns Σ_j K̄_ij ∂K_ij/∂s_i.
float arccos_row_backward(float* g, float* k_bar, float si, float inv_si, const float* sj,
                          const float* inv_sj, float* sj_bar, Index count);

}  // namespace gdkm::simd
