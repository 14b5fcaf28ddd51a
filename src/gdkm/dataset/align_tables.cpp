#include "gdkm/dataset/align_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

bool has_values(const TableColumn& column) {
  return column.type == ColumnType::category || column.type == ColumnType::ordinal;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 8;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(shown, names.size()));
  return fmt::format("'{}'{}", fmt::join(names.begin(), end, "', '"), names.size() > shown ? ", ..." : "");
}

std::string a_type(ColumnType type) {
  return (type == ColumnType::ordinal ? "an " : "a ") + name_of(type);
}

/// Where a column of the model is found in the data, and how its values are numbered there.
struct Match {
  const TableColumn* here = nullptr;
  Index first_here = 0;
  const TableColumn* model = nullptr;
  Index first_model = 0;
  std::vector<Index> place{};  // of values: their number in the model, or −1
  Index filled = 0;
  std::map<std::string, Index> unknown_values{};
};

/// Whether `row` has no value in a column that begins at `first`.
bool is_missing(const TableColumn& column, Index first, const std::vector<float>& row) {
  return column.has_missing && row[static_cast<std::size_t>(first + column.value_columns())] != 0;
}

/// The number of the value that a node has; −1 for none.
Index value_here(const Match& match, const std::vector<float>& row) {
  const auto at = row.begin() + match.first_here;
  if (match.here->type == ColumnType::ordinal) {
    const bool is_rank = *at >= 0 && *at < static_cast<float>(match.here->values.size());
    return is_rank ? static_cast<Index>(*at) : -1;
  }
  const auto end = at + match.here->value_columns();
  const auto hot = std::find_if(at, end, [](float value) { return value != 0; });
  return hot == end ? -1 : hot - at;
}

class TableAlignment {
 public:
  TableAlignment(const FeatureColumns& from, const FeatureColumns& to, const AlignmentNotes& notes)
      : from_(from), to_(to), notes_(notes) {
    match_names();
  }

  Features apply(const Features& x) {
    for (Match& match : matches_) check_type(match, x);
    Csr out;
    out.rows = x.rows;
    out.cols = width_of(to_.table);
    std::vector<float> row(static_cast<std::size_t>(x.cols)), aligned(static_cast<std::size_t>(out.cols));
    for (Index r = 0; r < x.rows; ++r) {
      read_row(x, r, row);
      std::fill(aligned.begin(), aligned.end(), 0.0F);
      for (Match& match : matches_) align_value(match, row, aligned);
      for (Index c = 0; c < out.cols; ++c) {
        if (aligned[c] == 0) continue;
        out.col.push_back(static_cast<std::int32_t>(c));
        out.value.push_back(aligned[c]);
      }
      out.row_start.push_back(out.nonzeros());
    }
    if (to_.kind == FeatureColumns::Kind::nodes) check_nodes();
    tell();
    return dense_or_sparse(std::move(out));
  }

 private:
  void match_names() {
    std::map<std::string, std::pair<const TableColumn*, Index>> here;
    Index first = 0;
    for (const TableColumn& column : from_.table) {
      here[column.name] = {&column, first};
      first += column.width();
    }
    std::vector<std::string> absent;
    first = 0;
    for (const TableColumn& column : to_.table) {
      if (const auto at = here.find(column.name); at != here.end()) {
        matches_.push_back({at->second.first, at->second.second, &column, first});
        here.erase(at);
      } else {
        absent.push_back(column.name);
      }
      first += column.width();
    }
    if (!absent.empty()) {
      std::vector<std::string> names;
      for (const TableColumn& column : from_.table) names.push_back(column.name);
      refuse("{}: the model needs the column{} {}, and this table has {}; add what is missing, or rename it",
             from_.where.empty() ? "the table" : from_.where, absent.size() == 1 ? "" : "s", listed(absent),
             listed(names));
    }
    for (const auto& [name, column] : here) not_used_.push_back(name);
  }

  void check_type(Match& match, const Features& x) const {
    const TableColumn &here = *match.here, &model = *match.model;
    if (has_values(here) && has_values(model)) {
      for (const std::string& value : here.values) {
        const auto at = std::find(model.values.begin(), model.values.end(), value);
        match.place.push_back(at == model.values.end() ? -1 : at - model.values.begin());
      }
    } else if (here.type != model.type && !(model.type == ColumnType::flag && is_0_or_1(match, x))) {
      refuse("{}: the column '{}' is {} here and {} in the model; give it the same type, by import with {}",
             from_.where.empty() ? "the table" : from_.where, here.name, a_type(here.type),
             a_type(model.type), option("like", "MODEL"));
    }
  }

