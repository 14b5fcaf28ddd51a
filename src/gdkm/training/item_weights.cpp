#include "gdkm/training/item_weights.hpp"

#include <algorithm>
#include <numeric>

namespace gdkm {

std::vector<double> weights_of_items(const std::vector<double>& class_weight, const Problem& problem) {
  if (class_weight.empty()) return problem.item_weight;
  std::vector<double> out;
  for (std::size_t item = 0; item < problem.label.size(); ++item) {
    const auto label = problem.label[item];
    const double own = problem.item_weight.empty() ? 1.0 : problem.item_weight[item];
    out.push_back(label < 0 ? own : own * class_weight[static_cast<std::size_t>(label)]);
  }
  return out;
}

std::vector<double> mean_weights_of_items(const std::vector<double>& class_weight, const Problem& problem,
                                          const std::vector<std::int32_t>& train) {
  std::vector<double> out = weights_of_items(class_weight, problem);
  if (problem.item_weight.empty()) return out;
  double sum = 0;
  for (const auto item : train) sum += problem.item_weight[static_cast<std::size_t>(item)];
  const double scale = sum > 0 ? static_cast<double>(train.size()) / sum : 1;
  for (double& weight : out) weight *= scale;
  return out;
}

void order_by_weight(const std::vector<double>& item_weight, Batch& batch) {
  if (item_weight.empty()) return;
  std::vector<std::size_t> order(batch.item.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto weight = [&](std::size_t k) { return item_weight[static_cast<std::size_t>(batch.whole[k])]; };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return weight(a) < weight(b); });
  const auto reorder = [&](std::vector<std::int32_t>& values) {
    std::vector<std::int32_t> out;
    for (const auto k : order) out.push_back(values[k]);
    values = std::move(out);
  };
  for (auto* values : {&batch.item, &batch.label, &batch.whole}) reorder(*values);
}

std::vector<WeightRun> weight_runs(const std::vector<double>& item_weight,
                                   const std::vector<std::int32_t>& items) {
  std::vector<WeightRun> out;
  if (item_weight.empty()) return out;
  for (const auto item : items) {
    const double weight = item_weight[static_cast<std::size_t>(item)];
    if (out.empty() || out.back().weight != weight) out.push_back({0, weight});
    ++out.back().count;
  }
  return out;
}

}  // namespace gdkm
