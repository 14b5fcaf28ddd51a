#pragma once

#include <string_view>
#include <vector>

#include "gdkm/linalg/csr.hpp"
#include "gdkm/support/enum_names.hpp"
#include "gdkm/support/shared_vector.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

/// standard: columns have mean 0 and variance 1. automatic: standard for a table whose columns have types, l2
/// for all else.
enum class Normalisation { automatic, standard, l2, sum, none };

template <>
struct EnumNames<Normalisation> {
  static constexpr std::string_view names[] = {"auto", "standard", "l2", "sum", "none"};
};

/// The node features X on the host, n×d: sparse, or dense row-major. Sparse features are never made dense.
struct Features {
  Index rows = 0, cols = 0;
  bool is_sparse = false;
  Csr sparse;
  SharedVector<float> dense;

  Index nonzeros() const;
};

/// Scales rows to unit length (l2) or to unit absolute sum, or leaves them as they are (none). Zero rows stay
/// zero. The work is split over `pool` if there is one. What scales columns is in
/// gdkm/dataset/column_scales.hpp.
Features normalise(Features features, Normalisation how, ThreadPool* pool = nullptr);

/// The rows of `features` named in `rows`.
Features select_rows(const Features& features, const std::vector<std::int32_t>& rows);

/// A·X, in the form (sparse or dense) that X has.
Features mix(const Csr& a, const Features& x);

/// [X_1, X_2, …]: the columns of all parts, which have the same rows and are all sparse or all dense.
Features side_by_side(const std::vector<Features>& parts);

}  // namespace gdkm
