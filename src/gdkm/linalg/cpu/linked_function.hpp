#pragma once

#include <dlfcn.h>

namespace gdkm::blas {

/// The function of this name in the program or a library that it is linked with; nullptr where no library has
/// it. BLAS libraries differ in what they have beyond the BLAS.
template <class Function>
Function* linked_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace gdkm::blas
