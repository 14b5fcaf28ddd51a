#include "gdkm/linalg/cuda/launch.hpp"
#include "gdkm/linalg/cuda/split/barrier.hpp"
#include "gdkm/linalg/cuda/split/early_load.hpp"
#include "gdkm/linalg/cuda/split/split_products.hpp"
#include "gdkm/linalg/cuda/split/tile_width.hpp"
#include "gdkm/linalg/cuda/split/two_parts.hpp"

namespace gdkm::cuda {

namespace {

constexpr int tile_rows = 64;

/// The groups of 128 threads of a block. Two of them have the registers for the sums of a wide tile.
template <int n>
inline constexpr int groups = n > 128 ? 2 : 3;
template <int n>
inline constexpr int threads = 128 * groups<n>;

/// The right factor as the kernel sees it: some of its chunks.
struct Right {
  const std::uint8_t* parts;
  const unsigned* largest;  // of every column
  RightSource source;
  Index inner;
  int chunks, tiles, first, last;  // the chunks [first, last) are used
  Region part;

  /// The chunks in which a tile of n columns has entries.
  __device__ int begin(int tile, int n) const {
    return part == Region::lower ? max(first, min(last, tile * n / chunk_depth)) : first;
  }
  __device__ int end(int tile, int n) const {
    return part == Region::upper ? max(first, min(last, ((tile + 1) * n + chunk_depth - 1) / chunk_depth))
                                 : last;
  }
};

/// A thread's share of a chunk of A: four adjacent numbers of two rows, for every step.
struct LeftNumbers {
  float4 upper[chunk_steps], lower[chunk_steps];

  __device__ void load(const ConstView<float>& a, int row, int chunk, const MmaThread& thread) {
    const int rows = static_cast<int>(a.rows), cols = static_cast<int>(a.cols);
    const float* at = a.row(row);
#pragma unroll
    for (int s = 0; s < chunk_steps; ++s) {
      const int k = chunk * chunk_depth + s * mma_depth + 4 * thread.pair;
      upper[s] = load_early(reinterpret_cast<const float4*>(at + k), row < rows && k < cols);
      lower[s] =
          load_early(reinterpret_cast<const float4*>(at + 8 * a.stride + k), row + 8 < rows && k < cols);
    }
  }
  static __device__ unsigned largest(const float4& x) {
    return max(max(magnitude(x.x), magnitude(x.y)), max(magnitude(x.z), magnitude(x.w)));
  }
};

/// A chunk of A, ready for the tensor cores, and what its sums are to be multiplied by.
template <int parts_of_each>
struct Left {
  LeftParts<parts_of_each> parts;
  float upper_scale, lower_scale;