  /// Numbers 0 and 1 may be flags.
  static bool is_0_or_1(const Match& match, const Features& x) {
    if (match.here->type != ColumnType::number) return false;
    std::vector<float> row(static_cast<std::size_t>(x.cols));
    for (Index r = 0; r < x.rows; ++r) {
      read_row(x, r, row);
      const float value = row[match.first_here];
      if (!is_missing(*match.here, match.first_here, row) && value != 0 && value != 1) return false;
    }
    return true;
  }

  static void read_row(const Features& x, Index r, std::vector<float>& row) {
    if (!x.is_sparse) {
      std::copy_n(x.dense.begin() + r * x.cols, x.cols, row.begin());
      return;
    }
    std::fill(row.begin(), row.end(), 0.0F);
    for (Index k = x.sparse.row_start[r]; k < x.sparse.row_start[r + 1]; ++k)
      row[x.sparse.col[k]] = static_cast<float>(x.sparse.value[k]);
  }

  void align_value(Match& match, const std::vector<float>& row, std::vector<float>& out) const {
    const TableColumn& model = *match.model;
    if (is_missing(*match.here, match.first_here, row)) return set_missing(match, row, out);
    if (!has_values(model)) {
      out[match.first_model] = row[match.first_here];
      return;
    }
    const Index value = value_here(match, row);
    const Index place = value < 0 ? -1 : match.place[static_cast<std::size_t>(value)];
    if (place < 0) {
      if (value >= 0) ++match.unknown_values[match.here->values[static_cast<std::size_t>(value)]];
      return set_missing(match, row, out);
    }
    if (model.type == ColumnType::category) {
      out[match.first_model + place] = 1;
    } else {
      out[match.first_model] = static_cast<float>(place);
    }
  }

  void set_missing(Match& match, const std::vector<float>& row, std::vector<float>& out) const {
    const TableColumn& model = *match.model;
    ++match.filled;
    if (model.has_missing) out[match.first_model + model.value_columns()] = 1;
    for (Index c = match.first_model; c < match.first_model + model.value_columns(); ++c) {
      if (notes_.fill != nullptr) {
        out[c] = static_cast<float>((*notes_.fill)[static_cast<std::size_t>(c)]);
      } else if (model.type == ColumnType::number) {
        out[c] = row[match.first_here];
      }
    }
  }

  /// Nodes without features are known by their names alone.
  void check_nodes() const {
    const auto& unknown = matches_.front().unknown_values;
    if (unknown.empty()) return;
    refuse(
        "{}: the nodes have no features, and the model does not know the node '{}'{}; it predicts for the "
        "nodes that it was trained on",
        from_.where.empty() ? "the graph" : from_.where, unknown.begin()->first,
        unknown.size() > 1 ? fmt::format(" and {} more", unknown.size() - 1) : "");
  }

  void tell() const {
    if (notes_.remarks == nullptr) return;
    if (!not_used_.empty())
      notes_.remarks->push_back(fmt::format("the model does not know the column{} {}: not used",
                                            not_used_.size() == 1 ? "" : "s", listed(not_used_)));
    for (const Match& match : matches_) {
      for (const auto& [value, nodes] : match.unknown_values)
        notes_.remarks->push_back(
            fmt::format("column '{}': the training data has no '{}', which counts as missing ({} node{})",
                        match.model->name, value, nodes, nodes == 1 ? "" : "s"));
      if (match.filled > 0 && !match.model->has_missing && match.unknown_values.empty())
        notes_.remarks->push_back(fmt::format(
            "column '{}': {} node{} without a value, which no training node was; {} stands for it",
            match.model->name, match.filled, match.filled == 1 ? "" : "s",
            notes_.fill != nullptr ? "the training data's mean" : "the mean"));
    }
  }

  const FeatureColumns &from_, &to_;
  const AlignmentNotes& notes_;
  std::vector<Match> matches_;
  std::vector<std::string> not_used_;
};

}  // namespace

Features align_tables(const Features& features, const FeatureColumns& from, const FeatureColumns& to,
                      const AlignmentNotes& notes) {
  if (from.table == to.table) return features;
  return TableAlignment(from, to, notes).apply(features);
}

}  // namespace gdkm
