#include <algorithm>

#include "tests/cuda/twin.hpp"

namespace gdkm {
namespace {

template <class T>
class CudaRows : public TwinTest<T> {};
TYPED_TEST_SUITE(CudaRows, Precisions, PrecisionNames);

constexpr std::pair<Index, Index> sizes[] = {{1, 1},    {7, 5},    {33, 200},  {200, 33}, {5000, 50},
                                             {2000, 7}, {1, 4814}, {513, 129}, {0, 4}};

TYPED_TEST(CudaRows, NormsAndTheirBackward) {
  using T = TypeParam;
  for (const auto& [rows, cols] : sizes) {
    for (const Index pad : this->pads) {
      auto values = numbers<T>(rows * cols, 21);
      if (rows > 2) std::fill_n(values.begin() + cols, cols, 0.0);  // a zero row has no direction
      const auto f = this->twin(rows, cols, values, pad), s = this->blank(1, rows);
      const auto s_bar = this->random(1, rows, 22), f_bar = this->random(rows, cols, 23, pad);
      this->gpu().row_norms(f.gpu, s.gpu);
      this->cpu().row_norms(f.cpu, s.cpu);
      s.expect_same(this->at("row_norms", rows, cols, pad), tolerance<T>(2e-6));
      this->gpu().row_norms_backward(f.gpu, s.gpu, s_bar.gpu, f_bar.gpu);
      this->cpu().row_norms_backward(f.cpu, s.cpu, s_bar.cpu, f_bar.cpu);
      f_bar.expect_same(this->at("row_norms_backward", rows, cols, pad), tolerance<T>(5e-6));
    }
  }
}

TYPED_TEST(CudaRows, AddRowAndColumnSums) {
  using T = TypeParam;
  for (const auto& [rows, cols] : sizes) {
    for (const Index pad : this->pads) {
      const auto row = this->random(1, cols, 24, pad), a = this->random(rows, cols, 25, pad);
      this->gpu().add_row(T(-0.5), row.gpu, a.gpu);
      this->cpu().add_row(-0.5, row.cpu, a.cpu);
      a.expect_same(this->at("add_row", rows, cols, pad), tolerance<T>(5e-7));

      const auto b = this->random(rows, cols, 26, pad);
      for (const double beta : {0.0, 0.5}) {
        const auto sums = beta == 0 ? this->blank(1, cols, pad) : this->random(1, cols, 27, pad);
        this->gpu().column_sums(T(2), b.gpu, static_cast<T>(beta), sums.gpu);
        this->cpu().column_sums(2, b.cpu, beta, sums.cpu);
        sums.expect_same(this->at("column_sums", rows, cols, pad), tolerance<T>(2e-6));
      }
    }
  }
}

TYPED_TEST(CudaRows, ColumnSumsOfManyRowsComeOutTheSameEachTime) {
  using T = TypeParam;
  const Index rows = 40000, cols = 41;
  const auto a = this->random(rows, cols, 28), sums = this->blank(1, cols);
  this->gpu().column_sums(T(1), a.gpu, T(0), sums.gpu);
  this->cpu().column_sums(1, a.cpu, 0, sums.cpu);
  sums.expect_same("column_sums of many rows", tolerance<T>(2e-6));
  const auto first = sums.gpu.to_host();
  for (int again = 0; again < 5; ++again) {
    this->gpu().column_sums(T(1), a.gpu, T(0), sums.gpu);
    EXPECT_EQ(sums.gpu.to_host(), first);
  }
}

TYPED_TEST(CudaRows, GatherAndScatter) {
  using T = TypeParam;
  for (const auto& [rows, cols] : sizes) {
    for (const Index pad : this->pads) {
      if (rows == 0) continue;
      // Every other row, from the last one back.
      std::vector<std::int32_t> index;
      for (Index r = rows - 1; r >= 0; r -= 2) index.push_back(static_cast<std::int32_t>(r));
      const auto count = static_cast<Index>(index.size());
      const Buffer<std::int32_t> on_gpu(this->gpu(), index), on_cpu(this->cpu(), index);
      const auto a = this->random(rows, cols, 29, pad), out = this->blank(count, cols, pad);
      this->gpu().gather_rows(a.gpu, on_gpu.data(), out.gpu);
      this->cpu().gather_rows(a.cpu, on_cpu.data(), out.cpu);
      out.expect_same(this->at("gather_rows", rows, cols, pad), 0);
      const auto b = this->random(rows, cols, 30, pad);
      this->gpu().scatter_rows(out.gpu, on_gpu.data(), b.gpu);
      this->cpu().scatter_rows(out.cpu, on_cpu.data(), b.cpu);
      b.expect_same(this->at("scatter_rows", rows, cols, pad), tolerance<T>(2e-7));
    }
  }
}

TYPED_TEST(CudaRows, PositiveTriangularParameters) {
  using T = TypeParam;
  for (const Index m : {1, 7, 33, 200, 513}) {
    if (too_large(m, m)) continue;
    for (const Index pad : this->pads) {
      const auto name = [&](const char* what) { return this->at(what, m, m, pad); };
      const auto raw = this->random(m, m, 31, pad, 0.5), l = this->blank(m, m, pad);
      this->gpu().positive_lower(raw.gpu, l.gpu);
      this->cpu().positive_lower(raw.cpu, l.cpu);
      l.expect_same(name("positive_lower"), tolerance<T>(5e-7));

      // What is above the diagonal of a gradient may be anything: NaN must not come through.
      auto bar = numbers<T>(m * m, 32);
      for (Index r = 0; r < m; ++r) {
        std::fill(bar.begin() + r * m + r + 1, bar.begin() + (r + 1) * m, std::nan(""));
      }
      const auto l_bar = this->twin(m, m, bar, pad), raw_bar = this->random(m, m, 33, pad);
      this->gpu().positive_lower_backward(l.gpu, l_bar.gpu, raw_bar.gpu);
      this->cpu().positive_lower_backward(l.cpu, l_bar.cpu, raw_bar.cpu);
      raw_bar.expect_same(name("positive_lower_backward"), tolerance<T>(5e-7));

      const auto value = this->blank(1, 1), kl_bar = this->random(m, m, 34, pad);
      this->gpu().normal_kl(l.gpu, T(-0.3), kl_bar.gpu, value.gpu);
      this->cpu().normal_kl(l.cpu, -0.3, kl_bar.cpu, value.cpu);
      value.expect_same(name("normal_kl"), tolerance<T>(2e-6));
      kl_bar.expect_same(name("normal_kl, gradient"), tolerance<T>(2e-6));
    }
  }
}

}  // namespace
}  // namespace gdkm
