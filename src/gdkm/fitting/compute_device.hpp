#pragma once

#include <memory>
#include <string>
#include <variant>

#include "gdkm/linalg/make_backend.hpp"
#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// A backend of either precision: precision as a value, for those who do not care which it is.
class ComputeDevice {
 public:
  /// An OptionError says why the device cannot be had.
  ComputeDevice(const DeviceChoice& choice, Precision precision) {
    if (precision == Precision::float64) {
      backend_ = make_backend<double>(choice);
    } else {
      backend_ = make_backend<float>(choice);
    }
  }

  std::string description() const {
    return std::visit([](const auto& backend) { return backend->description(); }, backend_);
  }
  /// Calls f(backend) with a Backend<float>& or a Backend<double>&.
  template <class F>
  decltype(auto) visit(F&& f) {
    return std::visit([&](auto& backend) -> decltype(auto) { return f(*backend); }, backend_);
  }

 private:
  std::variant<std::unique_ptr<Backend<float>>, std::unique_ptr<Backend<double>>> backend_;
};

}  // namespace gdkm
