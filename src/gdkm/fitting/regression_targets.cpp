#include "gdkm/fitting/regression_targets.hpp"

#include "gdkm/models/exact/gp_regression.hpp"

namespace gdkm {

Dense targets_of(const Problem& problem, const std::vector<std::int32_t>& items) {
  if (!problem.is_regression()) return one_hot(problem.label, items, problem.classes);
  Dense out(static_cast<Index>(items.size()), problem.targets);
  for (std::size_t k = 0; k < items.size(); ++k) {
    for (int c = 0; c < problem.targets; ++c) {
      out(static_cast<Index>(k), c) = static_cast<double>(
          problem.target[static_cast<std::size_t>(items[k]) * static_cast<std::size_t>(problem.targets) +
                         static_cast<std::size_t>(c)]);
    }
  }
  return out;
}

std::vector<std::int32_t> calibration_items(Inference inference, const Problem& problem, const Split& split) {
  if (inference != Inference::natural || problem.is_regression()) return {};
  return labelled(problem, split.val);
}

}  // namespace gdkm
