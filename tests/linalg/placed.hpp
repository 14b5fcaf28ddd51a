#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "gdkm/linalg/backend.hpp"

namespace gdkm::testing {

/// Normal numbers that T holds exactly, so that all backends start from the same ones.
template <class T>
std::vector<double> numbers(Index count, std::uint64_t seed, double scale = 1) {
  Random random(Stream{seed, Purpose::initial, 0});
  std::vector<double> out;
  for (Index k = 0; k < count; ++k) out.push_back(static_cast<T>(scale * random.normal()));
  return out;
}

/// The largest error allowed, relative to the largest entry expected: `single` in float, 1e-11 in double.
template <class T>
double tolerance(double single) {
  return std::is_same_v<T, float> ? single : 1e-11;
}

/// A matrix on a device whose rows lie `pad` numbers apart, after `pad` more, so that only the first can be
/// aligned. The gaps hold a number that shows whether a primitive wrote there.
template <class T>
class Placed {
 public:
  Placed(Device& device, Index rows, Index cols, const std::vector<double>& values, Index pad = 0)
      : Placed(device, rows, cols, values, pad, pad) {}
  /// Without values: every entry holds a number that no result has, so that an entry left unwritten shows.
  Placed(Device& device, Index rows, Index cols, Index pad = 0)
      : Placed(device, rows, cols, std::vector<double>(static_cast<std::size_t>(rows * cols), -7.25e7), pad) {
  }
  /// `offset` numbers before the first row, `gap` between rows.
  Placed(Device& device, Index rows, Index cols, std::vector<double> values, Index offset, Index gap)
      : rows_(rows), cols_(cols), offset_(offset), gap_(gap), values_(std::move(values)) {
    std::vector<T> all(static_cast<std::size_t>(offset + rows * (cols + gap)), mark);
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < cols; ++c) all[position(r, c)] = static_cast<T>(values_[r * cols + c]);
    }
    buffer_ = Buffer<T>(device, all);
  }

  View<T> view() const { return {buffer_.data() + offset_, rows_, cols_, cols_ + gap_}; }
  operator View<T>() const { return view(); }
  operator View<const T>() const { return view(); }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  /// The entries it was made with.
  const std::vector<double>& values() const { return values_; }

  /// The entries now, row by row. Fails the test where something was written between the rows.
  std::vector<double> to_host(const std::string& what = "") const {
    const std::vector<T> all = buffer_.to_host();
    std::vector<double> out;
    std::vector<char> inside(all.size(), 0);
    for (Index r = 0; r < rows_; ++r) {
      for (Index c = 0; c < cols_; ++c) {
        out.push_back(static_cast<double>(all[position(r, c)]));
        inside[position(r, c)] = 1;
      }
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (inside[k] == 0 && all[k] != mark) {
        ADD_FAILURE() << what << ": wrote " << all[k] << " outside the matrix, at offset " << k << " ("
                      << rows_ << "x" << cols_ << ", gap " << gap_ << ")";
        break;
      }
    }
    return out;
  }

 private:
  static constexpr T mark = T(-12345.5);
  std::size_t position(Index r, Index c) const {
    return static_cast<std::size_t>(offset_ + r * (cols_ + gap_) + c);
  }
  Index rows_, cols_, offset_, gap_;
  std::vector<double> values_;
  Buffer<T> buffer_;
};

/// Every entry is within `relative` · (the largest entry expected) of the entry expected; the message names
/// the worst one and counts the wrong ones. `part`: compare only these entries.
inline void expect_close(const std::string& what, Index rows, Index cols, const std::vector<double>& want,
                         const std::vector<double>& got, double relative, Region part = Region::all) {
  ASSERT_EQ(want.size(), got.size()) << what;
  ASSERT_EQ(static_cast<Index>(want.size()), rows * cols) << what;
  const auto counts = [&](Index r, Index c) {
    return part == Region::all || (part == Region::lower ? c <= r : c >= r);
  };
  double largest = 0, worst = 0;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c) {
      if (counts(r, c)) largest = std::max(largest, std::fabs(want[r * cols + c]));
    }
  }
  const double allowed = relative * (largest > 0 ? largest : 1);
  Index wrong = 0, worst_row = 0, worst_col = 0;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c) {
      if (!counts(r, c)) continue;
      const double w = want[r * cols + c], g = got[r * cols + c];
      double error = std::fabs(g - w);
      if (std::isinf(w) && g == w) error = 0;
      if (std::isnan(w) && std::isnan(g)) error = 0;
      if (std::isnan(error)) error = std::numeric_limits<double>::infinity();
      if (!(error <= allowed)) ++wrong;
      if (error > worst) {
        worst = error;
        worst_row = r;
        worst_col = c;
      }
    }
  }
  EXPECT_EQ(wrong, 0) << what << ", " << rows << "x" << cols << ": worst at (" << worst_row << ", "
                      << worst_col << "): expected " << want[worst_row * cols + worst_col] << ", got "
                      << got[worst_row * cols + worst_col] << ", off by " << worst << ", allowed " << allowed
                      << " (" << relative << " of the largest)";
}

}  // namespace gdkm::testing
