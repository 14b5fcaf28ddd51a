#include "gdkm/data/formats/tu/tu_parts.hpp"

#include <algorithm>
#include <limits>

#include "gdkm/data/formats/shared/default_features.hpp"
#include "gdkm/data/formats/shared/number_lines.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

template <class T>
NumberTable<T> read_table(const FileTree& files, const std::string& name, Index nodes, ThreadPool& pool,
                          const char* what) {
  const auto found = files.find(name);
  if (!found) return {};
  Text text = files.read(*found);
  refuse_blank_lines(text, what);
  auto out = read_number_table<T>(std::move(text), pool, what);
  if (out.rows == nodes) return out;
  refuse("{}: has {} lines, but there are {} nodes; give one line per node", files.where(*found), out.rows,
         nodes);
}

/// Replaces the values of each column by their ranks and returns the distinct values.
std::vector<std::vector<std::int32_t>> rank_columns(NumberTable<std::int32_t>& table) {
  std::vector<std::vector<std::int32_t>> out;
  for (Index c = 0; c < table.cols; ++c) {
    std::vector<std::int32_t> values(static_cast<std::size_t>(table.rows));
    const auto at = [&](Index r) -> std::int32_t& {
      return table.value[static_cast<std::size_t>(r * table.cols + c)];
    };
    for (Index r = 0; r < table.rows; ++r) values[static_cast<std::size_t>(r)] = at(r);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    for (Index r = 0; r < table.rows; ++r) {
      at(r) =
          static_cast<std::int32_t>(std::lower_bound(values.begin(), values.end(), at(r)) - values.begin());
    }
    out.push_back(std::move(values));
  }
  return out;
}

/// One-hots of `ranks`, column by column, then `attributes`.
Csr side_by_side(const NumberTable<std::int32_t>& ranks, const std::vector<std::vector<std::int32_t>>& values,
                 const NumberTable<float>& attributes, Index nodes) {
  Csr out;
  out.rows = nodes;
  out.row_start.reserve(static_cast<std::size_t>(nodes) + 1);
  std::vector<Index> offset;
  for (const auto& list : values) {
    offset.push_back(out.cols);
    out.cols += static_cast<Index>(list.size());
  }
  const Index first_attribute = out.cols;
  out.cols += attributes.cols;
  const auto add = [&](Index column, double value) {
    out.col.push_back(static_cast<std::int32_t>(column));
    out.value.push_back(value);
  };
  for (Index r = 0; r < nodes; ++r) {
    for (Index c = 0; c < ranks.cols; ++c) {
      add(offset[static_cast<std::size_t>(c)] + ranks.value[static_cast<std::size_t>(r * ranks.cols + c)], 1);
    }
    for (Index c = 0; c < attributes.cols; ++c) {
      const float value = attributes.value[static_cast<std::size_t>(r * attributes.cols + c)];
      if (value != 0) add(first_attribute + c, value);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

}  // namespace

TuFeatures read_tu_features(const FileTree& files, const std::string& prefix, const Graph& graph,
                            ThreadPool& pool) {
  const std::string label_file = prefix + "_node_labels.txt",
                    attribute_file = prefix + "_node_attributes.txt";
  auto labels = read_table<std::int32_t>(files, label_file, graph.nodes, pool, "a node label");
  const auto attributes = read_table<float>(files, attribute_file, graph.nodes, pool, "an attribute");
  TuFeatures out;
  if (labels.cols == 0 && attributes.cols == 0) {
    set_degree_features(files.path().string(), graph, out.features, out.columns);
    return out;
  }
  out.columns = {FeatureColumns::Kind::labels, rank_columns(labels), attributes.cols,
                 files.where(*files.find(labels.cols > 0 ? label_file : attribute_file))};
  const Index cols = out.columns.one_hots() + attributes.cols;
  if (cols > std::numeric_limits<std::int32_t>::max()) {
    refuse("{}: node labels and attributes make {} features, the limit is {}; use fewer labels",
           files.path().string(), cols, std::numeric_limits<std::int32_t>::max());
  }
  out.features = dense_or_sparse(side_by_side(labels, out.columns.values, attributes, graph.nodes));
  if (labels.cols == 1) out.kind = std::move(labels.value);
  return out;
}

}  // namespace gdkm
