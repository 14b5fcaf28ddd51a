#pragma once

#include "gdkm/linalg/adam_update.hpp"
#include "gdkm/linalg/matrix.hpp"

/// The inner loops that profit most from newer instruction sets. They are compiled for AVX-512, AVX2 with FMA
/// and baseline x86-64; the version is chosen when the program starts.
namespace gdkm::simd {

/// The rows of a sparse matrix, as spmm uses them.
template <class T>
struct SparseRows {
  const Index* start;
  const std::int32_t* col;
  const T* value;
};

/// How B is split into blocks of `rows` rows, so that a block stays in a cache while all rows of A are
/// processed. 0: no blocks, because they would not pay. `cursor` has an entry for every row of A.
struct SparseBlocks {
  Index rows = 0;
  Index* cursor = nullptr;
};

/// Rows [begin, end) of C ← α A B + β C, one panel of columns after another. A panel is wide enough to be
/// worth reading the indices and narrow enough to keep its sums in registers. `b` and `c` have the same
/// columns.
void sparse_times(float alpha, const SparseRows<float>& a, Index begin, Index end, ConstView<float> b,
                  float beta, View<float> c, const SparseBlocks& blocks = {});
void sparse_times(double alpha, const SparseRows<double>& a, Index begin, Index end, ConstView<double> b,
                  double beta, View<double> c, const SparseBlocks& blocks = {});

/// One row of the arc-cosine kernel, in place: g_j ← K_ij.
void arccos_row(float* g, float si, float inv_si, const float* sj, const float* inv_sj, Index count);

/// One row of its backward: replaces G by K in `g` and K̄ by Ḡ in `k_bar`, adds K̄ ∂K/∂s_j to `sj_bar`, and
/// returns Σ_j K̄_ij ∂K_ij/∂s_i.
float arccos_row_backward(float* g, float* k_bar, float si, float inv_si, const float* sj,
                          const float* inv_sj, float* sj_bar, Index count);

/// x_j ← exp(x_j), within 2 units in the last place. Values below −87 give exp(−87); x_j must not exceed 88.
void exp_row(float* x, Index count);
void exp_row(double* x, Index count);

/// Σ x_j².
float sum_of_squares(const float* x, Index count);
double sum_of_squares(const double* x, Index count);

/// Adam's update of `count` parameters.
void adam(const AdamUpdate<float>& update, const float* gradient, float* first, float* second,
          float* parameter, Index count);
void adam(const AdamUpdate<double>& update, const double* gradient, double* first, double* second,
          double* parameter, Index count);

}  // namespace gdkm::simd
