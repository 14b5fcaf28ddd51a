#include <cuda_fp16.h>

#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/half_rows.hpp"
#include "gdkm/linalg/cuda/sparse_rows.hpp"

namespace gdkm {

namespace {
using namespace cuda;

template <int lanes, int width, int depth, class T, class S>
void launch_rows(const Queue& stream, int multiprocessors, std::size_t cache_bytes, Index entries,
                 SparseProduct<T, S> p) {
  // Chunks of equal width; with packs, a multiple of 32 bytes (a sector).
  constexpr Index unit = width > 1 ? 2 * width : 1;
  const Index most = lanes * width, chunks = (p.c.cols + most - 1) / most;
  p.chunk = static_cast<int>(std::min(most, ((p.c.cols + chunks - 1) / chunks + unit - 1) / unit * unit));
  const unsigned across = blocks_for(p.c.cols, p.chunk);
  // Starting a block costs time, so a block gets as many rows as leave enough blocks for all multiprocessors,
  // but not many more than 8192 entries, because blocks would then end at very different times.
  const Index share = p.rows * across / (16 * multiprocessors),
              balanced = 8192 * p.rows / std::max<Index>(1, entries);
  p.rows_each = static_cast<int>(std::clamp<Index>(std::min(share, balanced), 8, most_sparse_rows));
  const auto slab = static_cast<std::size_t>(p.b.rows * p.chunk) * sizeof(S);
  p.streaming = slab > cache_bytes / 2;
  launch(sparse_rows_kernel<lanes, width, depth, T, S>, dim3(blocks_for(p.rows, p.rows_each), across), 256, 0,
         stream, p);
}

/// The number of columns of B to handle at a time, so that they fit into the cache. If rows of B are read
/// many times, they should fill at most half of it (Reddit: 493 times, 32 columns are best). Otherwise narrow
/// chunks, which read the entries of A once per chunk, cost more than reading rows of B twice (ogbn-arxiv: 15
/// times, 64 columns in three quarters of the cache are best, if C bypasses it).
template <class S>
Index cached_columns(Index rows, Index entries, std::size_t cache_bytes) {
  rows = std::max<Index>(1, rows);
  const auto bytes = static_cast<Index>(entries >= 64 * rows ? cache_bytes / 2 : cache_bytes / 4 * 3);
  return bytes / (rows * Index{sizeof(S)});
}

/// Whether B is worth rounding, which reads and writes it once: its rows are read so many times.
constexpr Index least_reads_to_round = 8;
}  // namespace

template <class T>
void CudaBackend<T>::spmm(T alpha, Op op, const Sparse<T>& a, ConstView<T> b, T beta, View<T> c) {
  const auto& part = op == Op::none ? a.direct() : a.transposed();
  assert(part.rows == c.rows && part.cols == b.rows && b.cols == c.cols);
  if (c.empty()) return;
  const auto entries = static_cast<Index>(part.col.size());
  const Index long_row = std::max<Index>(512, 4 * entries / part.rows);
  const auto product = [&]<class S>(ConstView<S> stored, const T* factor) {
    return SparseProduct<T, S>{part.rows,
                               part.row_start.data(),
                               part.col.data(),
                               part.value.data(),
                               alpha,
                               beta,
                               stored,
                               factor,
                               c,
                               0,
                               0,
                               long_row,
                               false};
  };
  const auto rows = [&]<int lanes, int width, int depth>(const auto& p) {
    launch_rows<lanes, width, depth>(stream_, multiprocessors_, cache_bytes_, entries, p);
  };
  const auto packs = [&]<int width, class S>(const SparseProduct<T, S>& p) {
    const Index fit = cached_columns<S>(b.rows, entries, cache_bytes_);
    if (c.cols <= 8 * width || fit < 16 * width) return rows.template operator()<8, width, 4>(p);
    if (c.cols <= 16 * width || fit < 32 * width) return rows.template operator()<16, width, 4>(p);
    rows.template operator()<32, width, 8>(p);
  };
  constexpr int width = pack_width<T>;
  if constexpr (std::is_same_v<T, float>) {
    if (options_.math == MathMode::tf32 && entries >= least_reads_to_round * b.rows && vectorised(b, width) &&
        vectorised(c, 2 * width)) {
      const HalfRows half(b.rows, b.cols, grown(rounded_, HalfRows::bytes(b.rows, b.cols)));
      half.round(b, stream_);
      return packs.template operator()<2 * width>(product(ConstView<__half>(half.numbers), half.factor));
    }
  }
  const auto p = product(b, nullptr);
  if (vectorised(b, width) && vectorised(c, width)) return packs.template operator()<width>(p);
  if (c.cols == 1) return rows.template operator()<1, 1, 1>(p);
  if (c.cols <= 8) return rows.template operator()<8, 1, 4>(p);
  rows.template operator()<32, 1, 8>(p);
}

#define GDKM_INSTANTIATE(T) \
  template void CudaBackend<T>::spmm(T, Op, const Sparse<T>&, ConstView<T>, T, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
