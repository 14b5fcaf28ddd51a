#include "gdkm/fitting/nearest_items.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gdkm/linalg/dense_factors.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

/// Some rows, each of length 1; rows of zeros stay.
Dense unit_rows(const NodeFeatures& features, const std::vector<std::int32_t>& rows) {
  Dense out(static_cast<Index>(rows.size()), features.width);
  for (Index r = 0; r < out.rows; ++r) {
    const double* from = features.values.data() + rows[static_cast<std::size_t>(r)] * features.width;
    const double square = std::inner_product(from, from + features.width, from, 0.0);
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    std::transform(from, from + features.width, out.row(r), [&](double value) { return scale * value; });
  }
  return out;
}

}  // namespace

NearestItems nearest_training_items(const FittedModel& model, const Dataset& dataset,
                                    const Dataset& training_data, int count) {
  const std::vector<std::int32_t>& train = model.card().train_items;
  if (train.empty())
    throw InputError(
        "the model does not say which items it was trained on; train it again with this version");
  if (!model.was_trained_on(training_data))
    throw InputError("the nearest training items are those of " + model.card().data +
                     ", on which the model was trained, and " + training_data.name +
                     " is other data; name that data with " + option("training_data"));
  const bool same = &dataset == &training_data || model.was_trained_on(dataset);
  const NodeFeatures known = model.features(training_data, -1, FeatureRows::items);
  const NodeFeatures all = same ? known : model.features(dataset, -1, FeatureRows::items);
  const Dense of_training = unit_rows(known, train);

  NearestItems out;
  const Predictions labels = model.predict(training_data);
  out.names = labels.names;
  out.label = labels.label;
  out.target = labels.target;
  const auto available = static_cast<int>(train.size()) - (same ? 1 : 0);
  out.count = std::max(0, std::min(count, available));
  const Index items = all.width == 0 ? 0 : static_cast<Index>(all.values.size()) / all.width;
  constexpr Index at_a_time = 512;  // the kernel between all items and all training items may be too large
  for (Index first = 0; first < items; first += at_a_time) {
    std::vector<std::int32_t> rows(static_cast<std::size_t>(std::min(at_a_time, items - first)));
    std::iota(rows.begin(), rows.end(), static_cast<std::int32_t>(first));
    const Dense kernel = multiply(unit_rows(all, rows), of_training, Op::none, Op::transpose);
    for (Index r = 0; r < kernel.rows; ++r) {
      std::vector<std::int32_t> order;
      for (std::size_t k = 0; k < train.size(); ++k) {
        if (!same || train[k] != rows[static_cast<std::size_t>(r)])
          order.push_back(static_cast<std::int32_t>(k));
      }
      const auto middle = order.begin() + std::min<std::ptrdiff_t>(out.count, std::ssize(order));
      std::partial_sort(order.begin(), middle, order.end(), [&](auto a, auto b) {
        return kernel(r, a) > kernel(r, b) || (kernel(r, a) == kernel(r, b) && a < b);
      });
      for (int k = 0; k < out.count; ++k) {
        const auto at = static_cast<std::size_t>(order[static_cast<std::size_t>(k)]);
        out.item.push_back(train[at]);
        out.similarity.push_back(kernel(r, order[static_cast<std::size_t>(k)]));
      }
    }
  }
  return out;
}

}  // namespace gdkm
