#include "gdkm/fitting/choose_splits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/dataset/shuffle.hpp"
#include "gdkm/dataset/split_spec.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

std::vector<Split> whole_splits(const SplitOptions& options, const Dataset& dataset) {
  constexpr int usual_count = 10;  // of random splits, where all are asked for
  const int drawn = options.count == 0 ? usual_count : options.count;
  if (std::all_of(dataset.label.begin(), dataset.label.end(), [](std::int32_t label) { return label < 0; })) {
    throw InputError(
        dataset.name +
        (dataset.task == Task::graph
             ? ": no graph has a class; give one to those to train on, in the file ..._graph_labels.txt"
             : ": no node has a label; label the nodes to train on"));
  }
  if (options.random) return make_splits(*options.random, dataset.label, options.seed, drawn);
  std::vector<Split> splits;
  const auto found = dataset.splits.find(options.set);
  if (found != dataset.splits.end()) {
    splits = found->second;
  } else if (dataset.splits.empty() && options.set == "public") {
    splits = random_splits(dataset.label, 0.6, 0.2, drawn, 0);
  } else {
    std::string names;
    for (const auto& [name, set] : dataset.splits) names += (names.empty() ? "" : ", ") + name;
    throw OptionError("split_set", options.set, dataset.name + " has no such splits",
                      "it has " + (names.empty() ? "none" : names));
  }
  if (options.count > static_cast<int>(splits.size())) {
    throw OptionError("splits", std::to_string(options.count),
                      fmt::format("{} has {} in the set '{}'", dataset.name, splits.size(), options.set),
                      "ask for at most that many, or 'all'");
  }
  if (options.count > 0) splits.resize(static_cast<std::size_t>(options.count));
  return splits;
}

}  // namespace

std::vector<Split> choose_splits(const SplitOptions& options, const Dataset& dataset) {
  std::vector<Split> splits = whole_splits(options, dataset);
  if (options.conformal > 0) {
    for (std::size_t s = 0; s < splits.size(); ++s)
      splits[s] = keep_apart(std::move(splits[s]), options.conformal, options.seed + s);
  }
  return splits;
}

Split keep_apart(Split split, double share, std::uint64_t seed) {
  const auto count = static_cast<std::size_t>(share * static_cast<double>(split.val.size()) + 0.5);
  if (count == 0 || count >= split.val.size())
    throw OptionError(
        "conformal", fmt::format("{}", share),
        fmt::format("of {} validation items {} would be kept apart, and some must be on each side",
                    split.val.size(), count),
        "give a split with more of them, or leave it out");
  Random random(Stream{seed, Purpose::split, 1u << 30});
  shuffle(split.val, random);
  const auto end = split.val.end() - static_cast<std::ptrdiff_t>(count);
  split.conformal.assign(end, split.val.end());
  split.val.erase(end, split.val.end());
  std::sort(split.val.begin(), split.val.end());
  std::sort(split.conformal.begin(), split.conformal.end());
  return split;
}

Split choose_split(SplitOptions options, int index, const Dataset& dataset) {
  options.count = index + 1;
  return choose_splits(options, dataset).at(static_cast<std::size_t>(index));
}

}  // namespace gdkm
