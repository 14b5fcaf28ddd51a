#pragma once

#include <cmath>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

// The primitives Backend::log_softmax and its backward for one thread: rows are a few numbers long.

template <class T>
GDKM_HOST_DEVICE void log_softmax_row(ConstView<T> raw, View<T> out) {
  T most = raw.data[0];
  for (Index k = 1; k < raw.cols; ++k) most = raw.data[k] > most ? raw.data[k] : most;
  T sum = 0;
  for (Index k = 0; k < raw.cols; ++k) sum += std::exp(raw.data[k] - most);
  const T shift = most + std::log(sum);
  for (Index k = 0; k < raw.cols; ++k) out.data[k] = raw.data[k] - shift;
}

template <class T>
GDKM_HOST_DEVICE void log_softmax_backward_row(ConstView<T> out, ConstView<T> out_bar, View<T> raw_bar) {
  T sum = 0;
  for (Index k = 0; k < out.cols; ++k) sum += out_bar.data[k];
  for (Index k = 0; k < out.cols; ++k) raw_bar.data[k] += out_bar.data[k] - std::exp(out.data[k]) * sum;
}

}  // namespace gdkm
