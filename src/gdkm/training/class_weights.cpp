#include "gdkm/training/class_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/support/error.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

ClassWeights parse_class_weights(const std::string& text) {
  if (text == "none") return {};
  if (text == "balanced") return {true, {}};
  ClassWeights out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string piece = text.substr(begin, end - begin);
    const double weight = whole_number<double>(piece).value_or(0);
    if (!(weight > 0) || !std::isfinite(weight))
      throw InputError(fmt::format("expected none, balanced, or a number > 0 for each class; got '{}'",
                                   piece.substr(0, 20)));
    out.given.push_back(weight);
    begin = end + 1;
  }
  return out;
}

std::string to_string(const ClassWeights& weights) {
  if (weights.given.empty()) return weights.balanced ? "balanced" : "none";
  return fmt::format("{}", fmt::join(weights.given, ","));
}

std::vector<double> weights_of_classes(const ClassWeights& weights, const Problem& problem,
                                       const std::vector<std::int32_t>& train) {
  if (!weights.any() || problem.is_regression()) return {};
  const auto classes = static_cast<std::size_t>(problem.classes);
  if (!weights.balanced) {
    if (weights.given.size() == classes) return weights.given;
    throw OptionError("class_weights", to_string(weights),
                      fmt::format("{} weights for {} classes", weights.given.size(), classes),
                      "give one for each class, in the data's order of classes");
  }
  std::vector<double> count(classes, 0.0);
  for (const auto item : train)
    ++count[static_cast<std::size_t>(problem.label[static_cast<std::size_t>(item)])];
  const auto seen =
      static_cast<double>(classes) - static_cast<double>(std::count(count.begin(), count.end(), 0.0));
  std::vector<double> out;
  for (const double each : count)
    out.push_back(each > 0 ? static_cast<double>(train.size()) / (seen * each) : 1.0);
  return out;
}

}  // namespace gdkm
