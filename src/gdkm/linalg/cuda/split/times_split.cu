#include "gdkm/linalg/cuda/launch.hpp"
#include "gdkm/linalg/cuda/split/chunk.hpp"
#include "gdkm/linalg/cuda/split/ring.hpp"
#include "gdkm/linalg/cuda/split/split_products.hpp"
#include "gdkm/linalg/cuda/split/tile_width.hpp"

namespace gdkm::cuda {

namespace {

constexpr int stages = 8, consumers = 256, threads = consumers + 128, tile_rows = 128;

/// The right factor as the kernel sees it.
struct Right {
  const std::uint8_t* parts;
  const unsigned* largest;
  RightSource source;
  Index inner;
  int chunks, tiles;
  Region part;

  /// The chunks in which a tile of n columns has entries.
  __device__ int begin(int tile, int n) const { return part == Region::lower ? tile * n / chunk_depth : 0; }
  __device__ int end(int tile, int n) const {
    return part == Region::upper ? min(chunks, ((tile + 1) * n + chunk_depth - 1) / chunk_depth) : chunks;
  }
};

/// A thread's share of a chunk of A: four adjacent numbers of two rows, for every step.
struct LeftNumbers {
  float4 upper[chunk_steps], lower[chunk_steps];

  __device__ void load(ConstView<float> a, Index row, int chunk, const MmaThread& thread) {
#pragma unroll
    for (int s = 0; s < chunk_steps; ++s) {
      const Index k = static_cast<Index>(chunk) * chunk_depth + s * mma_depth + 4 * thread.pair;
      const float4 zero{0, 0, 0, 0};
      upper[s] = row < a.rows && k < a.cols ? __ldg(reinterpret_cast<const float4*>(a.row(row) + k)) : zero;
      lower[s] = row + 8 < a.rows && k < a.cols ? __ldg(reinterpret_cast<const float4*>(a.row(row + 8) + k)) : zero;
    }
  }
  __device__ void split_into(LeftParts& parts, unsigned& most_upper, unsigned& most_lower) const {
#pragma unroll
    for (int s = 0; s < chunk_steps; ++s) {
      parts.set(s, 0, upper[s].x, upper[s].y);
      parts.set(s, 1, lower[s].x, lower[s].y);
      parts.set(s, 2, upper[s].z, upper[s].w);
      parts.set(s, 3, lower[s].z, lower[s].w);
      most_upper = max(most_upper, largest(upper[s]));
      most_lower = max(most_lower, largest(lower[s]));
    }
  }
  static __device__ unsigned largest(const float4& x) {
    return max(max(magnitude(x.x), magnitude(x.y)), max(magnitude(x.z), magnitude(x.w)));
  }
};

__device__ void write_pair(float alpha, float x, float y, float beta, float* to) {
  float2 out{alpha * x, alpha * y};
  if (beta != 0) {
    const float2 old = *reinterpret_cast<const float2*>(to);
    out.x += beta * old.x;
    out.y += beta * old.y;
  }
  *reinterpret_cast<float2*>(to) = out;
}

/// Copies the chunks of a tile, `times` times.
template <int n>
__device__ void copy_right(const Right& right, int tile, int begin, int end, Index times, Ring<stages>& ring,
                           std::uint8_t* buffers) {
  RingPlace<stages> at;
  for (Index r = 0; r < times; ++r) {
    for (int chunk = begin; chunk < end; ++chunk) {
      ring.wait_for_room(at);
      barrier_arrive_and_expect(&ring.full[at.stage], chunk_bytes<n>);
      copy_bytes(buffers + at.stage * chunk_bytes<n>,
                 right.parts + (static_cast<Index>(tile) * right.chunks + chunk) * chunk_bytes<n>, chunk_bytes<n>,
                 &ring.full[at.stage]);
      at.advance();
    }
  }
}

template <int n>
__device__ void consume(float alpha, ConstView<float> a, const Right& right, float beta, View<float> c, int tile,
                        int begin, int end, Index first, Index step, Ring<stages>& ring, std::uint8_t* buffers) {
  RingPlace<stages> at;
  const Index row_tiles = (a.rows + tile_rows - 1) / tile_rows;
  const MmaThread thread(threadIdx.x);
  const Index own = (threadIdx.x / 128) * 64 + thread.row, column = static_cast<Index>(tile) * n + 2 * thread.pair;
  bool plain_right = false;
  for (int chunk = begin; chunk < end; ++chunk)
    plain_right = plain_right || cannot_split(right.largest[tile * right.chunks + chunk]);

  LeftNumbers next;
  next.load(a, first * tile_rows + own, begin, thread);
  for (Index r = first; r < row_tiles; r += step) {
    const Index row = r * tile_rows + own;
    float total[n / 2] = {};
    unsigned most_upper = 0, most_lower = 0;
    for (int chunk = begin; chunk < end; ++chunk) {
      LeftParts parts;
      next.split_into(parts, most_upper, most_lower);
      const bool last = chunk + 1 == end;
      next.load(a, last ? row + step * tile_rows : row, last ? begin : chunk + 1, thread);
      ring.wait_for_data(at);
      add_chunk<n>(parts, shared_address(buffers + at.stage * chunk_bytes<n>), total);
      __syncwarp();
      if (threadIdx.x % 32 == 0) barrier_arrive(&ring.empty[at.stage]);
      at.advance();
    }
    most_upper = largest_of_row(most_upper);
    most_lower = largest_of_row(most_lower);
    if (__any_sync(0xffffffffu, plain_right || cannot_split(most_upper) || cannot_split(most_lower))) {
      plain_sums<n>(row < a.rows ? a.row(row) : nullptr, row + 8 < a.rows ? a.row(row + 8) : nullptr, 1, right.source,
                    column, static_cast<Index>(begin) * chunk_depth, min(static_cast<Index>(end) * chunk_depth, right.inner),
                    total);
    }
#pragma unroll
    for (int j = 0; j < n / 8; ++j) {
      if (column + 8 * j >= c.cols) break;
      if (row < c.rows) write_pair(alpha, total[4 * j], total[4 * j + 1], beta, c.row(row) + column + 8 * j);
      if (row + 8 < c.rows)
        write_pair(alpha, total[4 * j + 2], total[4 * j + 3], beta, c.row(row + 8) + column + 8 * j);
    }
  }
}

/// A block has one tile of columns and every so-manieth 128 rows. Two groups of 128 threads compute 64 rows each.
/// They run apart by up to the length of the ring, so that one computes while the other stores. One more thread
/// copies the right factor, chunk by chunk and again for every 128 rows.
template <int n>
__global__ void __launch_bounds__(threads, 1)
    times_split_kernel(float alpha, ConstView<float> a, Right right, float beta, View<float> c) {
  extern __shared__ __align__(128) std::uint8_t buffers[];
  __shared__ Ring<stages> ring;
  const int tile = static_cast<int>(blockIdx.x) % right.tiles;
  const Index first = blockIdx.x / right.tiles, step = gridDim.x / right.tiles;
  const Index row_tiles = (a.rows + tile_rows - 1) / tile_rows;
  const int begin = right.begin(tile, n), end = right.end(tile, n);
  if (threadIdx.x == 0) ring.start(1, consumers / 32);
  __syncthreads();

  if (threadIdx.x >= consumers) {
    give_registers<24>();
    if (threadIdx.x == consumers) copy_right<n>(right, tile, begin, end, (row_tiles - first + step - 1) / step, ring, buffers);
  } else {
    take_registers<240>();
    consume<n>(alpha, a, right, beta, c, tile, begin, end, first, step, ring, buffers);
  }
}

}  // namespace

bool can_split(const cudaDeviceProp& properties) {
  if (properties.major != 9 || properties.minor != 0) return false;
  cudaFuncAttributes attributes{};
  const cudaError_t status = cudaFuncGetAttributes(&attributes, times_split_kernel<128>);
  static_cast<void>(cudaGetLastError());
  return status == cudaSuccess;
}

bool takes_rows(ConstView<float> a, ConstView<float> c) {
  return vectorised(a, 4) && vectorised(c, 2);
}

void times_split(float alpha, ConstView<float> a, const SplitRight& right, float beta, View<float> c,
                 int multiprocessors, cudaStream_t stream) {
  assert(a.cols == right.inner() && c.rows == a.rows && c.cols == right.cols() && takes_rows(a, c));
  const bool plain = right.op == Op::none;
  const Right factor{static_cast<const std::uint8_t*>(right.memory), right.largest(),
                     RightSource{right.b.data, plain ? right.b.stride : 1, plain ? 1 : right.b.stride, right.cols()},
                     right.inner(), right.chunks, right.tiles, right.part};
  const Index row_tiles = (a.rows + tile_rows - 1) / tile_rows;
  const Index groups = std::min<Index>(row_tiles, std::max(1, multiprocessors / right.tiles));
  with_width(right.width, [&]<int n>() {
    constexpr int bytes = stages * chunk_bytes<n>;
    GDKM_CUDA(cudaFuncSetAttribute(times_split_kernel<n>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    launch(times_split_kernel<n>, static_cast<unsigned>(groups * right.tiles), threads, bytes, stream, alpha, a, factor,
           beta, c);
  });
}

}  // namespace gdkm::cuda
