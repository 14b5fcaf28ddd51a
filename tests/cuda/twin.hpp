#pragma once

#include "tests/cuda/cuda_test.hpp"

namespace gdkm {

/// A matrix that has the same numbers on both devices, to be treated alike and compared.
template <class T>
struct Twin {
  Index rows, cols;
  Placed<T> gpu;
  Placed<double> cpu;

  /// `relative` as in expect_close.
  void expect_same(const std::string& what, double relative, bool lower = false) const {
    expect_close(what, rows, cols, cpu.to_host(), gpu.to_host(what), relative, lower);
  }
};

/// Tests of one primitive after the other against the CPU in double precision.
template <class T>
class TwinTest : public CudaTest<T> {
 public:
  using CudaTest<T>::gpu;
  using CudaTest<T>::cpu;
  /// Padding on the GPU: rows that may be read 16 bytes at a time, that may not, and that may but have gaps.
  static constexpr Index pads[] = {0, 1, 4};

  static Twin<T> twin(Index rows, Index cols, const std::vector<double>& values, Index pad = 0) {
    return {rows, cols, Placed<T>(CudaTest<T>::gpu(), rows, cols, values, pad),
            Placed<double>(CudaTest<T>::cpu(), rows, cols, values)};
  }
  static Twin<T> random(Index rows, Index cols, std::uint64_t seed, Index pad = 0, double scale = 1) {
    return twin(rows, cols, numbers<T>(rows * cols, seed, scale), pad);
  }
  /// Where results go: filled with NaN, so that old contents that were used show.
  static Twin<T> blank(Index rows, Index cols, Index pad = 0) {
    const std::vector<double> nan(static_cast<std::size_t>(rows * cols),
                                  std::numeric_limits<double>::quiet_NaN());
    return twin(rows, cols, nan, pad);
  }
  static std::string at(const std::string& what, Index rows, Index cols, Index pad) {
    return what + " " + std::to_string(rows) + "x" + std::to_string(cols) + ", padding " +
           std::to_string(pad);
  }
};

inline const std::pair<Index, Index> matrix_sizes[] = {{1, 1},   {7, 5},   {33, 200}, {200, 33}, {400, 400},
                                                       {513, 1}, {1, 513}, {5000, 7}, {3, 2050}, {0, 4}};

}  // namespace gdkm
