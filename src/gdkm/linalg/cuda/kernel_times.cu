#include "gdkm/kernels/with_kernel.hpp"
#include "gdkm/linalg/cuda/column_reduce.hpp"
#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/kernel_rows.hpp"

namespace gdkm {

namespace {
using namespace cuda;

/// How the rows of an n×m kernel are taken: so many at a time that product → nonlinearity → product stays in
/// the second-level cache, and about as many each time.
template <class T>
struct Chunks {
  Index stride, rows, count;
  unsigned across;
  Chunks(Index n, Index m, std::size_t cache_bytes)
      : stride((m + pack_width<T> - 1) / pack_width<T> * pack_width<T>),
        across(kernel_threads(m, pack_width<T>)) {
    const Index fit = static_cast<Index>(cache_bytes / 2) / (std::max<Index>(1, stride) * Index{sizeof(T)});
    const Index most = std::max<Index>(4096, fit);
    count = std::max<Index>(1, (n + most - 1) / most);
    rows = std::min(n, ((n + count - 1) / count + 127) / 128 * 128);
    count = rows == 0 ? 0 : (n + rows - 1) / rows;
  }
  dim3 threads() const { return {across, 256 / across}; }
};

/// Adds up what the blocks of kernel_rows_backward_kernel have left.
template <class T>
struct AddColumns {
  static constexpr int sums = 1;
  ConstView<T> parts;
  T* out;
  template <int width>
  __device__ void add(Index r, Index j, double (&sum)[1][width]) const {
    const auto x = load<width>(parts.row(r) + j);
    for (int i = 0; i < width; ++i) sum[0][i] += static_cast<double>(x.v[i]);
  }
  __device__ void finish(Index j, const double (&total)[1]) const { out[j] += static_cast<T>(total[0]); }
};
}  // namespace

template <class T>
void CudaBackend<T>::kernel_times(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i,
                                  ConstView<T> s_i, Fill /*fill*/, ConstView<T> s, View<T> out) {
  const Index n = f_t.rows, m = f_i.rows;
  const Chunks<T> chunks(n, m, cache_bytes_);
  T* memory = scratch(chunks.rows * chunks.stride);
  const unsigned down = 256 / chunks.across, segments = blocks_for(m, chunks.across * pack_width<T>);
  for (Index begin = 0; begin < n; begin += chunks.rows) {
    const Index rows = std::min(chunks.rows, n - begin);
    const View<T> k(memory, rows, m, chunks.stride);
    this->gemm(T(1), Op::none, f_t.block_rows(begin, rows), Op::transpose, f_i, T(0), k);
    const int each = kernel_rows(rows, chunks.across, multiprocessors_);
    with_kernel(kind, [&]<template <class> class K>() {
      launch(kernel_rows_kernel<K, T>, dim3(blocks_for(rows, down * each), segments), chunks.threads(), 0,
             stream_, k, each, s_t.data + begin, s_i.data);
    });
    this->gemm(T(1), Op::none, k, Op::none, s, T(0), out.block_rows(begin, rows));
  }
}

template <class T>
void CudaBackend<T>::kernel_times_backward(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t,
                                           ConstView<T> f_i, ConstView<T> s_i, Fill /*fill*/, ConstView<T> s,
                                           ConstView<T> out_bar, View<T> s_bar, T beta, View<T> f_t_bar,
                                           View<T> f_i_bar, View<T> s_i_bar, View<T> s_t_bar) {
  const Index n = f_t.rows, m = f_i.rows;
  if (n == 0) return fill(s_bar, T(0));
  const Chunks<T> chunks(n, m, cache_bytes_);
  const unsigned down = 256 / chunks.across;
  const int each = kernel_rows(chunks.rows, chunks.across, multiprocessors_);
  const Index blocks_each = blocks_for(chunks.rows, down * each);
  const Index parts =
      (chunks.count - 1) * blocks_each + blocks_for(n - (chunks.count - 1) * chunks.rows, down * each);
  // Two blocks of rows, the sums of columns that blocks leave, and memory to add these up.
  const bool packs = m % pack_width<T> == 0;
  const ColumnBlocks sums(parts, m, packs ? pack_width<T> : 1, multiprocessors_);
  const Index block_size = chunks.rows * chunks.stride, columns_size = (parts * m + 1) / 2 * 2;
  T* memory = scratch(2 * block_size + columns_size + (sums.down * m * sizeof(double)) / sizeof(T));
  T* columns = memory + 2 * block_size;
  double* partial = reinterpret_cast<double*>(columns + columns_size);

  const bool norms_are_rows = s_t_bar.empty();  // then s_t = ‖F_t‖, and F̄_t receives what reaches it
  const bool packed_rows = packed(f_t, f_t_bar);
  for (Index begin = 0, chunk = 0; begin < n; begin += chunks.rows, ++chunk) {
    const Index rows = std::min(chunks.rows, n - begin);
    const auto f = f_t.block_rows(begin, rows), o_bar = out_bar.block_rows(begin, rows);
    const auto f_bar = f_t_bar.block_rows(begin, rows);
    const View<T> k(memory, rows, m, chunks.stride), g_bar(memory + block_size, rows, m, chunks.stride);
    this->gemm(T(1), Op::none, f, Op::transpose, f_i, T(0), k);
    this->gemm(T(1), Op::none, o_bar, Op::transpose, s, T(0), g_bar);  // K̄
    const NormGradients<T> norms{columns + chunk * blocks_each * m,
                                 norms_are_rows ? nullptr : s_t_bar.data + begin, f, beta, f_bar};
    with_kernel(kind, [&]<template <class> class K>() {
      const auto kernel = packed_rows ? kernel_rows_backward_kernel<K, pack_width<T>, T>
                                      : kernel_rows_backward_kernel<K, 1, T>;
      launch(kernel, blocks_for(rows, down * each), chunks.threads(), 0, stream_, k, g_bar, each,
             s_t.data + begin, s_i.data, norms);
    });
    this->gemm(T(1), Op::transpose, k, Op::none, o_bar, chunk == 0 ? T(0) : T(1), s_bar);
    this->gemm(T(1), Op::transpose, g_bar, Op::none, f, T(1), f_i_bar);
    this->gemm(T(1), Op::none, g_bar, Op::none, f_i, norms_are_rows ? T(1) : beta, f_bar);
  }
  column_reduce<T>(
      stream_, multiprocessors_, parts, m, packs, AddColumns<T>{{columns, parts, m}, s_i_bar.data},
      [partial](Index) { return partial; }, counters_, counter_count);
}

#define GDKM_INSTANTIATE(T)                                                                                 \
  template void CudaBackend<T>::kernel_times(KernelKind, ConstView<T>, ConstView<T>, ConstView<T>,          \
                                             ConstView<T>, Fill, ConstView<T>, View<T>);                    \
  template void CudaBackend<T>::kernel_times_backward(KernelKind, ConstView<T>, ConstView<T>, ConstView<T>, \
                                                      ConstView<T>, Fill, ConstView<T>, ConstView<T>,       \
                                                      View<T>, T, View<T>, View<T>, View<T>, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
