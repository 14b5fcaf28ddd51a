#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gdkm/dataset/feature_columns.hpp"

namespace gdkm {

/// How feature columns are standardised: x becomes (x − mean)·scale. What belongs together (the columns of a
/// category) has one scale. A constant column follows, without which a kernel could put no threshold anywhere
/// but at the mean, and a node at the mean of everything would have no features. The mean square of a row is
/// 1, of which the constant has half: the linear kernel is that of unit variances divided by their number.
struct ColumnScales {
  std::vector<double> mean, scale;

  bool operator==(const ColumnScales&) const = default;
};

/// Measured on `rows`, or on all of them where none are named. Missing values do not count. Sparse features
/// that are too wide to become dense are scaled by their root mean square and keep their zeros.
ColumnScales column_scales(const Features& x, const FeatureColumns& columns,
                           std::span<const std::int32_t> rows = {});

/// The standardised features, and the constant behind them. Missing values become the mean.
Features standardise(Features x, const FeatureColumns& columns, const ColumnScales& scales);

}  // namespace gdkm
