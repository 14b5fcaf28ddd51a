#include "gdkm/training/choose_splits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/dataset/random_splits.hpp"
#include "gdkm/dataset/split_spec.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

std::vector<Split> choose_splits(const Settings& settings, const Dataset& dataset) {
  if (std::all_of(dataset.label.begin(), dataset.label.end(), [](std::int32_t label) { return label < 0; })) {
    throw InputError(dataset.name +
                     (dataset.task == Task::graph
                          ? ": no graph has a class; give one to those to train on, in DS_graph_labels.txt"
                          : ": no node has a label; label the nodes to train on"));
  }
  std::vector<Split> splits;
  const auto found = dataset.splits.find(settings.split_set);
  if (!settings.split.empty()) {
    return make_splits(parse_split_spec(settings.split), dataset.label, settings.split_seed,
                       settings.splits == 0 ? 10 : settings.splits);
  }
  if (found != dataset.splits.end()) {
    splits = found->second;
  } else if (dataset.splits.empty() && settings.split_set == "public") {
    splits = random_splits(dataset.label, 0.6, 0.2, settings.splits == 0 ? 10 : settings.splits, 0);
  } else {
    std::string names;
    for (const auto& [name, set] : dataset.splits) names += (names.empty() ? "" : ", ") + name;
    throw InputError(fmt::format("--split-set {}: {} has no such splits; it has {}", settings.split_set,
                                 dataset.name, names.empty() ? "none" : names));
  }
  if (settings.splits > static_cast<int>(splits.size())) {
    throw InputError(
        fmt::format("--splits {}: {} has {} in the set '{}'; ask for at most that many, or 'all'",
                    settings.splits, dataset.name, splits.size(), settings.split_set));
  }
  if (settings.splits > 0) splits.resize(static_cast<std::size_t>(settings.splits));
  return splits;
}

}  // namespace gdkm
