#include "gdkm/linalg/cuda/cuda_backend.hpp"

#define GDKM_EXPORT extern "C" __attribute__((visibility("default")))

GDKM_EXPORT const char* gdkm_cuda_signature() {
  static const std::string signature = gdkm::cuda_module_signature();
  return signature.c_str();
}

namespace {

gdkm::CudaOptions of_rank(gdkm::CudaOptions options) {
  int count = 0;
  if (options.rank > 0 && cudaGetDeviceCount(&count) == cudaSuccess && count > 0)
    options.device = (options.device + options.rank) % count;
  return options;
}

}  // namespace

GDKM_EXPORT gdkm::Backend<float>* gdkm_cuda_backend32(const gdkm::CudaOptions& options) {
  return new gdkm::CudaBackend<float>(of_rank(options));
}

GDKM_EXPORT gdkm::Backend<double>* gdkm_cuda_backend64(const gdkm::CudaOptions& options) {
  return new gdkm::CudaBackend<double>(of_rank(options));
}
