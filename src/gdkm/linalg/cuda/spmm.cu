#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/sparse_rows.hpp"

namespace gdkm {

namespace {
using namespace cuda;

template <int lanes, int width, int depth, class T>
void launch_rows(cudaStream_t stream, int multiprocessors, SparseProduct<T> p) {
  // Chunks of equal width, whole sectors of 32 bytes each where packs are read.
  constexpr Index unit = width > 1 ? 2 * width : 1;
  const Index most = lanes * width, chunks = (p.c.cols + most - 1) / most;
  p.chunk = static_cast<int>(std::min(most, ((p.c.cols + chunks - 1) / chunks + unit - 1) / unit * unit));
  const unsigned across = blocks_for(p.c.cols, p.chunk);
  p.rows_each =
      static_cast<int>(std::clamp<Index>(p.rows * across / (16 * multiprocessors), 8, most_sparse_rows));
  launch(sparse_rows_kernel<lanes, width, depth, T>, dim3(blocks_for(p.rows, p.rows_each), across), 256, 0,
         stream, p);
}

/// How many columns of a B with n rows fit into half of the cache.
template <class T>
Index cached_columns(Index n, std::size_t cache_bytes) {
  return static_cast<Index>(cache_bytes / 2) / (std::max<Index>(1, n) * Index{sizeof(T)});
}
}  // namespace

template <class T>
void CudaBackend<T>::spmm(T alpha, Op op, const Sparse<T>& a, ConstView<T> b, T beta, View<T> c) {
  const auto& part = op == Op::none ? a.direct() : a.transposed();
  assert(part.rows == c.rows && part.cols == b.rows && b.cols == c.cols);
  if (c.empty()) return;
  const auto entries = static_cast<Index>(part.col.size());
  SparseProduct<T> p{part.rows,
                     part.row_start.data(),
                     part.col.data(),
                     part.value.data(),
                     alpha,
                     beta,
                     b,
                     c,
                     0,
                     0,
                     std::max<Index>(512, 4 * entries / part.rows)};
  constexpr int width = pack_width<T>;
  if (vectorised(b, width) && vectorised(c, width)) {
    const Index fit = cached_columns<T>(b.rows, cache_bytes_);
    if (c.cols <= 8 * width || fit < 16 * width)
      return launch_rows<8, width, 4>(stream_, multiprocessors_, p);
    if (c.cols <= 16 * width || fit < 32 * width)
      return launch_rows<16, width, 4>(stream_, multiprocessors_, p);
    return launch_rows<32, width, 8>(stream_, multiprocessors_, p);
  }
  if (c.cols == 1) return launch_rows<1, 1, 1>(stream_, multiprocessors_, p);
  if (c.cols <= 8) return launch_rows<8, 1, 4>(stream_, multiprocessors_, p);
  launch_rows<32, 1, 8>(stream_, multiprocessors_, p);
}

#define GDKM_INSTANTIATE(T) \
  template void CudaBackend<T>::spmm(T, Op, const Sparse<T>&, ConstView<T>, T, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
