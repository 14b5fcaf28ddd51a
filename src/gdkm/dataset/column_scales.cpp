#include "gdkm/dataset/column_scales.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gdkm/graph/feature_forms.hpp"

namespace gdkm {
namespace {

/// Feature columns that have one scale.
struct Block {
  Index first = 0, count = 1;
  Index missing = -1;      // the column that says where these are missing, if there is one
  bool is_binary = false;  // 0 or 1, whose deviation is small where one of them is rare
};

void add_table(const FeatureColumns& columns, std::vector<Block>& out) {
  Index first = 0;
  for (const TableColumn& column : columns.table) {
    const Index values = column.value_columns();
    const bool is_binary = column.type == ColumnType::flag || column.type == ColumnType::category;
    const bool leaves_out = column.has_missing && !columns.are_pooled;
    out.push_back({first, values, leaves_out ? first + values : -1, is_binary});
    if (column.has_missing) out.push_back({first + values, 1, -1, true});
    first += column.width();
  }
}

/// Columns without a description are by themselves; those behind described ones are one-hots of degrees,
/// which preprocessing adds.
std::vector<Block> blocks_of(const FeatureColumns& columns, Index count) {
  std::vector<Block> out;
  add_table(columns, out);
  Index next = width_of(columns.table);
  for (const auto& values : columns.values) {
    out.push_back({next, static_cast<Index>(values.size()), -1, true});
    next += out.back().count;
  }
  const bool described = columns.kind != FeatureColumns::Kind::unknown;
  const Index end = described ? next + columns.attributes : count;
  for (; next < end; ++next) out.push_back({next, 1, -1, false});
  if (next < count) out.push_back({next, count - next, -1, true});
  out.erase(std::remove_if(out.begin(), out.end(), [](const Block& block) { return block.count == 0; }),
            out.end());
  return out;
}

bool becomes_dense(const Features& x) {
  constexpr Index narrow = 1024;
  return x.is_sparse && x.cols <= narrow;
}

bool is_missing(const Features& x, const Block& block, Index row) {
  return block.missing >= 0 && x.dense[static_cast<std::size_t>(row * x.cols + block.missing)] != 0;
}

std::vector<std::int32_t> rows_or_all(std::span<const std::int32_t> rows, Index count) {
  std::vector<std::int32_t> out(rows.begin(), rows.end());
  if (!out.empty()) return out;
  for (Index r = 0; r < count; ++r) out.push_back(static_cast<std::int32_t>(r));
  return out;
}

/// Half of the mean square of a row.
const double constant = std::sqrt(0.5);

/// Of sparse features.
Features with_constant(const Features& x) {
  Features one{x.rows, 1, true, {}, {}};
  one.sparse.rows = x.rows;
  one.sparse.cols = 1;
  one.sparse.col.assign(static_cast<std::size_t>(x.rows), 0);
  one.sparse.value.assign(static_cast<std::size_t>(x.rows), constant);
  for (Index r = 1; r <= x.rows; ++r) one.sparse.row_start.push_back(r);
  return side_by_side({x, one});
}

/// Means go to `scales`; returns the sum of the columns' variances.
double measure(const Features& x, const Block& block, const std::vector<std::int32_t>& rows,
               ColumnScales& scales) {
  Index known = 0;
  for (const auto r : rows) {
    if (is_missing(x, block, r)) continue;
    ++known;
    for (Index c = block.first; c < block.first + block.count; ++c) scales.mean[c] += x.dense[r * x.cols + c];
  }
  if (known == 0) return 0;
  for (Index c = block.first; c < block.first + block.count; ++c)
    scales.mean[c] /= static_cast<double>(known);
  double squares = 0;
  for (const auto r : rows) {
    if (is_missing(x, block, r)) continue;
    for (Index c = block.first; c < block.first + block.count; ++c) {
      const double away = x.dense[r * x.cols + c] - scales.mean[c];
      squares += away * away;
    }
  }
  return squares / static_cast<double>(known);
}

/// Of sparse features: means stay 0, and the second moment takes the variance's place.
std::vector<double> second_moments(const Csr& x, const std::vector<std::int32_t>& rows) {
  std::vector<double> out(static_cast<std::size_t>(x.cols), 0.0);
  for (const auto r : rows) {
    for (Index k = x.row_start[r]; k < x.row_start[r + std::size_t{1}]; ++k)
      out[x.col[k]] += x.value[k] * x.value[k] / static_cast<double>(rows.size());
  }
  return out;
}

}  // namespace

ColumnScales column_scales(const Features& x, const FeatureColumns& columns,
                           std::span<const std::int32_t> rows) {
  if (becomes_dense(x)) return column_scales(dense_features(x.sparse), columns, rows);
  ColumnScales out{std::vector<double>(static_cast<std::size_t>(x.cols), 0.0),
                   std::vector<double>(static_cast<std::size_t>(x.cols), 0.0)};
  const auto measured = rows_or_all(rows, x.rows);
  const auto blocks = blocks_of(columns, x.cols);
  const auto moments = x.is_sparse ? second_moments(x.sparse, measured) : std::vector<double>();
  constexpr double rare = 0.2;  // a rare flag does not drown the rest
  Index varying = 0;
  for (const Block& block : blocks) {
    double variance = 0;
    if (x.is_sparse) {
      for (Index c = block.first; c < block.first + block.count; ++c) variance += moments[c];
    } else {
      variance = measure(x, block, measured, out);
    }
    double largest = 0;
    for (Index c = block.first; c < block.first + block.count; ++c)
      largest = std::max(largest, std::fabs(out.mean[c]));
    // What float32 cannot tell from a constant is one.
    if (!(std::sqrt(variance) > 1e-6 * largest)) continue;
    ++varying;
    const double deviation = block.is_binary ? std::max(rare, std::sqrt(variance)) : std::sqrt(variance);
    for (Index c = block.first; c < block.first + block.count; ++c) out.scale[c] = 1 / deviation;
  }
  for (double& scale : out.scale)
    scale *= constant / std::sqrt(static_cast<double>(std::max<Index>(1, varying)));
  return out;
}

Features standardise(Features x, const FeatureColumns& columns, const ColumnScales& scales) {
  assert(static_cast<Index>(scales.mean.size()) == x.cols && scales.scale.size() == scales.mean.size());
  if (becomes_dense(x)) x = dense_features(x.sparse);
  if (x.is_sparse) {
    for (std::size_t k = 0; k < x.sparse.col.size(); ++k) x.sparse.value[k] *= scales.scale[x.sparse.col[k]];
    return with_constant(x);
  }
  // Row by row into the result, which has one column more: neither copies nor changes x.
  const Features& from = x;
  Features out{x.rows, x.cols + 1, false, {}, {}};
  std::vector<float>& to = out.dense.edit();
  to.resize(static_cast<std::size_t>(out.rows * out.cols));
  const std::vector<Block> blocks = blocks_of(columns, x.cols);
  for (Index r = 0; r < x.rows; ++r) {
    float* row = to.data() + r * out.cols;
    std::copy_n(from.dense.data() + r * x.cols, x.cols, row);
    for (const Block& block : blocks) {
      if (block.missing < 0 || !is_missing(from, block, r)) continue;
      for (Index c = block.first; c < block.first + block.count; ++c)
        row[c] = static_cast<float>(scales.mean[c]);
    }
    for (Index c = 0; c < x.cols; ++c)
      row[c] = static_cast<float>((static_cast<double>(row[c]) - scales.mean[c]) * scales.scale[c]);
    row[x.cols] = static_cast<float>(constant);
  }
  return out;
}

}  // namespace gdkm
