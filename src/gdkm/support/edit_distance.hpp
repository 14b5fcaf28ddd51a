#pragma once

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string_view>
#include <vector>

namespace gdkm {

/// Levenshtein distance, blind to case: how many letters to insert, delete or replace to turn `a` into `b`.
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> cost(b.size() + 1);
  std::iota(cost.begin(), cost.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = cost[0];
    cost[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = cost[j + 1];
      cost[j + 1] = std::min({replaced, cost[j] + 1, cost[j + 1] + 1});
    }
  }
  return cost.back();
}

}  // namespace gdkm
