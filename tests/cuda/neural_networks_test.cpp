#include "tests/cuda/twin.hpp"

namespace gdkm {
namespace {

template <class T>
class CudaNeuralNetworks : public TwinTest<T> {};
TYPED_TEST_SUITE(CudaNeuralNetworks, Precisions, PrecisionNames);

TYPED_TEST(CudaNeuralNetworks, ReluDropsTheSameEntriesAsOnTheCpu) {
  using T = TypeParam;
  for (const auto& [rows, cols] : matrix_sizes) {
    for (const double dropout : {0.0, 0.3, 0.5}) {
      // Contiguous, but for alignment: a block of columns of one long row.
      for (const Index shift : {0, 1}) {
        const auto x = this->random(1, rows * cols, 81, shift), bar = this->random(1, rows * cols, 82, shift);
        const Stream stream{8, Purpose::dropout, 4};
        this->gpu().relu(dropout, stream, View<T>(x.gpu.view().data, rows, cols));
        this->cpu().relu(dropout, stream, View<double>(x.cpu.view().data, rows, cols));
        const auto what = this->at("relu", rows, cols, shift) + ", dropout " + std::to_string(dropout);
        x.expect_same(what, tolerance<T>(2e-7));
        this->gpu().relu_backward(x.gpu, dropout, bar.gpu);
        this->cpu().relu_backward(x.cpu, dropout, bar.cpu);
        bar.expect_same(what + ", backward", tolerance<T>(2e-7));
      }
    }
  }
}

TYPED_TEST(CudaNeuralNetworks, MomentsAndStandardisation) {
  using T = TypeParam;
  for (const auto& [rows, cols] : matrix_sizes) {
    if (rows == 0) continue;
    for (const Index pad : this->pads) {
      auto values = numbers<T>(rows * cols, 83);
      for (double& x : values) x = static_cast<T>(x + 50);               // far from zero
      for (Index r = 0; r < rows; ++r) values[r * cols + cols / 2] = 3;  // a constant column
      const auto x = this->twin(rows, cols, values, pad);
      const auto mean = this->blank(1, cols), variance = this->blank(1, cols);
      this->gpu().column_moments(x.gpu, mean.gpu, variance.gpu);
      this->cpu().column_moments(x.cpu, mean.cpu, variance.cpu);
      const auto what = this->at("column_moments", rows, cols, pad);
      mean.expect_same(what + ": mean", tolerance<T>(1e-6));
      variance.expect_same(what + ": variance", tolerance<T>(1e-6));

      // From here on with the same moments on both: a mean that is rounded is off by 50 · 6e-8 in float.
      const auto given_mean = this->twin(1, cols, mean.gpu.to_host()),
                 given_variance = this->twin(1, cols, variance.gpu.to_host());
      this->gpu().standardise(given_mean.gpu, given_variance.gpu, T(1e-3), x.gpu);
      this->cpu().standardise(given_mean.cpu, given_variance.cpu, 1e-3, x.cpu);
      x.expect_same(this->at("standardise", rows, cols, pad), tolerance<T>(2e-6));
      const auto bar = this->random(rows, cols, 84, pad);
      this->gpu().standardise_backward(x.gpu, given_variance.gpu, T(1e-3), bar.gpu);
      this->cpu().standardise_backward(x.cpu, given_variance.cpu, 1e-3, bar.cpu);
      bar.expect_same(this->at("standardise_backward", rows, cols, pad), tolerance<T>(2e-5));
    }
  }
}

TYPED_TEST(CudaNeuralNetworks, RowsAreNormalised) {
  using T = TypeParam;
  for (const auto& [rows, cols] : matrix_sizes) {
    for (const Index pad : this->pads) {
      auto values = numbers<T>(rows * cols, 85);
      if (rows > 2) std::fill_n(values.begin() + cols, cols, 0.0);
      const auto x = this->twin(rows, cols, values, pad), length = this->blank(1, rows);
      const auto bar = this->random(rows, cols, 86, pad);
      this->gpu().normalise_rows(T(0.1), x.gpu, length.gpu);
      this->cpu().normalise_rows(0.1, x.cpu, length.cpu);
      x.expect_same(this->at("normalise_rows", rows, cols, pad), tolerance<T>(2e-6));
      length.expect_same(this->at("normalise_rows, length", rows, cols, pad), tolerance<T>(2e-6));
      this->gpu().normalise_rows_backward(x.gpu, length.gpu, bar.gpu);
      this->cpu().normalise_rows_backward(x.cpu, length.cpu, bar.cpu);
      bar.expect_same(this->at("normalise_rows_backward", rows, cols, pad), tolerance<T>(5e-6));
    }
  }
}

TYPED_TEST(CudaNeuralNetworks, CountsRowsWhoseFirstLargestScoreIsAtTheirLabel) {
  for (const auto& [rows, cols] : matrix_sizes) {
    for (const Index pad : this->pads) {
      Random random(Stream{87, Purpose::generator, 0});
      std::vector<double> scores;
      std::vector<std::int32_t> label;
      // Small whole numbers: many ties.
      for (Index k = 0; k < rows * cols; ++k) scores.push_back(static_cast<double>(random.below(4)));
      for (Index r = 0; r < rows; ++r) {
        label.push_back(static_cast<std::int32_t>(random.below(std::min<std::uint64_t>(3, cols))));
      }
      const Buffer<std::int32_t> on_gpu(this->gpu(), label), on_cpu(this->cpu(), label);
      const auto a = this->twin(rows, cols, scores, pad), count = this->blank(1, 1);
      this->gpu().count_correct(a.gpu, on_gpu.data(), count.gpu);
      this->cpu().count_correct(a.cpu, on_cpu.data(), count.cpu);
      count.expect_same(this->at("count_correct", rows, cols, pad), 0);
    }
  }
}

}  // namespace
}  // namespace gdkm
