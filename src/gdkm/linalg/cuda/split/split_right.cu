#include "gdkm/linalg/cuda/launch.hpp"
#include "gdkm/linalg/cuda/split/split_products.hpp"
#include "gdkm/linalg/cuda/split/tile_width.hpp"
#include "gdkm/linalg/cuda/split/two_parts.hpp"

namespace gdkm::cuda {

namespace {

/// The columns of a block: as many as tensor cores read at a time.
constexpr int columns = 8;

/// The term (of 16) that stands at a place of the left factor's registers, if each thread reads four adjacent
/// numbers of a row: thread t has the places 2t, 2t+1, 2t+8 and 2t+9.
__device__ int term_at(int place) {
  return place % 8 / 2 * 4 + place / 8 * 2 + place % 2;
}

/// One block splits eight columns of a tile of n. A thread writes eight numbers of a column at a time.
template <int n>
__global__ void __launch_bounds__(256)
    split_right_kernel(RightSource source, Index inner, int chunks, std::uint8_t* out, unsigned* largest) {
  __shared__ unsigned most[columns];
  if (threadIdx.x < columns) most[threadIdx.x] = 0;
  __syncthreads();
  const Index first = static_cast<Index>(blockIdx.x) * columns;
  const int own = static_cast<int>(threadIdx.x % columns);
  unsigned here = 0;
  for (Index k = threadIdx.x / columns; k < inner; k += 256 / columns)
    here = max(here, magnitude(source(k, first + own)));
  atomicMax(&most[own], here);
  __syncthreads();
  if (threadIdx.x < columns) largest[first + threadIdx.x] = most[threadIdx.x];

  const float scale = scale_to_half(most[own]);
  const int column = static_cast<int>(first % n) + own;
  std::uint8_t* tile = out + first / n * chunks * two_parts_bytes<n>;
  for (int eight = static_cast<int>(threadIdx.x) / columns; eight < chunks * (chunk_depth / 8);
       eight += 256 / columns) {
    std::uint32_t high[4], low[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float x[2];
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const Index k = static_cast<Index>(eight / 2) * mma_depth + term_at(eight % 2 * 8 + 2 * i + e);
        x[e] = k < inner ? scale * source(k, first + own) : 0.0f;
      }
      const TwoPartsOfTwo parts = two_parts(x[0], x[1]);
      high[i] = parts.high;
      low[i] = parts.low;
    }
    constexpr int per_chunk = chunk_depth / 8;
    std::uint8_t* chunk = tile + static_cast<Index>(eight / per_chunk) * two_parts_bytes<n>;
    uint4* at = reinterpret_cast<uint4*>(chunk) + eight % per_chunk * n + column;
    at[0] = {high[0], high[1], high[2], high[3]};
    at[part_bytes<n> / 16] = {low[0], low[1], low[2], low[3]};
  }
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
  return static_cast<std::size_t>(tiles) * static_cast<std::size_t>(width) *
         (static_cast<std::size_t>(chunks) * 2 * 2 * chunk_depth + sizeof(unsigned));
}

unsigned* SplitRight::largest() const {
  return reinterpret_cast<unsigned*>(static_cast<std::uint8_t*>(memory) +
                                     static_cast<Index>(tiles) * width * chunks * 2 * 2 * chunk_depth);
}

void split_right(const SplitRight& right, cudaStream_t stream) {
  const bool plain = right.op == Op::none;
  const RightSource source{right.b.data, plain ? right.b.stride : 1, plain ? 1 : right.b.stride,
                           right.cols()};
  with_width(right.width, [&]<int n>() {
    launch(split_right_kernel<n>, static_cast<unsigned>(right.tiles * right.width / columns), 256, 0, stream,
           source, right.inner(), right.chunks, static_cast<std::uint8_t*>(right.memory), right.largest());
  });
}

}  // namespace gdkm::cuda
