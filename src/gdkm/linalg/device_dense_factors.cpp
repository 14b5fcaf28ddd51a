#include <algorithm>
#include <cassert>

#include "gdkm/linalg/device_dense.hpp"

namespace gdkm::on_device {

namespace {
/// The block on the diagonal: what one cluster of CUDA's blocks factorises.
constexpr Index side = 512;
/// Products are subtracted from strips of columns, on and below the diagonal.
constexpr Index strip = 2048;
}  // namespace

bool all_finite(const Dense& a) {
  if (a.empty()) return true;
  Backend<double>& device = *a.device();
  const Index rows = std::min<Index>(a.rows, 256);
  const Matrix<double> zero(device, rows, a.cols), sum(device, 1, 1);
  for (Index begin = 0; begin < a.rows; begin += rows) {
    const Index count = std::min(rows, a.rows - begin);
    // 0 · x is 0 for a finite x, otherwise NaN.
    device.dot(1, a.view().block_rows(begin, count), zero.view().block_rows(0, count), 1, sum);
  }
  return sum.to_host()[0] == 0;
}

std::optional<Dense> cholesky(Dense k) {
  assert(k.rows == k.cols);
  Backend<double>& device = *k.device();
  const Index n = k.rows;
  const Matrix<double> factor(device, side, side), inverse(device, side, side), used(device, 1, 1),
      panel(device, side, n);
  const View<double> h = k.view();
  for (Index begin = 0; begin < n; begin += side) {
    const Index count = std::min(side, n - begin), next = begin + count, rest = n - next;
    const View<double> block = h.block_rows(begin, count).block_cols(begin, count);
    const View<double> lower = factor.view().reshaped(count, count);
    device.cholesky(block, 0, lower, inverse.view().reshaped(count, count), used);
    if (used.to_host()[0] != 0) return std::nullopt;  // it took a jitter, or was not finite
    device.add(1, lower, 0, block);
    if (rest == 0) break;
    const View<double> below = h.block_rows(next, rest).block_cols(begin, count);
    const View<double> across = panel.view().reshaped(count, rest);
    device.transpose(below, across);
    device.solve_lower(Op::none, lower, across);
    device.transpose(across, below);
    for (Index at = next; at < n; at += strip) {
      const Index width = std::min(strip, n - at);
      device.gemm(-1, Op::none, below.block_rows(at - next, n - at), Op::none,
                  across.block_cols(at - next, width), 1, h.block_rows(at, n - at).block_cols(at, width));
    }
  }
  on_device::keep_lower(k, 1);
  return k;
}

Dense solve_lower(Op op, const Dense& l, Dense b) {
  assert(l.rows == l.cols && l.rows == b.rows && l.device() == b.device());
  if (!b.empty()) l.device()->solve_lower(op, l.view(), b.view());
  return b;
}

}  // namespace gdkm::on_device
