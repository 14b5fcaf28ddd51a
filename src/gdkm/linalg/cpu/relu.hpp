#pragma once

#include <algorithm>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/elementwise.hpp"
#include "gdkm/linalg/dropout.hpp"

namespace gdkm {

template <class T>
void CpuBackend<T>::relu(double dropout, const Stream& given, View<T> x) {
  assert(x.contiguous());
  const Stream stream = at_this_step(given);
  const Dropout drop(dropout);
  const T scale = static_cast<T>(drop.scale);
  constexpr Index lanes = Dropout::per_block;
  pool_.share(x.size(), small_work, [&](Index begin, Index end) {
    T* out = x.data;
    if (drop.off()) {
#pragma omp simd
      for (Index k = begin; k < end; ++k) out[k] = std::max(out[k], T(0));
      return;
    }
    for (Index k = begin; k < end; k += lanes) {
      const Random4 block = random_block(stream, static_cast<std::uint64_t>(k / lanes));
      const int count = static_cast<int>(std::min(lanes, end - k));
      for (int lane = 0; lane < count; ++lane) {
        out[k + lane] = std::max(out[k + lane], T(0)) * (drop.keeps(block, lane) ? scale : T(0));
      }
    }
  });
}

template <class T>
void CpuBackend<T>::relu_backward(ConstView<T> out, double dropout, View<T> x_bar) {
  assert(out.contiguous() && x_bar.contiguous() && out.size() == x_bar.size());
  const T scale = static_cast<T>(Dropout(dropout).scale);
  pool_.share(out.size(), small_work, [&](Index begin, Index end) {
    const T* y = out.data;
    T* bar = x_bar.data;
#pragma omp simd
    for (Index k = begin; k < end; ++k) bar[k] *= y[k] > T(0) ? scale : T(0);
  });
}

}  // namespace gdkm
