#include "gdkm/experiments/tune/doubtful_items.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/dataset/class_name.hpp"

namespace gdkm {

namespace {

std::vector<std::string> parts_of(const Split& split, Index items) {
  std::vector<std::string> out(static_cast<std::size_t>(items));
  for (const auto item : split.train) out[static_cast<std::size_t>(item)] = "training";
  for (const auto item : split.val) out[static_cast<std::size_t>(item)] = "validation";
  for (const auto item : split.test) out[static_cast<std::size_t>(item)] = "test";
  return out;
}

DoubtfulItem item_of(const Predictions& predictions, const Dataset& dataset, Index item) {
  const auto at = static_cast<std::size_t>(item);
  DoubtfulItem out;
  out.name = at < predictions.names.size() ? predictions.names[at] : std::to_string(item);
  const bool labelled = dataset.label[at] >= 0;
  if (predictions.regression) {
    const double mean = predictions.mean(item), deviation = predictions.deviation(item);
    const double truth = dataset.target[at * static_cast<std::size_t>(dataset.targets)];
    out.predicted = fmt::format("{:.4g}", mean);
    out.confidence = deviation;
    if (labelled && std::isfinite(truth)) {
      out.label = fmt::format("{:.4g}", truth);
      out.label_probability = std::abs(truth - mean) / std::max(deviation, 1e-12);
    }
    return out;
  }
  const Index predicted = predictions.predicted_class(item);
  out.predicted = class_name(dataset, predicted);
  out.confidence = predictions.row(item)[predicted];
  if (labelled) {
    out.label = class_name(dataset, dataset.label[at]);
    out.label_probability = predictions.row(item)[dataset.label[at]];
  }
  return out;
}

}  // namespace

DoubtfulItems doubtful_items(const Predictions& predictions, const Dataset& dataset, const Split& split,
                             std::size_t most) {
  const auto parts = parts_of(split, dataset.items());
  std::vector<DoubtfulItem> all;
  for (Index item = 0; item < std::min(predictions.items, dataset.items()); ++item) {
    all.push_back(item_of(predictions, dataset, item));
    all.back().part = parts[static_cast<std::size_t>(item)];
  }
  const bool numbers = predictions.regression;
  DoubtfulItems out;
  for (const DoubtfulItem& each : all) {
    if (each.part != "training") out.unsure.push_back(each);
    const bool unlike = numbers ? each.label_probability > 2 : each.label != each.predicted;
    if (!each.label.empty() && unlike) out.surprising.push_back(each);
  }
  // The least sure of a number has the widest distribution.
  std::stable_sort(out.unsure.begin(), out.unsure.end(), [&](const DoubtfulItem& a, const DoubtfulItem& b) {
    return numbers ? a.confidence > b.confidence : a.confidence < b.confidence;
  });
  std::stable_sort(out.surprising.begin(), out.surprising.end(),
                   [&](const DoubtfulItem& a, const DoubtfulItem& b) {
                     return numbers ? a.label_probability > b.label_probability
                                    : a.label_probability < b.label_probability;
                   });
  for (auto* list : {&out.unsure, &out.surprising}) list->resize(std::min(list->size(), most));
  return out;
}

}  // namespace gdkm
