#include "gdkm/dataset/feature_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/dataset/align_tables.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

using Kind = FeatureColumns::Kind;

std::string counted(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "1 node label and 3 attributes".
std::string in_words(const FeatureColumns& columns) {
  if (columns.kind == Kind::nodes) return "no features but themselves";
  if (columns.has_names()) return fmt::format("a table of {} columns", columns.table.size());
  if (columns.kind == Kind::degrees) return "no node labels or attributes, only degrees";
  const auto attributes = static_cast<std::size_t>(columns.attributes);
  if (columns.values.empty()) return "no node labels and " + counted(attributes, "attribute");
  const std::string labels = counted(columns.values.size(), "node label");
  return attributes == 0 ? labels : labels + " and " + counted(attributes, "attribute");
}

/// The known values, shortened to fit a line.
std::string listed(const std::vector<std::int32_t>& values) {
  constexpr std::size_t shown = 12;
  const std::vector<std::int32_t> first(
      values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(shown, values.size())));
  return fmt::format("{}{}", fmt::join(first, ", "), values.size() > shown ? ", ..." : "");
}

/// For each column of `from` the column of `to` with the same meaning, or -1.
std::vector<std::int32_t> places(const FeatureColumns& from, const FeatureColumns& to) {
  std::vector<std::int32_t> out;
  std::int32_t first = 0;
  for (std::size_t block = 0; block < from.values.size(); ++block) {
    const auto& known = to.values[block];
    for (const auto value : from.values[block]) {
      const auto at = std::lower_bound(known.begin(), known.end(), value);
      const bool is_known = at != known.end() && *at == value;
      out.push_back(is_known ? first + static_cast<std::int32_t>(at - known.begin()) : -1);
    }
    first += static_cast<std::int32_t>(known.size());
  }
  for (Index c = 0; c < from.attributes; ++c) out.push_back(first + static_cast<std::int32_t>(c));
  return out;
}

[[noreturn]] void fail_unknown(const FeatureColumns& from, const FeatureColumns& to, Index column) {
  std::size_t block = 0;
  for (; column >= static_cast<Index>(from.values[block].size()); ++block)
    column -= static_cast<Index>(from.values[block].size());
  const std::string what =
      from.kind == Kind::degrees
          ? "degree"
          : (from.values.size() == 1 ? "node label" : fmt::format("column {}, node label", block + 1));
  refuse(
      "{}: {} {} does not occur in the training data, which has {}; remove those graphs, or train on data "
      "that contains it",
      from.where, what, from.values[block][static_cast<std::size_t>(column)], listed(to.values[block]));
}

}  // namespace

Index FeatureColumns::one_hots() const {
  Index out = 0;
  for (const auto& list : values) out += static_cast<Index>(list.size());
  return out;
}

Features align(const Features& features, const FeatureColumns& from, const FeatureColumns& to,
               const AlignmentNotes& notes) {
  if (to.has_names() && from.kind == Kind::unknown && notes.remarks != nullptr && features.cols == to.width())
    notes.remarks->emplace_back(
        "the columns of the data have no names: they are taken to be the model's, in its order");
  if (from.kind == Kind::unknown || to.kind == Kind::unknown) return features;
  const bool of_nodes = from.kind == Kind::nodes || to.kind == Kind::nodes;
  if (from.has_names() && to.has_names() && (!of_nodes || from.kind == to.kind))
    return align_tables(features, from, to, notes);
  if (from.kind != to.kind || from.values.size() != to.values.size() || from.attributes != to.attributes) {
    refuse("{}: its nodes have {}, but the training data has {}; predict on data of the same kind",
           from.where, in_words(from), in_words(to));
  }
  if (from.values == to.values) return features;
  const auto place = places(from, to);
  Csr out;
  out.rows = features.rows;
  out.cols = to.one_hots() + to.attributes;
  const auto add = [&](Index column, double value) {
    if (value == 0) return;
    const auto target = place[static_cast<std::size_t>(column)];
    if (target < 0) fail_unknown(from, to, column);
    out.col.push_back(target);
    out.value.push_back(value);
  };
  for (Index r = 0; r < features.rows; ++r) {
    if (features.is_sparse) {
      for (Index k = features.sparse.row_start[r]; k < features.sparse.row_start[r + 1]; ++k)
        add(features.sparse.col[k], features.sparse.value[k]);
    } else {
      for (Index c = 0; c < features.cols; ++c) add(c, features.dense[r * features.cols + c]);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return dense_or_sparse(std::move(out));
}

}  // namespace gdkm
