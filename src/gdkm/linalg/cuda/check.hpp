#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace gdkm::cuda {

[[noreturn]] inline void fail(const std::string& what, const char* call, const char* file, int line) {
  const std::string path = file;
  throw std::runtime_error(path.substr(path.find_last_of('/') + 1) + ":" + std::to_string(line) + ": " +
                           call + ": " + what);
}

inline void check(cudaError_t status, const char* call, const char* file, int line) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // what was reported is not reported again by the next call
  fail(std::string(cudaGetErrorString(status)) + " (" + cudaGetErrorName(status) + ")", call, file, line);
}

inline void check(cublasStatus_t status, const char* call, const char* file, int line) {
  if (status != CUBLAS_STATUS_SUCCESS) fail(cublasGetStatusString(status), call, file, line);
}

}  // namespace gdkm::cuda

/// Makes a call of CUDA or cuBLAS; an error becomes a std::runtime_error with the place and CUDA's own words.
#define GDKM_CUDA(...) ::gdkm::cuda::check((__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
