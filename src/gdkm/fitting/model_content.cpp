#include "gdkm/fitting/model_content.hpp"

#include <algorithm>

namespace gdkm {

Predictions FittedModel::Content::named(std::vector<double> values, const Dataset& dataset,
                                        bool is_training_data) const {
  Predictions out;
  out.outputs = card_.classes;
  out.regression = card_.settings.config.regression;
  out.items = dataset.items();
  out.values = std::move(values);
  if (dataset.task == Task::node) out.names = dataset.node_names;
  out.remarks = dataset.remarks;
  out.label = labels_of_model(dataset);
  if (out.regression && dataset.targets == card_.classes) out.target = dataset.target;
  if (out.regression && out.target.empty()) out.label.clear();
  if (!is_training_data) return out;
  if (card_.train_items.empty()) out.label.clear();  // an older model does not say what it has seen
  out.seen.assign(static_cast<std::size_t>(out.items), 0);
  for (const auto* items : {&card_.train_items, &card_.val_items}) {
    for (const auto item : *items) {
      if (item < out.items) out.seen[static_cast<std::size_t>(item)] = 1;
    }
  }
  return out;
}

/// The data may number classes in another way than the model, or have others.
std::vector<std::int32_t> FittedModel::Content::labels_of_model(const Dataset& dataset) const {
  if (dataset.is_regression() || card_.class_names.empty() || dataset.class_names.empty()) {
    std::vector<std::int32_t> out = dataset.label;
    for (auto& label : out) label = label < card_.classes ? label : -1;
    return out;
  }
  std::vector<std::int32_t> number;
  for (const std::string& name : dataset.class_names) {
    const auto at = std::find(card_.class_names.begin(), card_.class_names.end(), name);
    number.push_back(
        at == card_.class_names.end() ? -1 : static_cast<std::int32_t>(at - card_.class_names.begin()));
  }
  std::vector<std::int32_t> out;
  for (const auto label : dataset.label)
    out.push_back(label < 0 ? -1 : number[static_cast<std::size_t>(label)]);
  return out;
}

}  // namespace gdkm
