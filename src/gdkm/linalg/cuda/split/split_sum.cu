#include "gdkm/linalg/cuda/launch.hpp"
#include "gdkm/linalg/cuda/split/early_load.hpp"
#include "gdkm/linalg/cuda/split/magnitude.hpp"
#include "gdkm/linalg/cuda/split/ring.hpp"
#include "gdkm/linalg/cuda/split/split_products.hpp"
#include "gdkm/linalg/cuda/split/three_parts.hpp"
#include "gdkm/linalg/cuda/split/tile_width.hpp"

namespace gdkm::cuda {

namespace {

constexpr int stages = 8, consumers = 256, producers = 128, teams = 2, tile_rows = 128;
constexpr int threads = consumers + teams * producers;

/// The tiles of C that are wanted: all, or those that reach the diagonal, row by row.
struct Tiles {
  int across, n;
  bool lower;

  static __host__ __device__ bool wanted(int row, int col, int n, bool lower) {
    return !lower || (row + 1) * tile_rows > col * n;
  }
  /// The row and the column of a tile among those wanted.
  __device__ int2 at(int number) const {
    for (int row = 0;; ++row) {
      for (int col = 0; col < across; ++col) {
        if (wanted(row, col, n, lower) && number-- == 0) return {row, col};
      }
    }
  }
};

/// A thread's share of a chunk of Aᵀ: two adjacent columns of A, which are its two rows, for four terms of
/// every step.
struct LeftNumbers {
  float2 x[chunk_steps][4];

  __device__ void load(const ConstView<float>& a, int column, int row, int end, const MmaThread& thread) {
    const float* at = a.row(row + 2 * thread.pair) + column;
#pragma unroll
    for (int s = 0; s < chunk_steps; ++s) {
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int k = s * mma_depth + i % 2 + i / 2 * 8;
        x[s][i] = load_early(reinterpret_cast<const float2*>(at + k * a.stride),
                             row + 2 * thread.pair + k < end && column < a.cols);
      }
    }
  }
  __device__ void split_into(ThreeLeftParts& parts, unsigned& most_upper, unsigned& most_lower) const {
#pragma unroll
    for (int s = 0; s < chunk_steps; ++s) {
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        const float2 p = x[s][2 * i], q = x[s][2 * i + 1];
        parts.set(s, 2 * i, p.x, q.x);
        parts.set(s, 2 * i + 1, p.y, q.y);
        most_upper = max(most_upper, max(magnitude(p.x), magnitude(q.x)));
        most_lower = max(most_lower, max(magnitude(p.y), magnitude(q.y)));
      }
    }
  }
};

/// A producer's share of a chunk of B: some units, each of eight terms of one column.
template <int n>
struct RightNumbers {
  static constexpr int units = chunk_depth / 8 * n, each = (units + producers - 1) / producers;
  float x[each][8];

  __device__ void load(const RightSource& right, int column, int row, int end, int thread) {
#pragma unroll
    for (int u = 0; u < each; ++u) {
      const int unit = thread + u * producers, k = row + unit / n * 8, j = column + unit % n;
      const bool inside = unit < units && j < right.columns;
      const float* at = right.data + k * right.k_stride + j;
#pragma unroll
      for (int i = 0; i < 8; ++i) x[u][i] = load_early(at + i * right.k_stride, inside && k + i < end);
    }
  }
  __device__ void split_into(std::uint8_t* chunk, unsigned (&most)[each], int thread) const {
#pragma unroll
    for (int u = 0; u < each; ++u) {
      const int unit = thread + u * producers;
      std::uint32_t high[4], middle[4], low[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const ThreePartsOfTwo parts = three_parts(x[u][2 * i], x[u][2 * i + 1]);
        high[i] = parts.high;
        middle[i] = parts.middle;
        low[i] = parts.low;
        most[u] = max(most[u], max(magnitude(x[u][2 * i]), magnitude(x[u][2 * i + 1])));
      }
      if (unit >= units) continue;
      uint4* at = reinterpret_cast<uint4*>(chunk) + unit;
      at[0] = {high[0], high[1], high[2], high[3]};
      at[part_bytes<n> / 16] = {middle[0], middle[1], middle[2], middle[3]};
      at[2 * part_bytes<n> / 16] = {low[0], low[1], low[2], low[3]};
    }
  }
};

/// How many rows ahead of the sum matrices are brought near.
constexpr int ahead = 8 * chunk_depth;

