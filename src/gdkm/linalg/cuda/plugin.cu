#include "gdkm/linalg/cuda/cuda_backend.hpp"

#define GDKM_EXPORT extern "C" __attribute__((visibility("default")))

GDKM_EXPORT const char* gdkm_cuda_signature() {
  static const std::string signature = gdkm::cuda_module_signature();
  return signature.c_str();
}

GDKM_EXPORT gdkm::Backend<float>* gdkm_cuda_backend32(const gdkm::CudaOptions& options) {
  return new gdkm::CudaBackend<float>(options);
}

GDKM_EXPORT gdkm::Backend<double>* gdkm_cuda_backend64(const gdkm::CudaOptions& options) {
  return new gdkm::CudaBackend<double>(options);
}
