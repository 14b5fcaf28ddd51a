#include "gdkm/training/cka.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>
#include <vector>

namespace gdkm {

namespace {
// What centring leaves of a constant is rounding, whose alignment would be noise: relative size below which
// it counts as zero.
constexpr double negligible = 1e-13;

/// A kernel on some rows, with the means that centre it. Centred entries are computed where they are used.
struct CentredKernel {
  std::span<const double> k;
  Index n;
  std::span<const std::int32_t> rows;
  std::vector<double> row_mean;
  double mean = 0, largest = 0;

  CentredKernel(std::span<const double> k_, Index n_, std::span<const std::int32_t> rows_)
      : k(k_), n(n_), rows(rows_), row_mean(rows_.size()) {
    assert(static_cast<Index>(k.size()) == n * n);
    const auto r = static_cast<double>(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const auto j : rows) {
        const double value = k[rows[i] * n + j];
        row_mean[i] += value / r;
        largest = std::max(largest, std::abs(value));
      }
      mean += row_mean[i] / r;
    }
  }
  double operator()(std::size_t i, std::size_t j) const {
    return k[rows[i] * n + rows[j]] - row_mean[i] - row_mean[j] + mean;
  }
  bool is_constant(double squares) const {
    return std::sqrt(squares) <= negligible * largest * static_cast<double>(rows.size());
  }
};

/// F with its columns centred over some rows.
struct CentredFeatures {
  std::span<const double> f;
  Index width;
  std::vector<std::int32_t> rows;
  std::vector<double> mean;

  CentredFeatures(std::span<const double> f_, Index width_, std::vector<std::int32_t> rows_)
      : f(f_), width(width_), rows(std::move(rows_)), mean(static_cast<std::size_t>(width_)) {
    for (const auto row : rows) {
      for (Index c = 0; c < width; ++c) mean[c] += f[row * width + c];
    }
    for (double& m : mean) m /= static_cast<double>(rows.size());
  }
  Index count() const { return static_cast<Index>(rows.size()); }
  double operator()(Index r, Index c) const { return f[rows[r] * width + c] - mean[c]; }

  bool is_constant() const {
    double centred = 0, raw = 0;
    for (Index r = 0; r < count(); ++r) {
      for (Index c = 0; c < width; ++c) {
        centred += (*this)(r, c) * (*this)(r, c);
        raw += f[rows[r] * width + c] * f[rows[r] * width + c];
      }
    }
    return std::sqrt(centred) <= negligible * std::sqrt(raw);
  }
};

/// ‖F′ᵀF′‖² = ‖F′F′ᵀ‖²; the smaller of the two products is formed, a block of its inner dimension at a time,
/// so that the block stays in cache while it is used.
double squared_gram_norm(const CentredFeatures& f) {
  constexpr Index block = 32;
  const bool over_rows = f.width <= f.count();
  const Index size = over_rows ? f.width : f.count(), inner = over_rows ? f.count() : f.width;
  std::vector<double> gram(static_cast<std::size_t>(size * size)),
      part(static_cast<std::size_t>(block * size));
  for (Index begin = 0; begin < inner; begin += block) {
    const Index end = std::min(inner, begin + block);
    for (Index k = begin; k < end; ++k) {
      double* row = &part[(k - begin) * size];
      for (Index j = 0; j < size; ++j) row[j] = over_rows ? f(k, j) : f(j, k);
    }
    for (Index i = 0; i < size; ++i) {
      double* out = &gram[i * size];
      for (Index k = 0; k < end - begin; ++k) {
        const double* row = &part[k * size];
        const double scale = row[i];
        for (Index j = i; j < size; ++j) out[j] += scale * row[j];
      }
    }
  }
  double squares = 0;
  for (Index i = 0; i < size; ++i) {
    squares += gram[i * size + i] * gram[i * size + i];
    for (Index j = i + 1; j < size; ++j) squares += 2 * gram[i * size + j] * gram[i * size + j];
  }
  return squares;
}
}  // namespace

double cka(std::span<const double> k1, std::span<const double> k2, Index n,
           std::span<const std::int32_t> rows) {
  const CentredKernel a(k1, n, rows), b(k2, n, rows);
  double aa = 0, ab = 0, bb = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j) {
      const double x = a(i, j), y = b(i, j);
      aa += x * x;
      ab += x * y;
      bb += y * y;
    }
  }
  return a.is_constant(aa) || b.is_constant(bb) ? 0 : ab / (std::sqrt(aa) * std::sqrt(bb));
}

double cka_with_labels(std::span<const double> features, Index width, std::span<const std::int32_t> labels,
                       int classes, std::span<const std::int32_t> rows) {
  assert(features.size() == labels.size() * static_cast<std::size_t>(width));
  std::vector<std::int32_t> labelled;
  std::vector<double> frequency(static_cast<std::size_t>(classes));
  for (const auto row : rows) {
    if (labels[row] < 0) continue;
    assert(labels[row] < classes);
    labelled.push_back(row);
    ++frequency[labels[row]];
  }
  const auto n = static_cast<double>(labelled.size());

  // Y′ᵀY′ = diag(frequency) − frequency frequencyᵀ / n.
  double yy = 0;
  for (int c = 0; c < classes; ++c) {
    for (int d = 0; d < classes; ++d) {
      const double entry = (c == d ? frequency[c] : 0) - frequency[c] * (frequency[d] / n);
      yy += entry * entry;
    }
  }
  if (labelled.empty() || yy == 0) return 0;
  const CentredFeatures f(features, width, std::move(labelled));
  if (f.is_constant()) return 0;

  // F′ᵀY′ = F′ᵀY, since the columns of F′ sum to zero: for every class the sum of its rows.
  std::vector<double> sums(static_cast<std::size_t>(classes * width));
  for (Index r = 0; r < f.count(); ++r) {
    double* sum = &sums[labels[f.rows[r]] * width];
    for (Index c = 0; c < width; ++c) sum[c] += f(r, c);
  }
  double fy = 0;
  for (const double sum : sums) fy += sum * sum;
  return fy / (std::sqrt(squared_gram_norm(f)) * std::sqrt(yy));
}

}  // namespace gdkm
