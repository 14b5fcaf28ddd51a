#pragma once

#include <cblas.h>

#include <algorithm>
#include <string>
#include <vector>

#include "gdkm/linalg/backend.hpp"

/// The BLAS and LAPACK functions of the CPU backend, overloaded by type. They are column-major and our
/// matrices are row-major: a row-major lower triangle is a column-major upper one, so nothing needs to be
/// transposed.
namespace gdkm::blas {

/// Makes the linked library (OpenBLAS, BLIS or MKL) use only the calling thread, because the backend has its
/// own threads. Returns the name of the library.
std::string use_one_thread();

/// LAPACK's xPOTRF: the lower triangle of the row-major `a` becomes its Cholesky factor. Returns LAPACK's
/// info.
int potrf(View<float> a);
int potrf(View<double> a);

/// LAPACK's xGEQRF of the transpose of the row-major `a`: afterwards the lower triangle of its first `a.rows`
/// columns is Rᵀ. `tau` has a.rows entries.
void geqrf(View<float> a, float* tau, View<float> work);
void geqrf(View<double> a, double* tau, View<double> work);

inline CBLAS_TRANSPOSE flag(Op op) {
  return op == Op::none ? CblasNoTrans : CblasTrans;
}

inline void gemm(float alpha, Op op_a, ConstView<float> a, Op op_b, ConstView<float> b, float beta,
                 View<float> c) {
  const Index inner = op_a == Op::none ? a.cols : a.rows;
  cblas_sgemm(CblasRowMajor, flag(op_a), flag(op_b), static_cast<int>(c.rows), static_cast<int>(c.cols),
              static_cast<int>(inner), alpha, a.data, static_cast<int>(a.stride), b.data,
              static_cast<int>(b.stride), beta, c.data, static_cast<int>(c.stride));
}
inline void gemm(double alpha, Op op_a, ConstView<double> a, Op op_b, ConstView<double> b, double beta,
                 View<double> c) {
  const Index inner = op_a == Op::none ? a.cols : a.rows;
  cblas_dgemm(CblasRowMajor, flag(op_a), flag(op_b), static_cast<int>(c.rows), static_cast<int>(c.cols),
              static_cast<int>(inner), alpha, a.data, static_cast<int>(a.stride), b.data,
              static_cast<int>(b.stride), beta, c.data, static_cast<int>(c.stride));
}

/// C ← A op(L), with L lower triangular; A and C may be the same.
inline void trmm(ConstView<double> a, Op op, ConstView<double> l, View<double> c) {
  if (a.data != c.data) {
    for (Index r = 0; r < a.rows; ++r) std::copy_n(a.row(r), a.cols, c.row(r));
  }
  cblas_dtrmm(CblasRowMajor, CblasRight, CblasLower, flag(op), CblasNonUnit, static_cast<int>(c.rows),
              static_cast<int>(c.cols), 1.0, l.data, static_cast<int>(l.stride), c.data,
              static_cast<int>(c.stride));
}

/// B ← op(L)⁻¹ B, with L lower triangular.
inline void trsm(Op op, ConstView<float> l, View<float> b) {
  cblas_strsm(CblasRowMajor, CblasLeft, CblasLower, flag(op), CblasNonUnit, static_cast<int>(b.rows),
              static_cast<int>(b.cols), 1.0f, l.data, static_cast<int>(l.stride), b.data,
              static_cast<int>(b.stride));
}
inline void trsm(Op op, ConstView<double> l, View<double> b) {
  cblas_dtrsm(CblasRowMajor, CblasLeft, CblasLower, flag(op), CblasNonUnit, static_cast<int>(b.rows),
              static_cast<int>(b.cols), 1.0, l.data, static_cast<int>(l.stride), b.data,
              static_cast<int>(b.stride));
}

/// B ← op(L) B, with L lower triangular.
inline void trmm_left(Op op, ConstView<double> l, View<double> b) {
  cblas_dtrmm(CblasRowMajor, CblasLeft, CblasLower, flag(op), CblasNonUnit, static_cast<int>(b.rows),
              static_cast<int>(b.cols), 1.0, l.data, static_cast<int>(l.stride), b.data,
              static_cast<int>(b.stride));
}

/// The lower triangle of G ← F Fᵀ + β G.
inline void syrk(ConstView<double> f, double beta, View<double> g) {
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, static_cast<int>(f.rows), static_cast<int>(f.cols),
              1.0, f.data, static_cast<int>(f.stride), beta, g.data, static_cast<int>(g.stride));
}

/// LAPACK's DPOTRI: the lower triangle, a Cholesky factor, becomes that of the inverse. Returns LAPACK's
/// info.
int potri(View<double> a);

/// LAPACK's DSYEVD: the rows of the symmetric `a` become its eigenvectors, `values` its eigenvalues,
/// ascending. Returns LAPACK's info.
int syevd(View<double> a, double* values);

/// LAPACK's DSYTRD: the symmetric `a` becomes reflectors, whose product is Q, and A = Q T Qᵀ has `diagonal`
/// and, beside it, `beside`. All three have a.rows numbers, of which the last is not used in `beside` and
/// `factors`.
void sytrd(View<double> a, double* diagonal, double* beside, double* factors);
/// LAPACK's DORMTR: every row x of B becomes op(Q) x.
void ormtr(Op op, ConstView<double> reflectors, const double* factors, View<double> b);
/// LAPACK's DPTTRF: the tridiagonal matrix with this diagonal, and these numbers beside it, becomes L D Lᵀ.
/// Returns LAPACK's info: not 0 if it is not positive definite.
int pttrf(std::vector<double>& diagonal, double* beside);
/// LAPACK's DPTTRS: every row x of B, without gaps between rows, becomes (L D Lᵀ)⁻¹ x.
void pttrs(const std::vector<double>& diagonal, const double* beside, View<double> b);

/// LAPACK's DGESDD of a square `a`, which is destroyed: `values` are descending, and the rows of `right`
/// become the right singular vectors. Returns LAPACK's info.
int gesdd(View<double> a, double* values, View<double> right);

/// The number of threads that the linked library uses now; 1 if it does not tell.
int threads();

/// While an object exists, the linked library uses `count` threads (0: one per core). The setting applies to
/// the whole process. It is meant for work on n × n matrices, where factorisations profit from the library's
/// threads and no CpuBackend runs at the same time.
class Threads {
 public:
  explicit Threads(int count);
  ~Threads();
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

 private:
  int before_;
};

}  // namespace gdkm::blas
