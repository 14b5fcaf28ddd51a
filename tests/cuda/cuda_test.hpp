#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/make_backend.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {

/// A test of one precision on the GPU, with the CPU in double precision beside it. Without a GPU it is
/// skipped, or fails where GDKM_CUDA_REQUIRED is set.
template <class T>
class CudaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      if (!gpu_) gpu_ = make_backend<T>({cuda_device(), 1, false});
      if (!cpu_) cpu_ = std::make_unique<CpuBackend<double>>(1);
    } catch (const InputError& error) {
      if (std::getenv("GDKM_CUDA_REQUIRED") != nullptr) FAIL() << error.what();
      GTEST_SKIP() << error.what();
    }
  }
  static void TearDownTestSuite() {
    gpu_.reset();
    cpu_.reset();
  }
  static Backend<T>& gpu() { return *gpu_; }
  static CpuBackend<double>& cpu() { return *cpu_; }

 private:
  static inline std::unique_ptr<Backend<T>> gpu_;
  static inline std::unique_ptr<CpuBackend<double>> cpu_;
};

using Precisions = ::testing::Types<float, double>;

/// Under compute-sanitizer (GDKM_CUDA_SANITIZED is set) a kernel takes a hundred times longer; then tests
/// leave out matrices of more than 100,000 numbers and trainings are short.
inline bool sanitized() {
  return std::getenv("GDKM_CUDA_SANITIZED") != nullptr;
}
inline bool too_large(Index rows, Index cols) {
  return sanitized() && rows * cols > 100000;
}

struct PrecisionNames {
  template <class T>
  static std::string GetName(int) {
    return std::is_same_v<T, float> ? "float32" : "float64";
  }
};

/// What a result may differ by, relative to the largest entry expected: `single` in float, 1e-11 in double.
template <class T>
double tolerance(double single) {
  return std::is_same_v<T, float> ? single : 1e-11;
}

/// Normal numbers that T holds exactly, so that both devices start from the same ones.
template <class T>
std::vector<double> numbers(Index count, std::uint64_t seed, double scale = 1) {
  Random random(Stream{seed, Purpose::initial, 0});
  std::vector<double> out;
  for (Index k = 0; k < count; ++k) out.push_back(static_cast<T>(scale * random.normal()));
  return out;
}

/// A matrix on a device whose rows lie `pad` numbers apart, behind `pad` more, so that none but the first is
/// aligned. What lies between holds a number that shows whether a primitive wrote there.
template <class T>
class Placed {
 public:
  Placed(Device& device, Index rows, Index cols, const std::vector<double>& values, Index pad = 0)
      : rows_(rows),
        cols_(cols),
        pad_(pad),
        values_(static_cast<std::size_t>(pad + rows * (cols + pad)), mark) {
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < cols; ++c) values_[position(r, c)] = static_cast<T>(values[r * cols + c]);
    }
    buffer_ = Buffer<T>(device, values_);
  }
  /// Without values: every entry holds a number that no result has, so that one left unwritten shows.
  Placed(Device& device, Index rows, Index cols, Index pad = 0)
      : Placed(device, rows, cols, std::vector<double>(static_cast<std::size_t>(rows * cols), -7.25e7), pad) {
  }

  View<T> view() const { return {buffer_.data() + pad_, rows_, cols_, cols_ + pad_}; }
  operator View<T>() const { return view(); }
  operator View<const T>() const { return view(); }

  /// The entries, row by row. Fails the test where something was written between the rows.
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
      if (inside[k] == 0 && all[k] != static_cast<T>(mark)) {
        ADD_FAILURE() << what << ": wrote " << all[k] << " outside the matrix, at offset " << k << " ("
                      << rows_ << "x" << cols_ << ", padding " << pad_ << ")";
        break;
      }
    }
    return out;
  }

 private:
  static constexpr T mark = T(-12345.5);
  std::size_t position(Index r, Index c) const {
    return static_cast<std::size_t>(pad_ + r * (cols_ + pad_) + c);
  }
  Index rows_, cols_, pad_;
  std::vector<T> values_;
  Buffer<T> buffer_;
};

/// Every entry is within `relative` · (the largest entry expected) of what is expected; says which one is the
/// worst and how many are wrong. `lower`: only on and below the diagonal.
inline void expect_close(const std::string& what, Index rows, Index cols, const std::vector<double>& want,
                         const std::vector<double>& got, double relative, bool lower = false) {
  ASSERT_EQ(want.size(), got.size()) << what;
  ASSERT_EQ(static_cast<Index>(want.size()), rows * cols) << what;
  double largest = 0, worst = 0;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c) {
      if (!lower || c <= r) largest = std::max(largest, std::fabs(want[r * cols + c]));
    }
  }
  const double allowed = relative * (largest > 0 ? largest : 1);
  Index wrong = 0, worst_row = 0, worst_col = 0;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c) {
      if (lower && c > r) continue;
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

}  // namespace gdkm
