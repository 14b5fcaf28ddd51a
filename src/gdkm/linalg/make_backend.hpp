#pragma once

#include <memory>
#include <string>

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// Where to compute, as the user says it.
struct DeviceChoice {
  std::string device = "cpu";  // "cpu", "cuda" (the first GPU) or "cuda:N"
  int threads = 0;             // of the CPU; 0: all cores
  bool tf32 = false;           // of CUDA: products with many rows round their factors to TF32
};

/// The backend that was asked for. The one for CUDA is a module (libgdkm_cuda.so) that is loaded when it is
/// first wanted: a program runs without it, without CUDA and without a GPU. InputError where the device has
/// no such name or cannot be had, with the reason.
template <class T>
std::unique_ptr<Backend<T>> make_backend(const DeviceChoice& choice);

}  // namespace gdkm
