#include "gdkm/data/formats/tu/tu_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gdkm/data/formats/shared/number_lines.hpp"
#include "gdkm/data/formats/shared/numpy_random.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

using Json = nlohmann::json;

Json parse(const Text& text) {
  constexpr int deepest = 6;  // more than the format has
  bool is_too_deep = false;
  const auto watch = [&](int depth, Json::parse_event_t, Json&) {
    is_too_deep = is_too_deep || depth > deepest;
    return !is_too_deep;
  };
  Json out = Json::parse(text.bytes, watch, /*allow_exceptions=*/false);
  if (out.is_discarded() || is_too_deep || !out.is_array() || out.empty())
    refuse(text.where + ": is not a JSON list of splits, or is cut short; fetch it again");
  return out;
}

std::vector<std::int32_t> numbers(const Json& object, const char* key, const std::string& where) {
  const auto fail = [&] {
    refuse("{}: '{}' is not a list of graph numbers; fetch the file again", where, key);
  };
  if (!object.is_object() || !object.contains(key) || !object[key].is_array()) fail();
  std::vector<std::int32_t> out;
  for (const Json& item : object[key]) {
    if (!item.is_number_unsigned() || item.get<std::uint64_t>() > INT32_MAX) fail();
    out.push_back(item.get<std::int32_t>());
  }
  return out;
}

/// Sorts the parts. Graphs must exist and occur once, and the training part must not be empty.
void check(Split& split, const std::string& where, std::size_t graphs) {
  std::vector<bool> seen(graphs, false);
  for (auto* part : {&split.train, &split.val, &split.test}) {
    for (const auto graph : *part) {
      const auto at = static_cast<std::size_t>(graph);
      if (at >= graphs) {
        refuse("{}: refers to graph {}, but graphs are numbered 0..{}; use the splits of this data set",
               where, graph, graphs - 1);
      }
      if (seen[at]) refuse("{}: graph {} occurs twice; keep it in one part", where, graph);
      seen[at] = true;
    }
    std::sort(part->begin(), part->end());
  }
  if (split.train.empty()) refuse(where + ": has no training graphs; add some or remove the split");
}

/// Splits as Errica et al. publish them ("A fair comparison of graph neural networks"): a JSON list of
/// objects with `test` and, in the first entry of `model_selection`, `train` and `validation`. Graph numbers
/// start at 0.
std::vector<Split> read_errica_splits(const Text& text, std::size_t graphs) {
  std::vector<Split> out;
  for (const Json& fold : parse(text)) {
    const std::string where = fmt::format("{}: split {}", text.where, out.size());
    const bool has_selection = fold.is_object() && fold.contains("model_selection") &&
                               fold["model_selection"].is_array() && !fold["model_selection"].empty();
    if (!has_selection) refuse(where + ": has no list 'model_selection'; fetch the file again");
    const Json& selection = fold["model_selection"][0];
    Split split{numbers(selection, "train", where), numbers(selection, "validation", where),
                numbers(fold, "test", where)};
    check(split, where, graphs);
    out.push_back(std::move(split));
  }
  return out;
}

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

/// A fold for each graph with a class, −1 for the others. The graphs of each class, in ascending order of the
/// classes, are permuted by one NumPy RandomState(0) and dealt to the folds in turn; the turn continues from
/// class to class.
Folds stratified_folds(const std::vector<std::int32_t>& label, int folds) {
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
