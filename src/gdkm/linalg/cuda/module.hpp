#pragma once

#include <string>

#include "gdkm/linalg/backend.hpp"
#include "gdkm/linalg/math_mode.hpp"
#include "gdkm/support/version.hpp"

// The interface between the program and the module with the CUDA backend (libgdkm_cuda.so), without CUDA
// types.

namespace gdkm {

struct CudaOptions {
  int device = 0;
  MathMode math = MathMode::automatic;  // of products with n rows
  bool recompute = false;               // n×m kernels in the backward pass, rather than keep them
  int rank = 0;                         // among those of the machine, which take its GPUs in turn
};

/// The version and the layout of the shared types. It differs if program and module are from different
/// builds.
inline std::string cuda_module_signature() {
  std::string out(version);
  out.append(" ").append(git_commit);
  for (const std::size_t size : {sizeof(View<float>), sizeof(Sparse<float>::Part), sizeof(AdamStep),
                                 sizeof(Clock), sizeof(Stream), sizeof(CudaOptions), sizeof(std::string)})
    out.append(" ").append(std::to_string(size));
  return out;
}

// The names of the module's functions. They throw an InputError if there is no driver or no such GPU.
using CudaModuleSignature = const char*();
using MakeCudaBackend32 = Backend<float>*(const CudaOptions&);
using MakeCudaBackend64 = Backend<double>*(const CudaOptions&);
inline constexpr const char* cuda_module_signature_name = "gdkm_cuda_signature";
inline constexpr const char* make_cuda_backend32_name = "gdkm_cuda_backend32";
inline constexpr const char* make_cuda_backend64_name = "gdkm_cuda_backend64";

}  // namespace gdkm
