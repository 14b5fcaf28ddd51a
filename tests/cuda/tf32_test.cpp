#include "gdkm/support/random.hpp"
#include "tests/cuda/cuda_test.hpp"

namespace gdkm {
namespace {

class CudaTf32 : public CudaTest<float> {};

TEST_F(CudaTf32, RoundsProductsOverNodesAndNoOthers) {
  const auto gpu = make_backend<float>({cuda_device(), 1, MathMode::tf32});
  EXPECT_NE(gpu->description().find("float32/TF32"), std::string::npos) << gpu->description();
  const auto worst = [&](Index m, Index n, Index k) {
    const auto a = numbers<float>(m * k, 21), b = numbers<float>(k * n, 22);
    const Placed<float> ga(*gpu, m, k, a), gb(*gpu, k, n, b), gc(*gpu, m, n);
    const Placed<double> ca(cpu(), m, k, a), cb(cpu(), k, n, b), cc(cpu(), m, n);
    gpu->gemm(1, Op::none, ga, Op::none, gb, 0, gc);
    cpu().gemm(1, Op::none, ca, Op::none, cb, 0, cc);
    const auto want = cc.to_host(), got = gc.to_host();
    double error = 0, largest = 0;
    for (std::size_t e = 0; e < want.size(); ++e) {
      error = std::max(error, std::fabs(want[e] - got[e]));
      largest = std::max(largest, std::fabs(want[e]));
    }
    return error / largest;
  };
  // TF32 has 11 bits: half a unit of the last is 5e-4 of a factor, less on average over a sum.
  for (const auto& [cols, terms] :
       {std::pair<Index, Index>{256, 256}, {400, 400}, {160, 400}, {128, 604}, {48, 52}}) {
    const double over_nodes = worst(3000, cols, terms);
    EXPECT_LT(over_nodes, 1e-3) << cols << ", " << terms;
    EXPECT_GT(over_nodes, 5e-6) << "TF32 was asked for and not used: " << cols << ", " << terms;
  }
  for (const Index m : {256, 1200})
    EXPECT_LT(worst(m, m, m), 3e-6) << "an m x m product was rounded to TF32: " << m;
}

TEST_F(CudaTf32, RoundsWhatSparseProductsReadOftenAndNothingElse) {
  const auto gpu = make_backend<float>({cuda_device(), 1, MathMode::tf32});
  // Rows of B differ by twelve orders of magnitude, each with a factor of its own, and a few rows of A are
  // long.
  const Index rows = 1200, cols = 136;
  auto b = numbers<float>(rows * cols, 23);
  for (Index r = 0; r < rows; ++r) {
    const double size = std::pow(10.0, static_cast<double>(r % 13) - 6);
    for (Index j = 0; j < cols; ++j) {
      double& x = b[static_cast<std::size_t>(r * cols + j)];
      x = static_cast<float>(x * size);
    }
  }
  const auto worst = [&](int per_row, Op op) {
    Random random(Stream{41, Purpose::generator, 0});
    std::vector<Triplet> entries;
    for (Index r = 0; r < rows; ++r) {
      const int count = r % 400 == 7 ? 900 : per_row;
      for (int k = 0; k < count; ++k)
        entries.push_back({static_cast<std::int32_t>(r), static_cast<std::int32_t>(random.below(rows)),
                           static_cast<float>(random.normal())});
    }
    const Csr csr = csr_from_triplets(rows, rows, entries);
    Csr magnitudes = csr;
    for (double& x : magnitudes.value) x = std::fabs(x);
    auto largest = b;
    for (double& x : largest) x = std::fabs(x);
    const Sparse<float> ga(*gpu, csr);
    const Sparse<double> ca(cpu(), csr), cm(cpu(), magnitudes);
    const Placed<float> gb(*gpu, rows, cols, b), gc(*gpu, rows, cols);
    const Placed<double> cb(cpu(), rows, cols, b), cl(cpu(), rows, cols, largest), cc(cpu(), rows, cols),
        sizes(cpu(), rows, cols);
    gpu->spmm(1, op, ga, gb, 0, gc);
    cpu().spmm(1, op, ca, cb, 0, cc);
    cpu().spmm(1, op, cm, cl, 0, sizes);
    const auto want = cc.to_host(), got = gc.to_host(), size = sizes.to_host();
    double error = 0;
    for (std::size_t e = 0; e < want.size(); ++e) {
      if (size[e] > 0) error = std::max(error, std::fabs(want[e] - got[e]) / size[e]);
    }
    return error;
  };
  for (const Op op : {Op::none, Op::transpose}) {
    // Half a unit of eleven bits is 2^-11 of the largest number of a row; the smallest lose no more than
    // that.
    EXPECT_LT(worst(20, op), 1e-3);
    EXPECT_GT(worst(20, op), 5e-6) << "TF32 was asked for and not used";
    EXPECT_LT(worst(4, op), 1e-6) << "rounding B costs more than it saves here";
  }
}

}  // namespace
}  // namespace gdkm
