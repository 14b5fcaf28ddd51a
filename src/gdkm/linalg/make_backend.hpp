#pragma once

#include <memory>
#include <string>

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// The device to compute on, as the user names it.
struct DeviceChoice {
  std::string device = "cpu";  // "cpu", "cuda" (the first GPU) or "cuda:N"
  int threads = 0;             // CPU threads; 0: one per core
  bool tf32 = false;           // CUDA only: products with many rows round their factors to TF32
};

/// Returns the backend for `choice`. The CUDA backend is a module (libgdkm_cuda.so) that is loaded on first
/// use, so a program runs without it, without CUDA and without a GPU. Throws an InputError with the reason if
/// there is no such device or it cannot be used.
template <class T>
std::unique_ptr<Backend<T>> make_backend(const DeviceChoice& choice);

}  // namespace gdkm
