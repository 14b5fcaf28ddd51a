#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gdkm/store/stored_run.hpp"

namespace gdkm {

/// Selects runs; all of them by default.
struct RunFilter {
  std::string dataset, model;  // "" for any
  std::optional<RunStatus> status;
  std::vector<std::pair<std::string, std::string>> where;  // option and value, as text

  /// Whether all conditions of `where` hold, which may include seed and split. Numbers compare as numbers.
  bool matches(const Configuration& configuration) const;
};

/// Parses "nu=0.1"; throws an InputError if there is no '='.
std::pair<std::string, std::string> parse_where(const std::string& text);

}  // namespace gdkm
