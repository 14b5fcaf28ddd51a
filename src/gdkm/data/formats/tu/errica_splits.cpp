#include "gdkm/data/formats/tu/errica_splits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

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

}  // namespace

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

}  // namespace gdkm
