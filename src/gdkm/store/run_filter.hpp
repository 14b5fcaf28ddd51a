#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gdkm/store/run.hpp"

namespace gdkm {

/// Which runs are meant; all of them by default.
struct RunFilter {
  std::string dataset, model;  // "" for any
  std::optional<RunStatus> status;
  std::vector<std::pair<std::string, std::string>> where;  // option = value, as people write it

  /// Whether options (and seed and split, which may stand among them) agree. Numbers are compared as numbers.
  bool matches(const Configuration& configuration) const;
};

/// "nu=0.1" as a pair; an InputError where there is no '='.
std::pair<std::string, std::string> parse_where(const std::string& text);

}  // namespace gdkm