/// 128 threads bring `columns` columns (128 at most) of a chunk of rows into the second-level cache.
__device__ void bring_rows_near(const float* data, Index stride, int columns, int row, int end, int thread) {
  row += thread / 4;
  if (row < end && thread % 4 * 32 < columns) bring_near(data + row * stride + thread % 4 * 32);
}

/// One block computes a share of the sum of one tile of C. Two groups of 128 threads compute 64 rows each.
/// Two teams of 128 split B into shared memory, in turns.
template <int n>
__global__ void __launch_bounds__(threads, 1)
    split_sum_kernel(ConstView<float> a, RightSource b, Tiles tiles, int count, int share, float* out) {
  cuda::await_previous();
  extern __shared__ __align__(128) std::uint8_t buffers[];
  __shared__ Ring<stages> ring;
  __shared__ std::uint64_t producers_done;
  __shared__ unsigned most_of_column[n];
  const int2 tile = tiles.at(static_cast<int>(blockIdx.x) % count);
  const int begin = static_cast<int>(blockIdx.x) / count * share;
  const int end = min(begin + share, static_cast<int>(a.rows));
  const int column = tile.y * n;
  if (threadIdx.x == 0) {
    barrier_start(&producers_done, teams * producers);
    ring.start(producers, consumers / 32);
  }
  if (threadIdx.x < n) most_of_column[threadIdx.x] = 0;
  __syncthreads();

  RingPlace<stages> at;
  if (threadIdx.x >= consumers) {
    give_registers<80>();
    const int thread = static_cast<int>(threadIdx.x) % producers;
    const int team = (static_cast<int>(threadIdx.x) - consumers) / producers;
    RightNumbers<n> next;
    unsigned most[RightNumbers<n>::each] = {};
    if (team == 1) at.advance();
    next.load(b, column, begin + team * chunk_depth, end, thread);
    for (int row = begin + team * chunk_depth; row < end; row += teams * chunk_depth) {
      ring.wait_for_room(at);
      next.split_into(buffers + at.stage * three_parts_bytes<n>, most, thread);
      publish_to_tensor_cores();
      barrier_arrive(&ring.full[at.stage]);
      next.load(b, column, row + teams * chunk_depth, end, thread);
      bring_rows_near(b.data + column, b.k_stride, min(n, static_cast<int>(b.columns) - column), row + ahead,
                      end, thread);
      at.advance();
      at.advance();
    }
#pragma unroll
    for (int u = 0; u < RightNumbers<n>::each; ++u) {
      const int unit = thread + u * producers;
      if (unit < RightNumbers<n>::units) atomicMax(&most_of_column[unit % n], most[u]);
    }
    barrier_arrive(&producers_done);
  } else {
    take_registers<168>();
    const MmaThread thread(threadIdx.x);
    // Rows r and r + 8 of a product are two adjacent columns of A.
    const int strip = tile.x * tile_rows + static_cast<int>(threadIdx.x) / 128 * 64;
    const int left = strip + 16 * thread.warp + 2 * (thread.row % 8);
    const bool idle = strip >= a.cols;  // a group without columns of A only passes the ring on
    float total[n / 2] = {};
    unsigned most_upper = 0, most_lower = 0;
    LeftNumbers next;
    next.load(a, left, begin, end, thread);
    for (int row = begin; row < end; row += chunk_depth) {
      if (idle) {
        ring.wait_for_data(at);
      } else {
        ThreeLeftParts parts;
        next.split_into(parts, most_upper, most_lower);
        next.load(a, left, row + chunk_depth, end, thread);
        bring_rows_near(a.data + strip, a.stride, min(64, static_cast<int>(a.cols) - strip), row + ahead, end,
                        threadIdx.x % 128);
        ring.wait_for_data(at);
        float sum[n / 2];
        start_chunk<n>(parts, shared_address(buffers + at.stage * three_parts_bytes<n>), sum);
        mma_wait<0>(sum);
#pragma unroll
        for (int i = 0; i < n / 2; ++i) total[i] += sum[i];
      }
      __syncwarp();
      if (threadIdx.x % 32 == 0) barrier_arrive(&ring.empty[at.stage]);
      at.advance();
    }
    barrier_wait(&producers_done, 0);
    most_upper = largest_of_row(most_upper);
    most_lower = largest_of_row(most_lower);
    bool plain = cannot_split(most_upper) || cannot_split(most_lower);
    for (int j = static_cast<int>(threadIdx.x % 32); j < n; j += 32)
      plain = plain || cannot_split(most_of_column[j]);
    float* to =
        out + (static_cast<Index>(blockIdx.x) * tile_rows + left - tile.x * tile_rows) * n + 2 * thread.pair;
    if (__any_sync(0xffffffffu, plain)) {
#pragma unroll 1
      for (int j = 0; j < n; j += 8) {
        const float4 sum = plain_sums(left < a.cols ? a.data + left : nullptr,
                                      left + 1 < a.cols ? a.data + left + 1 : nullptr, a.stride, b,
                                      column + 2 * thread.pair + j, begin, end);
        *reinterpret_cast<float2*>(to + j) = {sum.x, sum.y};
        *reinterpret_cast<float2*>(to + n + j) = {sum.z, sum.w};
      }
    } else {
#pragma unroll
      for (int j = 0; j < n / 8; ++j) {
        *reinterpret_cast<float2*>(to + 8 * j) = {total[4 * j], total[4 * j + 1]};
        *reinterpret_cast<float2*>(to + n + 8 * j) = {total[4 * j + 2], total[4 * j + 3]};
      }
    }
  }
}

