#pragma once

#include <fmt/format.h>

#include <utility>

#include "gdkm/support/error.hpp"

namespace gdkm {

/// Throws an InputError with that message. Not for headers that users include: it speaks fmt.
[[noreturn]] inline void refuse(std::string message) {
  throw InputError(std::move(message));
}

/// The same, with the arguments put into the message: refuse("{}: has {} rows; give {}", where, rows, nodes).
template <class First, class... Rest>
[[noreturn]] void refuse(fmt::format_string<First, Rest...> message, First&& first, Rest&&... rest) {
  throw InputError(fmt::format(message, std::forward<First>(first), std::forward<Rest>(rest)...));
}

}  // namespace gdkm
