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

/// A factor and where its parts go.
struct Task {
  RightSource source;
  Index inner;
  int chunks, width, blocks, parts;
  std::uint8_t* out;
  unsigned* largest;
};
struct Tasks {
  Task each[most_rights];
};

/// One block splits eight columns of the factor that blockIdx.y selects. A thread writes eight numbers of a
/// column at a time.
__global__ void __launch_bounds__(256) split_rights_kernel(const __grid_constant__ Tasks tasks) {
  cuda::await_previous();
  const Task& task = tasks.each[blockIdx.y];
  if (static_cast<int>(blockIdx.x) >= task.blocks) return;
  const RightSource& source = task.source;
  const int n = task.width, part = chunk_depth * n * 2;  // bytes
  __shared__ unsigned most[columns];
  if (threadIdx.x < columns) most[threadIdx.x] = 0;
  __syncthreads();
  const Index first = static_cast<Index>(blockIdx.x) * columns;
  const int own = static_cast<int>(threadIdx.x % columns);
  unsigned here = 0;
  for (Index k = threadIdx.x / columns; k < task.inner; k += 256 / columns)
    here = max(here, magnitude(source(k, first + own)));
  atomicMax(&most[own], here);
  __syncthreads();
  if (threadIdx.x < columns) task.largest[first + threadIdx.x] = most[threadIdx.x];

  const float scale = scale_to_half(most[own]);
  const int column = static_cast<int>(first % n) + own;
  std::uint8_t* tile = task.out + first / n * task.chunks * task.parts * part;
  for (int eight = static_cast<int>(threadIdx.x) / columns; eight < task.chunks * (chunk_depth / 8);
       eight += 256 / columns) {
    std::uint32_t high[4], low[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float x[2];
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        const Index k = static_cast<Index>(eight / 2) * mma_depth + term_at(eight % 2 * 8 + 2 * i + e);
        x[e] = k < task.inner ? scale * source(k, first + own) : 0.0f;
      }
      const TwoPartsOfTwo parts = two_parts(x[0], x[1]);
      high[i] = parts.high;
      low[i] = parts.low;
    }
    constexpr int per_chunk = chunk_depth / 8;
    std::uint8_t* chunk = tile + static_cast<Index>(eight / per_chunk) * task.parts * part;
    uint4* at = reinterpret_cast<uint4*>(chunk) + eight % per_chunk * n + column;
    at[0] = {high[0], high[1], high[2], high[3]};
    if (task.parts == 2) at[part / 16] = {low[0], low[1], low[2], low[3]};
  }
}

}  // namespace

SplitRight::SplitRight(const Factor<float>& factor, int parts_)
    : op(factor.op),
      b(factor.view),
      part(factor.part),
      width(tile_width(factor.cols(), parts_)),
      chunks(static_cast<int>((inner() + chunk_depth - 1) / chunk_depth)),
      tiles(static_cast<int>((cols() + width - 1) / width)),
      parts(parts_) {}

Index SplitRight::bytes_of_parts() const {
  return static_cast<Index>(tiles) * width * chunks * parts * 2 * chunk_depth;
}

std::size_t SplitRight::bytes() const {
  return static_cast<std::size_t>(bytes_of_parts() +
                                  static_cast<Index>(tiles) * width * static_cast<Index>(sizeof(unsigned)));
}

unsigned* SplitRight::largest() const {
  return reinterpret_cast<unsigned*>(static_cast<std::uint8_t*>(memory) + bytes_of_parts());
}

void split_rights(std::span<const SplitRight> rights, const Queue& stream) {
  assert(rights.size() <= most_rights);
  Tasks tasks{};
  int blocks = 0;
  for (std::size_t k = 0; k < rights.size(); ++k) {
    const SplitRight& right = rights[k];
    const bool plain = right.op == Op::none;
    tasks.each[k] = {{right.b.data, plain ? right.b.stride : 1, plain ? 1 : right.b.stride, right.cols()},
                     right.inner(),
                     right.chunks,
                     right.width,
                     right.tiles * right.width / columns,
                     right.parts,
                     static_cast<std::uint8_t*>(right.memory),
                     right.largest()};
    blocks = std::max(blocks, tasks.each[k].blocks);
  }
  launch(split_rights_kernel, dim3(static_cast<unsigned>(blocks), static_cast<unsigned>(rights.size())), 256,
         0, stream, tasks);
}

}  // namespace gdkm::cuda
