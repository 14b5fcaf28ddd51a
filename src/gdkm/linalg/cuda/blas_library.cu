#include "gdkm/linalg/cuda/blas_library.hpp"

#include <dlfcn.h>

#include <string>

#include "gdkm/support/error.hpp"

namespace gdkm::cuda {

namespace {

/// The version that this code was compiled with: another one may have other arguments.
const std::string file = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);

InputError missing(const std::string& what) {
  return InputError("the CUDA backend needs " + what +
                    "; install CUDA's libraries or name their folder in LD_LIBRARY_PATH, or use " +
                    option("device", "cpu"));
}

template <class Function>
void find(void* library, const char* name, Function*& out) {
  out = reinterpret_cast<Function*>(dlsym(library, name));
  if (out == nullptr) throw missing(std::string(name) + ", which " + file + " does not have");
}

BlasLibrary load() {
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw missing(file + ", which cannot be loaded (" + dlerror() + ")");
  BlasLibrary out;
  find(library, "cublasCreate_v2", out.create);
  find(library, "cublasDestroy_v2", out.destroy);
  find(library, "cublasSetStream_v2", out.set_stream);
  find(library, "cublasSetWorkspace_v2", out.set_workspace);
  find(library, "cublasGemmEx_64", out.gemm);
  find(library, "cublasStrsm_v2_64", out.solve32);
  find(library, "cublasDtrsm_v2_64", out.solve64);
  find(library, "cublasGetStatusString", out.status_string);
  return out;
}

}  // namespace

const BlasLibrary& blas_library() {
  static const BlasLibrary library = load();
  return library;
}

}  // namespace gdkm::cuda
