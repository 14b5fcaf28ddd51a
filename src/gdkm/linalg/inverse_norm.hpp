#pragma once

#include "gdkm/support/host_device.hpp"

namespace gdkm {

/// 1/s, or 0 if s is so small that the row has no reliable direction.
template <class T>
GDKM_HOST_DEVICE T inverse_norm(T s) {
  return s > T(1e-18) ? T(1) / s : T(0);
}

}  // namespace gdkm
