#pragma once

#include <cublas_v2.h>

namespace gdkm::cuda {

/// The functions of cuBLAS that the backend uses. The library is loaded when the first product needs it: that
/// takes a tenth of a second, a large part of a short run, and small graphs never need it.
struct BlasLibrary {
  decltype(&cublasCreate_v2) create = nullptr;
  decltype(&cublasDestroy_v2) destroy = nullptr;
  decltype(&cublasSetStream_v2) set_stream = nullptr;
  decltype(&cublasSetWorkspace_v2) set_workspace = nullptr;
  decltype(&cublasGemmEx_64) gemm = nullptr;
  decltype(&cublasStrsm_v2_64) solve32 = nullptr;
  decltype(&cublasDtrsm_v2_64) solve64 = nullptr;
  decltype(&cublasGetStatusString) status_string = nullptr;
};

/// Loads it, once and for good. An InputError says what is missing.
const BlasLibrary& blas_library();

}  // namespace gdkm::cuda
