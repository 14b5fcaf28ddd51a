#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/cuda/column_reduce.hpp"
#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/kernel_rows.hpp"

namespace gdkm {

namespace {
using namespace cuda;

/// How the rows of an n×m kernel are split into chunks of about equal size: a third of the rows (a sixth
/// where memory matters more than time), but at least 2¹³ and at most 2¹⁶ for m = 400 in float32 (fewer if a
/// row has more bytes). Backward stores two chunks. Larger ones take less time, but most of the memory of a
/// small graph. If products are computed in strips, chunks are large enough for that.
template <class T>
struct Chunks {
  Index stride, rows, count;
  unsigned across, down;   // threads of a block
  int each;                // rows of a thread
  Index blocks_each;       // blocks of a chunk
  Index parts;             // blocks of all chunks, each of which writes a row of sums
  Index columns, partial;  // memory for these rows, and to add them up
  Chunks(Index n, Index m, Index parts_of_rows, Index least, int multiprocessors)
      : stride((m + pack_width<T> - 1) / pack_width<T> * pack_width<T>),
        across(kernel_threads(m, pack_width<T>)),
        down(256 / across) {
    constexpr Index few = Index{1 << 13} * 400 * 4, many = 8 * few;  // bytes
    const Index row = std::max<Index>(1, stride) * Index{sizeof(T)};
    const Index most = std::max<Index>(4096, std::clamp(n / parts_of_rows, few / row, many / row));
    count = std::max<Index>(1, std::min((n + most - 1) / most, n / std::max<Index>(1, least)));
    rows = std::min(n, ((n + count - 1) / count + 127) / 128 * 128);
    count = rows == 0 ? 0 : (n + rows - 1) / rows;
    each = kernel_rows(rows, across, multiprocessors);
    blocks_each = blocks_for(rows, down * each);
    parts = rows == 0 ? 0 : (count - 1) * blocks_each + blocks_for(n - (count - 1) * rows, down * each);
    columns = (parts * m + 1) / 2 * 2;
    const ColumnBlocks sums(parts, m, packs(m) ? pack_width<T> : 1, multiprocessors);
    partial = sums.down * m * Index{sizeof(double) / sizeof(T)};
  }
  static bool packs(Index m) { return m % pack_width<T> == 0; }
  dim3 threads() const { return {across, down}; }
  Index size() const { return rows * stride; }
  /// The memory for backward. Forward reserves as much, because scratch that grows keeps the old memory, too.
  Index memory() const { return 2 * size() + columns + partial; }
};

/// Adds up the sums that the blocks of kernel_rows_backward_kernel wrote.
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

/// The fewest rows of a chunk whose products skip the zeros of F_i.
template <class T>
Index CudaBackend<T>::least_rows(Fill fill, Index m) const {
  return fill == Fill::lower && by_strips(least_rows_for_strips, m) ? least_rows_for_strips : 1;
}

template <class T>
void CudaBackend<T>::kernel_times(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i,
                                  ConstView<T> s_i, Fill fill, ConstView<T> s, View<T> out, View<T> kept) {
  const Index n = f_t.rows, m = f_i.rows;
  const Chunks<T> chunks(n, m, options_.recompute ? 6 : 3, least_rows(fill, m), multiprocessors_);
  T* memory = scratch(chunks.memory());
  const bool lower = fill == Fill::lower;
  const Rights rights =
      prepare({{Op::transpose, f_i, lower ? Region::upper : Region::all}, {Op::none, s}}, chunks.rows);
  const Right &to_points = rights[0], &weights = rights[1];
  const unsigned segments = blocks_for(m, chunks.across * pack_width<T>);
  for (Index begin = 0; begin < n; begin += chunks.rows) {
    const Index rows = std::min(chunks.rows, n - begin);
    const View<T> k(memory, rows, m, chunks.stride);
    const View<T> g = kept.empty() ? k : kept.block_rows(begin, rows);
    times(T(1), f_t.block_rows(begin, rows), to_points, T(0), g);
    with_kernel(kind, [&]<template <class> class K>() {
      launch(kernel_rows_kernel<K, T>, dim3(blocks_for(rows, chunks.down * chunks.each), segments),
             chunks.threads(), 0, stream_, g, packed(g), k, chunks.each, s_t.data + begin, s_i.data);
    });
    times(T(1), k, weights, T(0), out.block_rows(begin, rows));
  }
}

template <class T>
void CudaBackend<T>::kernel_times_backward(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t,
                                           ConstView<T> f_i, ConstView<T> s_i, Fill fill, ConstView<T> s,
                                           ConstView<T> out_bar, View<T> s_bar, T beta, View<T> f_t_bar,
                                           View<T> f_i_bar, View<T> s_i_bar, View<T> s_t_bar,
                                           ConstView<T> kept) {
  const Index n = f_t.rows, m = f_i.rows;
  if (n == 0) return this->fill(s_bar, T(0));
  const Chunks<T> chunks(n, m, options_.recompute ? 6 : 3, least_rows(fill, m), multiprocessors_);
  T* memory = scratch(chunks.memory());
  T* columns = memory + 2 * chunks.size();
  double* partial = reinterpret_cast<double*>(columns + chunks.columns);

  const bool lower = fill == Fill::lower;
  const Factor<T> back{Op::transpose, s}, from{Op::none, f_i, lower ? Region::lower : Region::all},
      to{Op::transpose, f_i, lower ? Region::upper : Region::all};
  const Rights rights =
      kept.empty() ? prepare({back, from, to}, chunks.rows) : prepare({back, from}, chunks.rows);
  const auto& [weights, from_points, to_points] = rights;  // the last is not used if G was kept
  const bool norms_are_rows = s_t_bar.empty();  // then s_t = ‖F_t‖, and its gradient is added to F̄_t
  const bool packed_rows = packed(f_t, f_t_bar);
  for (Index begin = 0, chunk = 0; begin < n; begin += chunks.rows, ++chunk) {
    const Index rows = std::min(chunks.rows, n - begin);
    const auto f = f_t.block_rows(begin, rows), o_bar = out_bar.block_rows(begin, rows);
    const auto f_bar = f_t_bar.block_rows(begin, rows);
    const View<T> k(memory, rows, m, chunks.stride), g_bar(memory + chunks.size(), rows, m, chunks.stride);
    const ConstView<T> g = kept.empty() ? ConstView<T>(k) : kept.block_rows(begin, rows);
    if (kept.empty()) times(T(1), f, to_points, T(0), k);
    times(T(1), o_bar, weights, T(0), g_bar);  // K̄
    const NormGradients<T> norms{columns + chunk * chunks.blocks_each * m,
                                 norms_are_rows ? nullptr : s_t_bar.data + begin, f, beta, f_bar};
    with_kernel(kind, [&]<template <class> class K>() {
      const auto kernel = packed_rows ? kernel_rows_backward_kernel<K, pack_width<T>, T>
                                      : kernel_rows_backward_kernel<K, 1, T>;
      launch(kernel, blocks_for(rows, chunks.down * chunks.each), chunks.threads(), 0, stream_, g, packed(g),
             k, g_bar, chunks.each, s_t.data + begin, s_i.data, norms);
    });
    sum_over_rows(T(1), k, o_bar, Region::all, chunk == 0 ? T(0) : T(1), s_bar);
    sum_over_rows(T(1), g_bar, f, lower ? Region::lower : Region::all, T(1), f_i_bar);
    times(T(1), g_bar, from_points, norms_are_rows ? T(1) : beta, f_bar);
  }
  column_reduce<T>(
      stream_, multiprocessors_, chunks.parts, m, chunks.packs(m),
      AddColumns<T>{{columns, chunks.parts, m}, s_i_bar.data}, [partial](Index) { return partial; },
      counters_, counter_count);
}

#define GDKM_INSTANTIATE(T)                                                                                 \
  template void CudaBackend<T>::kernel_times(KernelKind, ConstView<T>, ConstView<T>, ConstView<T>,          \
                                             ConstView<T>, Fill, ConstView<T>, View<T>, View<T>);           \
  template void CudaBackend<T>::kernel_times_backward(                                                      \
      KernelKind, ConstView<T>, ConstView<T>, ConstView<T>, ConstView<T>, Fill, ConstView<T>, ConstView<T>, \
      View<T>, T, View<T>, View<T>, View<T>, View<T>, ConstView<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
