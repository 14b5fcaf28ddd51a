#include "gdkm/data/formats/shared/regression_targets.hpp"

#include <charconv>
#include <cmath>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {

void set_targets(const std::vector<std::string>& text, Dataset& dataset) {
  dataset.targets = 1;
  dataset.classes = 0;
  dataset.class_names.clear();
  dataset.target.assign(text.size(), std::nanf(""));
  dataset.label.assign(text.size(), -1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i].empty() || text[i] == "?" || text[i] == "nan" || text[i] == "NaN") continue;
    const char* end = text[i].data() + text[i].size();
    float value = 0;
    const auto [stop, error] = std::from_chars(text[i].data(), end, value);
    if (error != std::errc{} || stop != end || !std::isfinite(value)) {
      refuse("node {}: expected a number to predict, got {}; correct it, or leave out {} if it is a class",
             i + 1, show_field(text[i]), option("regression"));
    }
    dataset.target[i] = value;
    dataset.label[i] = 0;
  }
}

}  // namespace gdkm
