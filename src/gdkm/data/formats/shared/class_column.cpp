#include "gdkm/data/formats/shared/class_column.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "gdkm/data/formats/shared/text_field.hpp"

namespace gdkm {
namespace {

/// The most telling first. The first `telling` of them would give the class away.
constexpr std::array<std::string_view, 15> names{
    "label",      "class",        "y",    "target",   "labels", "classes",   "targets", "node_label",
    "node_class", "ground_truth", "club", "category", "group",  "community", "team"};
constexpr std::ptrdiff_t telling = 10;

std::ptrdiff_t rank_of(const std::string& name) {
  return std::find(names.begin(), names.end(), lower_case(name)) - names.begin();
}

bool repeats(const ColumnEvidence& e) {
  const auto values = static_cast<Index>(e.values().size());
  return e.style().as_text && e.has_all_values() && values >= 2 && e.is_whole() && 2 * values <= e.known();
}

}  // namespace

bool is_named_like_class(const std::string& name) {
  return rank_of(name) < static_cast<std::ptrdiff_t>(names.size());
}

bool gives_class_away(const std::string& name) {
  return rank_of(name) < telling;
}

std::optional<std::size_t> guess_class(const std::vector<FoundColumn>& found) {
  std::optional<std::size_t> out;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!is_named_like_class(found[k].name) || !repeats(found[k].evidence)) continue;
    if (!out || rank_of(found[k].name) < rank_of(found[*out].name)) out = k;
  }
  return out;
}

}  // namespace gdkm
