#include "tests/cuda/twin.hpp"

namespace gdkm {
namespace {

template <class T>
class CudaSpmm : public TwinTest<T> {};
TYPED_TEST_SUITE(CudaSpmm, Precisions, PrecisionNames);

/// Rows of very different lengths: every third is empty, most are short, every `hub`-th has entries in most
/// columns.
Csr skewed(Index rows, Index cols, Index hub, std::uint64_t seed) {
  Random random(Stream{seed, Purpose::generator, 0});
  Csr a;
  a.rows = rows;
  a.cols = cols;
  for (Index r = 0; r < rows; ++r) {
    const double share =
        hub > 0 && r % hub == hub / 2 ? 0.9 : (r % 3 == 0 ? 0.0 : 6.0 / static_cast<double>(cols));
    for (Index c = 0; c < cols && share > 0; ++c) {
      if (random.uniform() >= share) continue;
      a.col.push_back(static_cast<std::int32_t>(c));
      a.value.push_back(static_cast<float>(random.normal()));
    }
    a.row_start.push_back(a.nonzeros());
  }
  return a;
}

/// `terms`: about how many numbers are added up; errors of float grow with their root.
template <class T>
double rounding(double terms) {
  return tolerance<T>(5e-7 * std::sqrt(terms));
}

template <class T, class Test>
void compare(Test& test, const Csr& csr, Index cols, Index pad, const std::string& what) {
  const Sparse<T> on_gpu(test.gpu(), csr);
  const Sparse<double> on_cpu(test.cpu(), csr);
  for (const Op op : {Op::none, Op::transpose}) {
    const Index rows = op == Op::none ? csr.rows : csr.cols, inner = op == Op::none ? csr.cols : csr.rows;
    for (const auto& [alpha, beta] : {std::pair{1.0, 0.0}, std::pair{-0.5, 1.0}, std::pair{2.0, 0.25}}) {
      const auto b = test.random(inner, cols, 41, pad);
      const auto c = beta == 0 ? test.blank(rows, cols, pad) : test.random(rows, cols, 42, pad);
      test.gpu().spmm(static_cast<T>(alpha), op, on_gpu, b.gpu, static_cast<T>(beta), c.gpu);
      test.cpu().spmm(alpha, op, on_cpu, b.cpu, beta, c.cpu);
      c.expect_same(test.at(what + (op == Op::none ? "" : ", transposed"), rows, cols, pad) + ", beta " +
                        std::to_string(beta),
                    rounding<T>(100));
    }
  }
}

TYPED_TEST(CudaSpmm, AgreesForAllWidthsAndLengthsOfRows) {
  const Csr a = skewed(200, 331, 50, 40);
  for (const Index cols : {1, 2, 3, 7, 8, 9, 32, 33, 50, 64, 68, 128, 129, 200, 400, 513}) {
    for (const Index pad : this->pads) compare<TypeParam>(*this, a, cols, pad, "spmm");
  }
}

TYPED_TEST(CudaSpmm, SharesLongRowsOutOverABlock) {
  const Csr a = skewed(500, 2500, 100, 43);
  for (const Index cols : {1, 7, 24, 50, 200}) compare<TypeParam>(*this, a, cols, 0, "spmm with long rows");
  compare<TypeParam>(*this, a, 33, 1, "spmm with long rows");
}

TYPED_TEST(CudaSpmm, TakesSmallAndEmptyMatrices) {
  Csr empty;
  empty.rows = 9;
  empty.cols = 4;
  empty.row_start.assign(10, 0);
  Csr one;
  one.rows = one.cols = 1;
  one.row_start = {0, 1};
  one.col = {0};
  one.value = {0.5};
  for (const Index cols : {1, 7, 200}) {
    compare<TypeParam>(*this, empty, cols, 0, "spmm of no entries");
    compare<TypeParam>(*this, one, cols, 0, "spmm of one entry");
  }
}

TYPED_TEST(CudaSpmm, WorksThroughLargeMatricesByColumns) {
  // So many rows of B that only some columns fit into the cache: three ways of cutting them, and one where C
  // goes past it.
  for (const auto& [inner, cols] :
       {std::pair<Index, Index>{60000, 136}, {120000, 72}, {160000, 64}, {240000, 40}}) {
    if (too_large(inner, cols)) continue;
    const Csr a = skewed(60, inner, 30, 44);
    const Sparse<TypeParam> on_gpu(this->gpu(), a);
    const Sparse<double> on_cpu(this->cpu(), a);
    const auto b = this->random(inner, cols, 45), c = this->blank(a.rows, cols);
    this->gpu().spmm(TypeParam(1), Op::none, on_gpu, b.gpu, TypeParam(0), c.gpu);
    this->cpu().spmm(1, Op::none, on_cpu, b.cpu, 0, c.cpu);
    c.expect_same(this->at("spmm by columns", a.rows, cols, 0),
                  rounding<TypeParam>(static_cast<double>(inner)));
  }
}

TYPED_TEST(CudaSpmm, ComesOutTheSameEachTime) {
  const Csr a = skewed(3000, 2000, 500, 46);
  const Sparse<TypeParam> on_gpu(this->gpu(), a);
  const auto b = this->random(a.cols, 100, 47), c = this->blank(a.rows, 100);
  std::vector<double> first;
  for (int again = 0; again < 5; ++again) {
    this->gpu().spmm(TypeParam(1), Op::none, on_gpu, b.gpu, TypeParam(0), c.gpu);
    if (again == 0) first = c.gpu.to_host();
    EXPECT_EQ(c.gpu.to_host(), first);
  }
}

}  // namespace
}  // namespace gdkm
