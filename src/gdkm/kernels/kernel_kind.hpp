#pragma once

#include <stdexcept>
#include <utility>

#include "gdkm/kernels/arccos.hpp"
#include "gdkm/kernels/linear.hpp"
#include "gdkm/kernels/rbf.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm {

// Every kernel nonlinearity Φ has an entry here: its value, the name that users write, and the class with its
// formula. Backends and models reach the class through with_kernel alone.

enum class KernelKind { arccos, rbf, linear };

template <>
struct EnumNames<KernelKind> {
  static constexpr std::string_view names[] = {"arccos", "rbf", "linear"};
};

namespace detail {
template <template <class> class K, class Body>
decltype(auto) call_with_kernel(Body&& body) {
  static_assert(KernelFormula<K<float>, float> && KernelFormula<K<double>, double>);
  return std::forward<Body>(body).template operator()<K>();
}
}  // namespace detail

/// Returns body.template operator()<K>() for the class K that `kind` names. The switch has no default, so the
/// compiler reports a kernel without a case.
template <class Body>
decltype(auto) with_kernel(KernelKind kind, Body&& body) {
  switch (kind) {
    case KernelKind::arccos:
      return detail::call_with_kernel<ArcCos>(std::forward<Body>(body));
    case KernelKind::rbf:
      return detail::call_with_kernel<Rbf>(std::forward<Body>(body));
    case KernelKind::linear:
      return detail::call_with_kernel<Linear>(std::forward<Body>(body));
  }
  throw std::logic_error("[with_kernel] not a value of KernelKind");
}

}  // namespace gdkm
