#include <cmath>
#include <limits>

#include "tests/cuda/cuda_test.hpp"

namespace gdkm {
namespace {

/// Products that split their factors beside strict ones, on a GPU that can.
class CudaSplit : public CudaTest<float> {
 protected:
  void SetUp() override {
    CudaTest<float>::SetUp();
    if (IsSkipped() || HasFailure()) return;
    strict_ = make_backend<float>({cuda_device(), 1, MathMode::strict});
    try {
      split_ = make_backend<float>({cuda_device(), 1, MathMode::split});
    } catch (const InputError& error) {
      GTEST_SKIP() << error.what();
    }
  }

  /// The sizes of C ← op(A) B, with a sum of `terms` products for every entry.
  struct Sizes {
    Index rows, cols, terms;
    Op op;
  };
  static constexpr Sizes over_nodes{2000, 200, 400, Op::none}, sum_over_nodes{200, 104, 6000, Op::transpose};

  static std::vector<float> product(Backend<float>& gpu, const Sizes& s, const std::vector<double>& a,
                                    const std::vector<double>& b) {
    const bool plain = s.op == Op::none;
    const Placed<float> left(gpu, plain ? s.rows : s.terms, plain ? s.terms : s.rows, a),
        right(gpu, s.terms, s.cols, b), out(gpu, s.rows, s.cols);
    gpu.gemm(1, s.op, left, Op::none, right, 0, out);
    const auto values = out.to_host();
    return {values.begin(), values.end()};
  }
  static std::vector<double> exact(const Sizes& s, const std::vector<double>& a,
                                   const std::vector<double>& b) {
    const bool plain = s.op == Op::none;
    const Placed<double> left(cpu(), plain ? s.rows : s.terms, plain ? s.terms : s.rows, a),
        right(cpu(), s.terms, s.cols, b), out(cpu(), s.rows, s.cols);
    cpu().gemm(1, s.op, left, Op::none, right, 0, out);
    return out.to_host();
  }
  static double error(const std::vector<double>& want, const std::vector<float>& got) {
    double square = 0;
    for (std::size_t k = 0; k < want.size(); ++k) square += (got[k] - want[k]) * (got[k] - want[k]);
    return std::sqrt(square);
  }
  /// The criterion: at most twice the error of plain float arithmetic, and `underflow`, the last digit of the
  /// smallest numbers, for every term.
  void expect_as_accurate(const std::string& what, const Sizes& s, const std::vector<double>& a,
                          const std::vector<double>& b) {
    const auto want = exact(s, a, b);
    const double plain = error(want, product(*strict_, s, a, b)),
                 split = error(want, product(*split_, s, a, b));
    const double underflow = std::numeric_limits<float>::denorm_min() *
                             std::sqrt(static_cast<double>(want.size())) * static_cast<double>(s.terms);
    EXPECT_LE(split, 2 * plain + underflow) << what << ", " << s.rows << "x" << s.cols << "x" << s.terms;
  }
  static std::vector<double> scaled(Index count, std::uint64_t seed, double scale) {
    return numbers<float>(count, seed, scale);
  }

  std::unique_ptr<Backend<float>> strict_, split_;
};

TEST_F(CudaSplit, IsWhatAGpuThatCanDoesByDefault) {
  EXPECT_NE(split_->description().find("float32/split"), std::string::npos) << split_->description();
  EXPECT_EQ(gpu().description(), split_->description());
  EXPECT_EQ(strict_->description().find("split"), std::string::npos);
}

TEST_F(CudaSplit, ProductsAreAsAccurateAsPlainOnesAtAllMagnitudes) {
  for (const Sizes& s : {over_nodes, sum_over_nodes}) {
    for (const double left : {1e-10, 1.0, 1e10}) {
      for (const double right : {1e-10, 1.0, 1e10}) {
        const auto a = scaled(s.rows * s.terms, 31, left), b = scaled(s.terms * s.cols, 32, right);
        expect_as_accurate("magnitudes " + std::to_string(left) + ", " + std::to_string(right), s, a, b);
      }
    }
    auto a = scaled(s.rows * s.terms, 33, 1), b = scaled(s.terms * s.cols, 34, 1);
    for (std::size_t k = 0; k < a.size(); ++k) a[k] = std::fabs(a[k]);
    for (double& x : b) x = std::fabs(x);
    expect_as_accurate("positive numbers", s, a, b);
    for (std::size_t k = 0; k < a.size(); ++k)
      a[k] = static_cast<float>(a[k] * std::pow(10.0, static_cast<double>(k / 37 % 21) - 10));
    expect_as_accurate("magnitudes side by side", s, a, b);
  }
}

TEST_F(CudaSplit, NumbersWhosePartsUnderflowKeepTheirDigits) {
  for (const Sizes& s : {over_nodes, sum_over_nodes}) {
    for (const double tiny : {1e-30, 1e-34, 1e-38, 1e-42}) {
      for (const bool left : {true, false}) {
        const auto a = scaled(s.rows * s.terms, 35, left ? tiny : 1e20);
        const auto b = scaled(s.terms * s.cols, 36, left ? 1e20 : tiny);
        expect_as_accurate("tiny factor " + std::to_string(std::log10(tiny)), s, a, b);
      }
    }
    const auto a = scaled(s.rows * s.terms, 37, 1e-20), b = scaled(s.terms * s.cols, 38, 1e-21);
    expect_as_accurate("results that underflow", s, a, b);
  }
}

TEST_F(CudaSplit, NanAndInfinityArriveWhereTheyDoInPlainProducts) {
  const float infinity = std::numeric_limits<float>::infinity();
  for (const Sizes& s : {over_nodes, sum_over_nodes}) {
    for (const bool left : {true, false}) {
      auto a = scaled(s.rows * s.terms, 41, 1), b = scaled(s.terms * s.cols, 42, 1);
      auto& broken = left ? a : b;
      broken[7] = std::nan("");
      broken[broken.size() / 2] = infinity;
      broken[broken.size() / 3] = -infinity;
      broken[broken.size() - 1] = std::numeric_limits<float>::max();
      const auto want = product(*strict_, s, a, b), got = product(*split_, s, a, b);
      Index wrong = 0, broken_entries = 0;
      for (std::size_t k = 0; k < want.size(); ++k) {
        const bool finite = std::isfinite(want[k]);
        const bool same = finite                ? std::isfinite(got[k])
                          : std::isnan(want[k]) ? std::isnan(got[k])
                                                : got[k] == want[k];
        wrong += same ? 0 : 1;
        broken_entries += finite ? 0 : 1;
      }
      EXPECT_EQ(wrong, 0) << (left ? "left" : "right");
      EXPECT_GT(broken_entries, 0);
    }
  }
}

}  // namespace
}  // namespace gdkm
