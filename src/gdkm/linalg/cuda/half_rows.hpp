#pragma once

#include <cuda_fp16.h>

#include "gdkm/linalg/cuda/launch.hpp"

namespace gdkm::cuda {

/// A matrix rounded to float16, with a factor for every row: 11 bits of every number, as many as TF32 has, in
/// half of the memory. Numbers below 2⁻²⁸ of the largest of their row have fewer bits, and below 2⁻³⁹ none:
/// next to such a row they do not count. Sparse products read rows many times, and are limited by that.
struct HalfRows {
  View<__half> numbers;
  float* factor;  // a power of two for every row

  HalfRows(Index rows, Index cols, void* memory)
      : numbers(static_cast<__half*>(memory), rows, cols),
        factor(reinterpret_cast<float*>(numbers.data + rows * cols)) {}
  /// `cols` is a multiple of 8.
  static std::size_t bytes(Index rows, Index cols) {
    return static_cast<std::size_t>(rows * cols * Index{sizeof(__half)} + rows * Index{sizeof(float)});
  }
  /// Rounds this matrix.
  void round(ConstView<float> from, const Queue& queue) const;
};

}  // namespace gdkm::cuda
