#include "gdkm/linalg/cuda/launch.hpp"
#include "gdkm/linalg/cuda/split/chunk.hpp"
#include "gdkm/linalg/cuda/split/split_products.hpp"
#include "gdkm/linalg/cuda/split/tile_width.hpp"

namespace gdkm::cuda {

namespace {

/// The term (of 16) that stands at a place of the left factor's registers, if each thread reads four adjacent
/// numbers of a row: thread t has the places 2t, 2t+1, 2t+8 and 2t+9.
__device__ int term_at(int place) {
  return place % 8 / 2 * 4 + place / 8 * 2 + place % 2;
}

/// One block splits one chunk of one tile. A thread writes eight numbers of a column, the unit of shared memory
/// that tensor cores read.
template <int n>
__global__ void __launch_bounds__(256)
    split_right_kernel(RightSource source, Index inner, int chunks, std::uint8_t* out, unsigned* largest) {
  __shared__ unsigned most;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  const Index first = static_cast<Index>(blockIdx.x) * chunk_depth, column = static_cast<Index>(blockIdx.y) * n;
  std::uint8_t* chunk = out + (static_cast<Index>(blockIdx.y) * chunks + blockIdx.x) * chunk_bytes<n>;
  unsigned here = 0;
  for (int unit = static_cast<int>(threadIdx.x); unit < chunk_depth / 8 * n; unit += 256) {
    const int eight = unit / n, j = unit % n;
    float x[8];
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const Index k = first + eight / 2 * mma_depth + term_at(eight % 2 * 8 + i);
      x[i] = k < inner ? source(k, column + j) : 0.0f;
      here = max(here, magnitude(x[i]));
    }
    uint4 high, middle, low;
    std::uint32_t *h = &high.x, *m = &middle.x, *l = &low.x;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const PartsOfTwo parts = split(x[2 * i], x[2 * i + 1]);
      h[i] = parts.high;
      m[i] = parts.middle;
      l[i] = parts.low;
    }
    uint4* at = reinterpret_cast<uint4*>(chunk) + unit;
    at[0] = high;
    at[part_bytes<n> / 16] = middle;
    at[2 * part_bytes<n> / 16] = low;
  }
  atomicMax(&most, here);
  __syncthreads();
  if (threadIdx.x == 0) largest[blockIdx.y * chunks + blockIdx.x] = most;
}

}  // namespace

SplitRight::SplitRight(const Factor<float>& factor)
    : op(factor.op),
      b(factor.view),
      part(factor.part),
      width(tile_width(factor.cols())),
      chunks(static_cast<int>((inner() + chunk_depth - 1) / chunk_depth)),
      tiles(static_cast<int>((cols() + width - 1) / width)) {}

std::size_t SplitRight::bytes() const {
  const auto units = static_cast<std::size_t>(tiles) * static_cast<std::size_t>(chunks);
  return units * (static_cast<std::size_t>(3 * 2 * chunk_depth * width) + sizeof(unsigned));
}

unsigned* SplitRight::largest() const {
  const Index units = static_cast<Index>(tiles) * chunks;
  return reinterpret_cast<unsigned*>(static_cast<std::uint8_t*>(memory) + units * 3 * 2 * chunk_depth * width);
}

void split_right(const SplitRight& right, cudaStream_t stream) {
  const bool plain = right.op == Op::none;
  const RightSource source{right.b.data, plain ? right.b.stride : 1, plain ? 1 : right.b.stride, right.cols()};
  with_width(right.width, [&]<int n>() {
    launch(split_right_kernel<n>, dim3(static_cast<unsigned>(right.chunks), static_cast<unsigned>(right.tiles)), 256,
           0, stream, source, right.inner(), right.chunks, static_cast<std::uint8_t*>(right.memory), right.largest());
  });
}

}  // namespace gdkm::cuda
