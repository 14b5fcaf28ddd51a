#include "gdkm/dataset/class_name.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gdkm {

std::string class_name(const Dataset& dataset, Index c) {
  return dataset.class_names.empty() ? std::to_string(c) : dataset.class_names[static_cast<std::size_t>(c)];
}

std::string class_text(const Dataset& dataset, Index c) {
  return dataset.class_names.empty() ? std::to_string(c) : fmt::format("'{}'", class_name(dataset, c));
}

std::string first_few(const std::vector<std::string>& texts) {
  constexpr std::size_t most = 5;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(most, texts.size()));
  return fmt::format("{}{}", fmt::join(texts.begin(), texts.begin() + shown, ", "),
                     texts.size() > most ? ", ..." : "");
}

}  // namespace gdkm