  __device__ void split(const LeftNumbers& x, unsigned& most_upper, unsigned& most_lower) {
    unsigned upper = 0, lower = 0;
#pragma unroll
    for (int s = 0; s < chunk_steps; ++s) {
      upper = max(upper, LeftNumbers::largest(x.upper[s]));
      lower = max(lower, LeftNumbers::largest(x.lower[s]));
    }
    upper = largest_of_row(upper);
    lower = largest_of_row(lower);
    most_upper = max(most_upper, upper);
    most_lower = max(most_lower, lower);
    const float up = scale_to_half(upper), low = scale_to_half(lower);
#pragma unroll
    for (int s = 0; s < chunk_steps; ++s) {
      parts.set(s, 0, x.upper[s].x, x.upper[s].y, up);
      parts.set(s, 1, x.lower[s].x, x.lower[s].y, low);
      parts.set(s, 2, x.upper[s].z, x.upper[s].w, up);
      parts.set(s, 3, x.lower[s].z, x.lower[s].w, low);
    }
    upper_scale = scale_from_half(upper);
    lower_scale = scale_from_half(lower);
  }
  template <int count>
  __device__ void add(const float (&sum)[count], float (&total)[count]) const {
#pragma unroll
    for (int i = 0; i < count; i += 4) {
      total[i] = fmaf(sum[i], upper_scale, total[i]);
      total[i + 1] = fmaf(sum[i + 1], upper_scale, total[i + 1]);
      total[i + 2] = fmaf(sum[i + 2], lower_scale, total[i + 2]);
      total[i + 3] = fmaf(sum[i + 3], lower_scale, total[i + 3]);
    }
  }
};

__device__ void write_pair(float scale_x, float scale_y, float x, float y, float beta, float* to) {
  float2 out{scale_x * x, scale_y * y};
  if (beta != 0) {
    const float2 old = *reinterpret_cast<const float2*>(to);
    out.x += beta * old.x;
    out.y += beta * old.y;
  }
  *reinterpret_cast<float2*>(to) = out;
}

/// A block keeps one tile of columns of the right factor in shared memory. Each of its groups of 128
/// threads multiplies every so-manieth 64 rows by it, and does not wait for the others: while the tensor
/// cores compute for one, others add up what they have and split what comes next.
template <int n, int parts>
__global__ void __launch_bounds__(threads<n>, 1)
    times_split_kernel(float alpha, ConstView<float> a, Right right, float beta, View<float> c) {
  cuda::await_previous();
  constexpr int chunk_bytes = parts * part_bytes<n>;
  extern __shared__ __align__(128) std::uint8_t chunks[];
  __shared__ std::uint64_t copied;
  __shared__ float scale[n];
  __shared__ int plain_right;
  const int tile = static_cast<int>(blockIdx.x) % right.tiles;
  const int begin = right.begin(tile, n), end = right.end(tile, n);
  if (threadIdx.x == 0) {
    plain_right = 0;
    barrier_start(&copied, 1);
    barrier_publish();
    barrier_arrive_and_expect(&copied, static_cast<unsigned>(end - begin) * chunk_bytes);
    for (int chunk = begin; chunk < end; ++chunk) {
      copy_bytes(chunks + (chunk - begin) * chunk_bytes,
                 right.parts + (static_cast<Index>(tile) * right.chunks + chunk) * chunk_bytes, chunk_bytes,
                 &copied);
    }
  }
  __syncthreads();
  if (threadIdx.x < n) {
    const unsigned largest = right.largest[tile * n + threadIdx.x];
    scale[threadIdx.x] = alpha * scale_from_half(largest);
    if (cannot_split(largest)) plain_right = 1;
  }
  __syncthreads();
  barrier_wait(&copied, 0);

  const MmaThread thread(threadIdx.x);
  const int rows = static_cast<int>(a.rows), blocks = static_cast<int>(gridDim.x) / right.tiles,
            step = blocks * groups<n> * tile_rows;
  // First one group of every block gets rows, then the second: few rows are spread over many blocks.
  int row =
      (static_cast<int>(threadIdx.x) / 128 * blocks + static_cast<int>(blockIdx.x) / right.tiles) * tile_rows;
  const int column = tile * n + 2 * thread.pair;
  const std::uint32_t base = shared_address(chunks);
  LeftNumbers next;
  next.load(a, row + thread.row, begin, thread);
  for (; row < rows; row += step) {
    float total[n / 2] = {};
    unsigned most_upper = 0, most_lower = 0;
    for (int chunk = begin; chunk < end; ++chunk) {
      Left<parts> left;
      left.split(next, most_upper, most_lower);
      const bool last = chunk + 1 == end;
      next.load(a, (last ? row + step : row) + thread.row, last ? begin : chunk + 1, thread);
      if (thread.pair < 2 && row + step + thread.row + 8 * thread.pair < rows)
        bring_near(a.row(row + step + thread.row + 8 * thread.pair) + chunk * chunk_depth);
      float sum[n / 2];
      start_chunk<n>(left.parts, base + (chunk - begin) * chunk_bytes, sum);
      mma_wait<0>(sum);
      left.add(sum, total);
    }
    const bool plain = plain_right != 0 || cannot_split(most_upper) || cannot_split(most_lower);
    const int upper = row + thread.row, lower = upper + 8;
    float* to = c.row(upper) + column;
    if (__any_sync(0xffffffffu, plain)) {
#pragma unroll 1
      for (int j = 0; j < n && column + j < c.cols; j += 8) {
        const float4 sum =
            plain_sums(upper < rows ? a.row(upper) : nullptr, lower < rows ? a.row(lower) : nullptr, 1,
                       right.source, column + j, static_cast<Index>(begin) * chunk_depth,
                       min(static_cast<Index>(end) * chunk_depth, right.inner));
        if (upper < rows) write_pair(alpha, alpha, sum.x, sum.y, beta, to + j);
        if (lower < rows) write_pair(alpha, alpha, sum.z, sum.w, beta, to + 8 * c.stride + j);
      }
    } else {
#pragma unroll
      for (int j = 0; j < n / 8; ++j) {
        if (column + 8 * j >= c.cols) break;
        const float x = scale[8 * j + 2 * thread.pair], y = scale[8 * j + 2 * thread.pair + 1];
        if (upper < rows) write_pair(x, y, total[4 * j], total[4 * j + 1], beta, to + 8 * j);
        if (lower < rows)
          write_pair(x, y, total[4 * j + 2], total[4 * j + 3], beta, to + 8 * c.stride + 8 * j);
      }
    }
  }
}

/// The shared memory that a block may have for chunks, on every GPU with compute capability 9.0.
constexpr int most_bytes = 224 * 1024;

}  // namespace

bool can_split(const cudaDeviceProp& properties) {
  if (properties.major != 9 || properties.minor != 0) return false;
  cudaFuncAttributes attributes{};
  const cudaError_t status = cudaFuncGetAttributes(&attributes, times_split_kernel<80, 2>);
  static_cast<void>(cudaGetLastError());
  return status == cudaSuccess;
}

bool takes_rows(ConstView<float> a, ConstView<float> c) {
  return vectorised(a, 4) && vectorised(c, 2);
}

void times_split(float alpha, ConstView<float> a, const SplitRight& right, float beta, View<float> c,
                 int multiprocessors, const Queue& stream) {
  assert(a.cols == right.inner() && c.rows == a.rows && c.cols == right.cols() && takes_rows(a, c));
  const bool plain = right.op == Op::none;
  const RightSource source{right.b.data, plain ? right.b.stride : 1, plain ? 1 : right.b.stride,
                           right.cols()};
  const Index row_tiles = (a.rows + tile_rows - 1) / tile_rows;
  const Index blocks = std::clamp<Index>(multiprocessors / right.tiles, 1, std::max<Index>(1, row_tiles));
  const auto run = [&]<int n, int parts>() {
    constexpr int chunk_bytes = parts * part_bytes<n>, most = most_bytes / chunk_bytes;
    const auto kernel = times_split_kernel<n, parts>;
    for (int first = 0; first < right.chunks; first += most) {
      const int last = std::min(right.chunks, first + most);
      const Right some{static_cast<const std::uint8_t*>(right.memory),
                       right.largest(),
                       source,
                       right.inner(),
                       right.chunks,
                       right.tiles,
                       first,
                       last,
                       right.part};
      const int bytes = (last - first) * chunk_bytes;
      GDKM_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
      launch(kernel, static_cast<unsigned>(blocks * right.tiles), threads<n>, static_cast<std::size_t>(bytes),
             stream, alpha, a, some, first == 0 ? beta : 1.0f, c);
    }
  };
  if (right.width == widest_of_one_part) return run.template operator()<widest_of_one_part, 1>();
  with_width(right.width, [&]<int n>() {
    right.parts == 2 ? run.template operator()<n, 2>() : run.template operator()<n, 1>();
  });
}

}  // namespace gdkm::cuda
