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
  const double over_nodes = worst(3000, 256, 256), small = worst(256, 256, 256);
  EXPECT_LT(over_nodes, 1e-3);
  EXPECT_GT(over_nodes, 5e-6) << "TF32 was asked for and not used";
  EXPECT_LT(small, 3e-6) << "an m x m product was rounded to TF32";
}

}  // namespace
}  // namespace gdkm
