#include "gdkm/data/formats/tu/tu_splits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/data/formats/shared/number_lines.hpp"
#include "gdkm/data/formats/shared/numpy_random.hpp"
#include "gdkm/data/formats/tu/errica_splits.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr int published_folds = 10;
using Folds = std::vector<std::int32_t>;

Folds read_fold_file(const Text& text, std::size_t graphs, ThreadPool& pool) {
  refuse_blank_lines(text, "a fold");
  Folds out = read_integer_lines(text, pool, "a fold", -1, published_folds - 1);
  if (out.size() == graphs) return out;
  refuse("{}: has {} lines, but there are {} graphs; give one fold per graph, -1 for none", text.where,
         out.size(), graphs);
}

std::string test_file(int fold) {
  return fmt::format("10fold_idx/test_idx-{}.txt", fold + 1);
}

Folds read_test_files(const FileTree& files, std::size_t graphs, ThreadPool& pool) {
  Folds out(graphs, -1);
  for (int fold = 0; fold < published_folds; ++fold) {
    const Text text = files.read_required(test_file(fold));
    const auto last = static_cast<std::int32_t>(graphs) - 1;
    for (const auto graph : read_integer_lines(text, pool, "a graph number", 0, last)) {
      auto& mine = out[static_cast<std::size_t>(graph)];
      if (mine != -1)
        refuse("{}: graph {} is also in test_idx-{}.txt; keep it in one fold", text.where, graph, mine + 1);
      mine = fold;
    }
  }
  return out;
}

std::vector<Split> rotate(const Folds& fold_of, int folds, const std::string& where) {
  std::vector<Split> out(static_cast<std::size_t>(folds));
  for (int k = 0; k < folds; ++k) {
    Split& split = out[static_cast<std::size_t>(k)];
    for (std::size_t g = 0; g < fold_of.size(); ++g) {
      const bool tests = fold_of[g] == k, validates = fold_of[g] == (k + 1) % folds;
      (tests ? split.test : validates ? split.val : split.train).push_back(static_cast<std::int32_t>(g));
    }
    if (split.test.empty())
      refuse("{}: fold {} is empty; use all folds 0..{} or remove the file", where, k, folds - 1);
    if (split.train.empty())
      refuse("{}: fold {} leaves no graph to train on; distribute the graphs over the folds", where, k);
  }
  return out;
}

std::size_t unknown(const std::vector<std::int32_t>& label) {
  return static_cast<std::size_t>(std::count(label.begin(), label.end(), -1));
}

/// Removes graphs without a class from the splits.
void leave_out_unknown(const std::vector<std::int32_t>& label, const std::string& where,
                       std::vector<Split>& splits) {
  for (std::size_t s = 0; s < splits.size(); ++s) {
    for (auto* part : {&splits[s].train, &splits[s].val, &splits[s].test})
      std::erase_if(*part, [&](std::int32_t graph) { return label[static_cast<std::size_t>(graph)] < 0; });
    if (splits[s].train.empty())
      refuse("{}: no training graph of split {} has a class; add classes or remove the splits", where, s);
  }
}

std::vector<Split> read_public(const FileTree& files, const std::string& prefix,
                               const std::vector<std::int32_t>& label, ThreadPool& pool) {
  const std::string name = prefix + "_folds10.txt";
  if (const auto found = files.find(name)) {
    return rotate(read_fold_file(files.read(*found), label.size(), pool), published_folds,
                  files.where(*found));
  }
  if (const auto found = files.find(test_file(0))) {
    return rotate(read_test_files(files, label.size(), pool), published_folds, files.where("10fold_idx"));
  }
  const auto known = label.size() - unknown(label);
  const int folds = static_cast<int>(std::min<std::size_t>(published_folds, known));
  if (folds < 3) return {};
  return rotate(stratified_folds(label, folds), folds, files.where(name));
}

}  // namespace

std::vector<std::int32_t> stratified_folds(const std::vector<std::int32_t>& label, int folds) {
  std::map<std::int32_t, std::vector<std::size_t>> members;
  for (std::size_t g = 0; g < label.size(); ++g) {
    if (label[g] >= 0) members[label[g]].push_back(g);
  }
  NumpyRandomState random(0);
  Folds out(label.size(), -1);
  int turn = 0;
  for (const auto& [label_of_class, graphs] : members) {
    for (const auto k : random.permutation(static_cast<std::int64_t>(graphs.size()))) {
      out[graphs[static_cast<std::size_t>(k)]] = turn;
      turn = (turn + 1) % folds;
    }
  }
  return out;
}

std::map<std::string, std::vector<Split>> read_tu_splits(const FileTree& files, const std::string& prefix,
                                                         const std::vector<std::int32_t>& label,
                                                         ThreadPool& pool) {
  std::map<std::string, std::vector<Split>> out;
  if (unknown(label) == label.size()) return out;
  auto folds = read_public(files, prefix, label, pool);
  if (!folds.empty()) out["public"] = std::move(folds);
  for (const char* ending : {"_splits.json", "_full_splits.json"}) {
    const auto found = files.find(prefix + ending);
    if (!found) continue;
    out["errica"] = read_errica_splits(files.read(*found), label.size());
    break;
  }
  for (auto& [name, set] : out)
    leave_out_unknown(label, fmt::format("{}: splits '{}'", files.path().string(), name), set);
  return out;
}

}  // namespace gdkm
