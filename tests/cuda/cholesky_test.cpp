#include "tests/linalg/cholesky_cases.hpp"

#include "tests/cuda/cuda_test.hpp"

namespace gdkm::testing {
namespace {

/// One for all tests, never destroyed: at exit CUDA may be gone first. Nothing where there is no GPU, which
/// the tests of cases report.
template <class T>
struct Cuda {
  using Scalar = T;
  static constexpr double gram_roundings = 16;
  static Backend<T>* backend() {
    static Backend<T>* const gpu = []() -> Backend<T>* {
      try {
        return make_backend<T>({cuda_device(), 1}).release();
      } catch (const InputError&) {
        return nullptr;
      }
    }();
    return gpu;
  }
};

using Gpus = ::testing::Types<Cuda<float>, Cuda<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, Cholesky, Gpus);

}  // namespace
}  // namespace gdkm::testing
