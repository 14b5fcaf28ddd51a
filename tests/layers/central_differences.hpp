#pragma once

#include <gtest/gtest.h>

#include "gdkm/layers/parameters.hpp"

namespace gdkm::testing {

/// Calls check(entry, k, gradient, numeric) for every number of every parameter: its gradient as it is now,
/// and the central difference of `value` with that step. Parameters are left as they were.
template <class Value, class Check>
void central_differences(Parameters<double>& parameters, double step, Value value, Check check) {
  for (const auto& entry : parameters.entries()) {
    const auto gradient = parameters.get_gradient(entry.name);
    auto at = parameters.get(entry.name);
    const auto value_at = [&](std::size_t k, double x) {
      at[k] = x;
      parameters.set(entry.name, at);
      return value();
    };
    for (std::size_t k = 0; k < at.size(); ++k) {
      const double before = at[k], up = value_at(k, before + step), down = value_at(k, before - step);
      at[k] = before;
      parameters.set(entry.name, at);
      check(entry, k, gradient[k], (up - down) / (2 * step));
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace gdkm::testing
