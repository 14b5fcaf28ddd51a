#pragma once

#include "gdkm/support/host_device.hpp"

namespace gdkm {

/// 1/s, or 0 where s is too small to have a direction.
template <class T>
GDKM_HOST_DEVICE T inverse_norm(T s) {
  return s > T(1e-18) ? T(1) / s : T(0);
}

}  // namespace gdkm
