#pragma once

#include <stdexcept>

#include "gdkm/kernels/arccos.hpp"
#include "gdkm/kernels/linear.hpp"
#include "gdkm/kernels/rbf.hpp"

namespace gdkm {

/// Calls body.template operator()<K>() with the kernel that `kind` names.
template <class Body>
void with_kernel(KernelKind kind, Body&& body) {
  switch (kind) {
    case KernelKind::arccos:
      return body.template operator()<ArcCos>();
    case KernelKind::rbf:
      return body.template operator()<Rbf>();
    case KernelKind::linear:
      return body.template operator()<Linear>();
  }
  throw std::logic_error("[with_kernel] unknown kernel");
}

}  // namespace gdkm
