#include "gdkm/linalg/cuda/half_rows.hpp"

#include "gdkm/linalg/cuda/elements.hpp"
#include "gdkm/linalg/cuda/reduce.hpp"
#include "gdkm/linalg/cuda/split/two_parts.hpp"

namespace gdkm::cuda {

namespace {

constexpr int warps = 8;

/// One warp per row, which it reads twice: the second time from a cache.
__global__ void __launch_bounds__(32 * warps) round_rows_kernel(ConstView<float> from, HalfRows to) {
  cuda::await_previous();
  const Index r = static_cast<Index>(blockIdx.x) * warps + threadIdx.x / 32;
  if (r >= from.rows) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const float* row = from.row(r);
  unsigned largest = 0;
  for (Index j = 4 * lane; j < from.cols; j += 128) {
    const auto x = load<4>(row + j);
#pragma unroll
    for (int i = 0; i < 4; ++i) largest = max(largest, magnitude(x.v[i]));
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    largest = max(largest, __shfl_xor_sync(all_lanes, largest, offset));
  const float scale = scale_to_half(largest);
  for (Index j = 4 * lane; j < from.cols; j += 128) {
    const auto x = load<4>(row + j);
    Pack<__half2, 2> out;
    out.v[0] = __floats2half2_rn(scale * x.v[0], scale * x.v[1]);
    out.v[1] = __floats2half2_rn(scale * x.v[2], scale * x.v[3]);
    *reinterpret_cast<Pack<__half2, 2>*>(to.numbers.row(r) + j) = out;
  }
  if (lane == 0) to.factor[r] = scale_from_half(largest);
}

}  // namespace

void HalfRows::round(ConstView<float> from, const Queue& queue) const {
  launch(round_rows_kernel, blocks_for(from.rows, warps), 32 * warps, 0, queue, from, *this);
}

}  // namespace gdkm::cuda
