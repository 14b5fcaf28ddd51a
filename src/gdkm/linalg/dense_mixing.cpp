#include <algorithm>
#include <cassert>

#include "gdkm/linalg/cpu/simd.hpp"
#include "gdkm/linalg/dense.hpp"
#include "gdkm/linalg/device_dense.hpp"

/// Products of a Dense with a sparse matrix, on the host by threads.
namespace gdkm {

namespace {
constexpr Index width = 32;  // columns at a time: their sums are in registers

/// The first `rows` rows of C ← A B.
void times(const Csr& a, Index rows, ConstView<double> b, View<double> c) {
  simd::sparse_times(1.0, {a.row_start.data(), a.col.data(), a.value.data()}, 0, rows, b, 0.0, c);
}

/// K ← A K, some columns at a time.
void mix_rows(const Csr& a, Dense& k) {
  in_blocks(k.cols, width, [&](Index begin, Index end) {
    Dense strip(k.rows, end - begin);
    for (Index r = 0; r < k.rows; ++r) std::copy(k.row(r) + begin, k.row(r) + end, strip.row(r));
    times(a, k.rows, strip.view(), k.view().block_cols(begin, end - begin));
  });
}

/// The lower triangle of K ← K Aᵀ, some rows at a time. What is above it is undefined.
void mix_columns(const Csr& a, Dense& k) {
  in_blocks(k.rows, width, [&](Index begin, Index end) {
    Dense strip(k.cols, end - begin), mixed(end, end - begin);
    for (Index r = begin; r < end; ++r) {
      for (Index c = 0; c < k.cols; ++c) strip(c, r - begin) = k(r, c);
    }
    times(a, end, strip.view(), mixed.view());
    for (Index r = begin; r < end; ++r) {
      for (Index c = 0; c <= r; ++c) k(r, c) = mixed(c, r - begin);
    }
  });
}

/// K ← K Pᵀ, some rows at a time, so that there is little memory besides K.
void mix_columns(const std::function<Dense(const Dense&)>& times, Dense& k) {
  in_blocks(k.rows, 2 * width, [&](Index begin, Index end) {
    Dense strip(k.cols, end - begin);
    for (Index r = begin; r < end; ++r) {
      for (Index c = 0; c < k.cols; ++c) strip(c, r - begin) = k(r, c);
    }
    const Dense mixed = times(strip);
    for (Index r = begin; r < end; ++r) {
      for (Index c = 0; c < k.cols; ++c) k(r, c) = mixed(c, r - begin);
    }
  });
}
}  // namespace

Dense multiply(const Csr& a, const Dense& b) {
  if (b.device() != nullptr) return on_device::multiply(a, b);
  assert(a.cols == b.rows);
  Dense out(a.rows, b.cols);
  in_blocks(b.cols, width, [&](Index begin, Index end) {
    times(a, a.rows, b.view().block_cols(begin, end - begin), out.view().block_cols(begin, end - begin));
  });
  return out;
}

void mix_both_sides(const Csr& a, Dense& k) {
  if (k.device() != nullptr) return on_device::mix_both_sides(a, k);
  assert(a.rows == a.cols && a.cols == k.rows && k.rows == k.cols);
  mix_rows(a, k);
  mix_columns(a, k);
  mirror_lower(k);
}

void mix_both_sides(const std::function<Dense(const Dense&)>& times, Dense& k) {
  if (k.device() != nullptr) return on_device::mix_both_sides(times, k);
  for (const bool is_first : {true, false}) {
    mix_columns(times, k);  // K is not symmetric in between
    if (is_first) transpose_in_place(k);
  }
  symmetrise(k);
}

}  // namespace gdkm
