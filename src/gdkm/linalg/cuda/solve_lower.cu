#include <type_traits>

#include "gdkm/linalg/cuda/cuda_backend.hpp"

namespace gdkm {

template <class T>
void CudaBackend<T>::solve_lower(Op op, ConstView<T> l, View<T> b) {
  assert(l.rows == l.cols && l.rows == b.rows);
  if (b.empty()) return;
  // cuBLAS is column-major: it sees Lᵀ, an upper triangle, and Bᵀ, and solves Xᵀ op(L)ᵀ = Bᵀ.
  const cublasOperation_t operation = op == Op::none ? CUBLAS_OP_N : CUBLAS_OP_T;
  const T one = 1;
  const auto solve = [&](auto trsm) {
    GDKM_CUDA(trsm(blas(), CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, operation, CUBLAS_DIAG_NON_UNIT, b.cols,
                   b.rows, &one, l.data, l.stride, b.data, b.stride));
  };
  if constexpr (std::is_same_v<T, float>) {
    solve(cuda::blas_library().solve32);
  } else {
    solve(cuda::blas_library().solve64);
  }
}

template void CudaBackend<float>::solve_lower(Op, ConstView<float>, View<float>);
template void CudaBackend<double>::solve_lower(Op, ConstView<double>, View<double>);

}  // namespace gdkm
