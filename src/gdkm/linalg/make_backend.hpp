#pragma once

#include <memory>

#include "gdkm/linalg/backend.hpp"
#include "gdkm/linalg/device_id.hpp"
#include "gdkm/linalg/math_mode.hpp"

namespace gdkm {

/// Where to compute, and how.
struct DeviceChoice {
  DeviceId device;
  int threads = 0;                      // of the CPU; 0: one per core
  MathMode math = MathMode::automatic;  // of CUDA: how products with many rows are computed
  bool recompute = false;               // of CUDA: keep no kernels for the backward pass
  std::shared_ptr<Communicator> ranks =
      nullptr;  // that share the nodes of graphs; null: this process has them all
};

/// The backend that was asked for. The one for CUDA is a module (libgdkm_cuda.so) that is loaded when it is
/// first wanted: a program runs without it, without CUDA and without a GPU. An OptionError says why a device
/// cannot be had.
template <class T>
std::unique_ptr<Backend<T>> make_backend(const DeviceChoice& choice);

}  // namespace gdkm
