#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "tests/linalg/cholesky_cases.hpp"

namespace gdkm::testing {
namespace {

template <class T>
struct Cpu {
  using Scalar = T;
  static constexpr double gram_roundings = 100;
  static Backend<T>* backend() {
    static CpuBackend<T> backend(2);
    return &backend;
  }
};

using Cpus = ::testing::Types<Cpu<float>, Cpu<double>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, Cholesky, Cpus);

}  // namespace
}  // namespace gdkm::testing
