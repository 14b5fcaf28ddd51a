#pragma once

#include <algorithm>
#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/cpu/simd.hpp"
#include "gdkm/linalg/log_softmax.hpp"

namespace gdkm {

namespace detail {
/// The smallest number of rows worth handing to a thread.
inline Index row_grain(Index cols) {
  return std::max<Index>(1, small_work / std::max<Index>(1, cols));
}

/// Calls body(r, c) for all entries, tile by tile, so that both (r, c) and (c, r) stay in the cache.
template <class Body>
void for_tiles(ThreadPool& pool, Index rows, Index cols, const Body& body) {
  constexpr Index tile = 16;
  const Index grain = (row_grain(cols) + tile - 1) / tile * tile;
  pool.share(rows, grain, [&](Index begin, Index end) {
    for (Index r0 = begin; r0 < end; r0 += tile) {
      for (Index c0 = 0; c0 < cols; c0 += tile) {
        for (Index r = r0; r < std::min(end, r0 + tile); ++r) {
          for (Index c = c0; c < std::min(cols, c0 + tile); ++c) body(r, c);
        }
      }
    }
  });
}

/// Calls body(r, c) for all entries below the diagonal, tile by tile. Threads get equal parts of the
/// triangle.
template <class Body>
void for_lower_tiles(ThreadPool& pool, Index rows, const Body& body) {
  constexpr Index tile = 16;
  const int threads = rows * rows < 2 * small_work ? 1 : pool.size();
  const auto cut = [&](int k) {
    const double part = std::sqrt(static_cast<double>(k) / threads);
    return k == threads ? rows : static_cast<Index>(part * static_cast<double>(rows)) / tile * tile;
  };
  const auto share = [&](int k) {
    if (k >= threads) return;
    for (Index r0 = cut(k), last = cut(k + 1); r0 < last; r0 += tile) {
      for (Index c0 = 0; c0 <= r0; c0 += tile) {
        for (Index r = r0; r < std::min(last, r0 + tile); ++r) {
          for (Index c = c0; c < std::min(r, c0 + tile); ++c) body(r, c);
        }
      }
    }
  };
  threads == 1 ? share(0) : pool.run(share);
}
}  // namespace detail

template <class T>
void CpuBackend<T>::add(T alpha, ConstView<T> a, T beta, View<T> c) {
  assert(a.rows == c.rows && a.cols == c.cols);
  pool_.share(c.rows, detail::row_grain(c.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const T* from = a.row(r);
      T* to = c.row(r);
      if (beta == T(0)) {
        for (Index j = 0; j < c.cols; ++j) to[j] = alpha * from[j];
      } else {
        for (Index j = 0; j < c.cols; ++j) to[j] = alpha * from[j] + beta * to[j];
      }
    }
  });
}

template <class T>
void CpuBackend<T>::add_exp_scaled(T factor, ConstView<T> exponent, ConstView<T> a, T beta, View<T> c) {
  add(std::exp(factor * *exponent.data), a, beta, c);
}

template <class T>
void CpuBackend<T>::fill(View<T> a, T value) {
  if (a.contiguous()) {
    return pool_.share(a.size(), small_work,
                       [&](Index begin, Index end) { std::fill(a.data + begin, a.data + end, value); });
  }
  pool_.share(a.rows, detail::row_grain(a.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) std::fill_n(a.row(r), a.cols, value);
  });
}

template <class T>
void CpuBackend<T>::identity(View<T> a) {
  fill(a, T(0));
  for (Index r = 0; r < a.rows; ++r) a.row(r)[r] = T(1);
}

template <class T>
void CpuBackend<T>::transpose(ConstView<T> a, View<T> b) {
  detail::for_tiles(pool_, a.rows, a.cols, [&](Index r, Index c) { b.row(c)[r] = a.row(r)[c]; });
}

template <class T>
void CpuBackend<T>::anti_transpose(ConstView<T> a, View<T> b) {
  const Index last = a.rows - 1;
  detail::for_tiles(pool_, a.rows, a.cols,
                    [&](Index r, Index c) { b.row(last - c)[last - r] = a.row(r)[c]; });
}

template <class T>
void CpuBackend<T>::mirror_lower(View<T> a) {
  detail::for_lower_tiles(pool_, a.rows, [data = a.data, stride = a.stride](Index r, Index c) {
    data[c * stride + r] = data[r * stride + c];
  });
}

template <class T>
void CpuBackend<T>::keep_lower(View<T> a, T diagonal) {
  for (Index r = 0; r < a.rows; ++r) {
    a.row(r)[r] *= diagonal;
    std::fill(a.row(r) + r + 1, a.row(r) + a.cols, T(0));
  }
}

template <class T>
void CpuBackend<T>::symmetrise(View<T> a) {
  assert(a.rows == a.cols);
  detail::for_lower_tiles(pool_, a.rows, [data = a.data, stride = a.stride](Index r, Index c) {
    T &lower = data[r * stride + c], &upper = data[c * stride + r];
    lower = upper = T(0.5) * (lower + upper);
  });
}

template <class T>
void CpuBackend<T>::dot(T alpha, ConstView<T> a, ConstView<T> b, T beta, View<T> value) {
  assert(a.rows == b.rows && a.cols == b.cols);
  double sum = 0;
  for (Index r = 0; r < a.rows; ++r) {
    for (Index j = 0; j < a.cols; ++j) sum += static_cast<double>(a.row(r)[j]) * b.row(r)[j];
  }
  *value.data = alpha * static_cast<T>(sum) + (beta == T(0) ? T(0) : beta * *value.data);
}

template <class T>
void CpuBackend<T>::adam(const AdamStep& step, ConstView<T> gradient, View<T> first, View<T> second,
                         View<T> parameter) {
  pool_.share(parameter.size(), small_work, [&](Index begin, Index end) {
    const AdamUpdate<T> update(step);
    simd::adam(update, gradient.data + begin, first.data + begin, second.data + begin, parameter.data + begin,
               end - begin);
  });
}

template <class T>
void CpuBackend<T>::log_softmax(ConstView<T> raw, View<T> out) {
  log_softmax_row(raw, out);
}

template <class T>
void CpuBackend<T>::log_softmax_backward(ConstView<T> out, ConstView<T> out_bar, View<T> raw_bar) {
  log_softmax_backward_row<T>(out, out_bar, raw_bar);
}

}  // namespace gdkm
