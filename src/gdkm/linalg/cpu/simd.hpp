#pragma once

#include "gdkm/linalg/adam_update.hpp"
#include "gdkm/linalg/matrix.hpp"

/// Inner loops in which a program that was compiled for any x86-64 would lose most: compiled for several
/// instruction sets (AVX-512, AVX2 with FMA, the common ground), of which one is chosen when the program
/// starts.
namespace gdkm::simd {

/// Rows of a sparse matrix, as spmm takes them.
template <class T>
struct SparseRows {
  const Index* start;
  const std::int32_t* col;
  const T* value;
};

/// How the rows of B are taken: `rows` at a time, so that their panel stays in a cache while all rows of A
/// pass; 0 where that does not pay. `cursor` has a place for every row of A.
struct SparseBlocks {
  Index rows = 0;
  Index* cursor = nullptr;
};

/// Rows [begin, end) of C ← α A B + β C, for a panel of columns that is wide enough to be worth the indices
/// and narrow enough for its sums to stay in registers, and then the next. `b` and `c` have the same columns.
void sparse_times(float alpha, const SparseRows<float>& a, Index begin, Index end, ConstView<float> b,
                  float beta, View<float> c, const SparseBlocks& blocks = {});
void sparse_times(double alpha, const SparseRows<double>& a, Index begin, Index end, ConstView<double> b,
                  double beta, View<double> c, const SparseBlocks& blocks = {});

/// One row of the arc-cosine kernel, in place: g_j ← K_ij.
void arccos_row(float* g, float si, float inv_si, const float* sj, const float* inv_sj, Index count);

/// One row of its backward: reads G in `g` and K̄ in `k_bar`, leaves K in `g` and Ḡ in `k_bar`, adds K̄ ∂K/∂s_j
/// to `sj_bar`, and returns Σ_j K̄_ij ∂K_ij/∂s_i.
float arccos_row_backward(float* g, float* k_bar, float si, float inv_si, const float* sj,
                          const float* inv_sj, float* sj_bar, Index count);

/// x_j ← exp(x_j), within 2 units in the last place; exp(−87) for what is less, and x_j must not be above 88.
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