/// Adds up the shares of the tile that blockIdx.y numbers.
template <int n>
__global__ void __launch_bounds__(256) add_shares_kernel(const float* parts, Tiles tiles, int count,
                                                         int shares, float alpha, float beta, View<float> c) {
  cuda::await_previous();
  const int2 tile = tiles.at(static_cast<int>(blockIdx.y));
  const int entry = static_cast<int>(blockIdx.x * 256 + threadIdx.x);
  const Index row = static_cast<Index>(tile.x) * tile_rows + entry / n,
              col = static_cast<Index>(tile.y) * n + entry % n;
  if (entry >= tile_rows * n || row >= c.rows || col >= c.cols) return;
  double sum = 0;
#pragma unroll 4
  for (int s = 0; s < shares; ++s)
    sum += parts[(static_cast<Index>(s) * count + blockIdx.y) * tile_rows * n + entry];
  float* to = c.row(row) + col;
  *to = static_cast<float>(alpha * sum) + (beta == 0 ? 0.0f : beta * *to);
}

int divided(Index count, int by) {
  return static_cast<int>((count + by - 1) / by);
}

}  // namespace

SplitSum::SplitSum(ConstView<float> a, ConstView<float> b, Region wanted, int multiprocessors)
    : a_(a),
      b_(b),
      wanted_(wanted),
      width_(tile_width(b.cols, 3)),
      down_(divided(a.cols, tile_rows)),
      across_(divided(b.cols, width_)),
      tiles_(0) {
  for (int row = 0; row < down_; ++row) {
    for (int col = 0; col < across_; ++col)
      tiles_ += Tiles::wanted(row, col, width_, wanted == Region::lower) ? 1 : 0;
  }
  const int most = divided(a.rows, 4 * chunk_depth);  // a share takes longer than to add it to others
  rows_ = divided(a.rows, std::clamp(multiprocessors / tiles_, 1, most));
  rows_ = (rows_ + chunk_depth - 1) / chunk_depth * chunk_depth;
  shares_ = static_cast<int>((a.rows + rows_ - 1) / rows_);
}

bool SplitSum::possible() const {
  return vectorised(a_, 2);
}

std::size_t SplitSum::bytes() const {
  return sizeof(float) * static_cast<std::size_t>(shares_) * static_cast<std::size_t>(tiles_) *
         static_cast<std::size_t>(tile_rows * width_);
}

void SplitSum::compute(float alpha, float beta, View<float> c, void* memory, const Queue& stream) const {
  const Tiles tiles{across_, width_, wanted_ == Region::lower};
  const RightSource right{b_.data, b_.stride, 1, b_.cols};
  with_width(width_, [&]<int n>() {
    constexpr int bytes = stages * three_parts_bytes<n>;
    GDKM_CUDA(cudaFuncSetAttribute(split_sum_kernel<n>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    launch(split_sum_kernel<n>, static_cast<unsigned>(tiles_ * shares_), threads, bytes, stream, a_, right,
           tiles, tiles_, static_cast<int>(rows_), static_cast<float*>(memory));
    launch(add_shares_kernel<n>, dim3(blocks_for(tile_rows * n, 256), static_cast<unsigned>(tiles_)), 256, 0,
           stream, static_cast<const float*>(memory), tiles, tiles_, shares_, alpha, beta, c);
  });
}

}  // namespace gdkm::cuda
