#pragma once

#include <algorithm>

#include "gdkm/linalg/cpu/cpu_backend.hpp"

namespace gdkm {

template <class T>
void CpuBackend<T>::count_correct(ConstView<T> scores, const std::int32_t* label, View<T> count) {
  const int threads = pool_.size();
  pool_.run([&](int k) {
    Index correct = 0;
    for (Index r = scores.rows * k / threads; r < scores.rows * (k + 1) / threads; ++r) {
      const T* row = scores.row(r);
      correct += std::max_element(row, row + scores.cols) - row == label[r] ? 1 : 0;
    }
    *scratch(k, 1) = static_cast<T>(correct);
  });
  sum_scratch(threads, 0, T(0), count);
}

}  // namespace gdkm
