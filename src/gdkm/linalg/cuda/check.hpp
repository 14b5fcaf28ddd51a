#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

#include "gdkm/linalg/cuda/blas_library.hpp"

namespace gdkm::cuda {

[[noreturn]] inline void fail(const std::string& what, const char* call, const char* file, int line) {
  const std::string path = file;
  throw std::runtime_error(path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(line) + ": " +
                           call + ": " + what);
}

inline void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // clears the error, so that the next call does not report it again
  fail(std::string(cudaGetErrorString(status)) + " (" + cudaGetErrorName(status) + ")", call, file, line);
}

inline void check(cublasStatus_t status, const char* call, const char* file, int line) {
  if (status != CUBLAS_STATUS_SUCCESS) fail(blas_library().status_string(status), call, file, line);
}

}  // namespace gdkm::cuda

/// Calls a function of CUDA or cuBLAS and throws a std::runtime_error with the place and CUDA's message if it
/// fails.
#define GDKM_CUDA(...) ::gdkm::cuda::check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
