#pragma once

#include <stdexcept>
#include <string>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// A bug in who calls: the spaces of the arguments make no sense together.
[[noreturn]] inline void wrong_spaces(const char* primitive) {
  throw std::logic_error(std::string("[") + primitive +
                         "] the spaces of its matrices (shared, nodes, terms) do not go together");
}

/// That all matrices among the arguments are in this space. One that is not there is in any.
template <class... Arguments>
void expect_space(const char* primitive, Space space, const Arguments&... arguments) {
  const auto fits = [&](const auto& argument) {
    if constexpr (requires { argument.space; })
      return argument.space == space || (argument.data == nullptr && argument.empty());
    else
      return true;
  };
  if (!(fits(arguments) && ...)) wrong_spaces(primitive);
}

/// That all of them are in the space of the first: all shared, or all of them rows of nodes.
template <class First, class... Views>
void expect_same_space(const char* primitive, const First& first, const Views&... views) {
  if (first.space == Space::terms) wrong_spaces(primitive);
  expect_space(primitive, first.space, views...);
}

}  // namespace gdkm
