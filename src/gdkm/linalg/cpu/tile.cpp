#include "gdkm/linalg/cpu/tile.hpp"

#include "gdkm/linalg/cpu/panel_copy.hpp"

// `flatten`, because a function that is not inlined would be compiled for baseline x86-64.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define GDKM_HAS_TILES_FOR_X86
#endif

namespace gdkm::panels {

namespace {

/// `count` vectors of `rows` rows. Loops over them are unrolled, so that `sum` is registers.
template <class T, int bytes, int rows, int count, bool transposed>
inline void compute(const Tile<T>& tile) {
  using V = Vector<T, bytes>;
  constexpr Index lanes = bytes / static_cast<Index>(sizeof(T));
  V sum[rows][count] = {};
  const T* left = tile.left;
  const Index stride = tile.left_stride;
  const V* right = reinterpret_cast<const V*>(tile.right);
  for (Index k = 0; k < tile.terms; ++k) {
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const T value = transposed ? left[k * stride + r] : left[r * stride + k];
#pragma GCC unroll 3
      for (int v = 0; v < count; ++v) sum[r][v] += value * right[v];
    }
    right += count;
  }
  const bool is_whole = tile.cols == count * lanes;
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r) {
    T* to = tile.out + r * tile.out_stride;
    if (is_whole) {
      V* out = reinterpret_cast<V*>(to);
#pragma GCC unroll 3
      for (int v = 0; v < count; ++v)
        out[v] = tile.beta == T(0) ? tile.alpha * sum[r][v] : tile.alpha * sum[r][v] + tile.beta * out[v];
    } else {
      T row[count * lanes];
#pragma GCC unroll 3
      for (int v = 0; v < count; ++v) reinterpret_cast<V*>(row)[v] = tile.alpha * sum[r][v];
      for (Index j = 0; j < tile.cols; ++j) to[j] = tile.beta == T(0) ? row[j] : row[j] + tile.beta * to[j];
    }
  }
}

template <class T, int bytes, int rows, int count>
inline void compute(const Tile<T>& tile, Op op) {
  if (op == Op::none) {
    compute<T, bytes, rows, count, false>(tile);
  } else {
    compute<T, bytes, rows, count, true>(tile);
  }
}

template <class T, int bytes, int rows>
inline void compute(const Tile<T>& tile, Op op) {
  constexpr Index lanes = bytes / static_cast<Index>(sizeof(T));
  if (tile.cols > 2 * lanes) return compute<T, bytes, rows, 3>(tile, op);
  if (tile.cols > lanes) return compute<T, bytes, rows, 2>(tile, op);
  compute<T, bytes, rows, 1>(tile, op);
}

/// `most` · 3 sums, 3 vectors of B and one of A must fit into the registers.
template <class T, int bytes, int most>
inline void compute(const Tile<T>& tile, Op op, Index rows) {
  if constexpr (most > 1) {
    if (rows < most) return compute<T, bytes, most / 2>(tile, op, rows);
  }
  compute<T, bytes, most>(tile, op);
}

#ifdef GDKM_HAS_TILES_FOR_X86
#define GDKM_FOR_AVX512 __attribute__((flatten, target("avx512f,avx512vl,avx512dq,avx512bw,fma")))
#define GDKM_FOR_AVX2 __attribute__((flatten, target("avx2,fma")))
template <class T>
GDKM_FOR_AVX512 void run_512(const Tile<T>& tile, Op op, Index rows) {
  compute<T, 64, 8>(tile, op, rows);
}
template <class T>
GDKM_FOR_AVX512 void copy_512(const T* from, Index stride, Index rows, T* to) {
  copy_rows<T, 64, vectors>(from, stride, rows, to);
}
template <class T>
GDKM_FOR_AVX512 void copy_transposed_512(const T* from, Index stride, Index terms, T* to, Index width) {
  copy_transposed_squares<T, 64>(from, stride, terms, to, width);
}
template <class T>
GDKM_FOR_AVX2 void run_256(const Tile<T>& tile, Op op, Index rows) {
  compute<T, 32, 4>(tile, op, rows);
}
template <class T>
GDKM_FOR_AVX2 void copy_256(const T* from, Index stride, Index rows, T* to) {
  copy_rows<T, 32, vectors>(from, stride, rows, to);
}
template <class T>
GDKM_FOR_AVX2 void copy_transposed_256(const T* from, Index stride, Index terms, T* to, Index width) {
  copy_transposed_squares<T, 32>(from, stride, terms, to, width);
}
#endif
template <class T>
void run_128(const Tile<T>& tile, Op op, Index rows) {
  compute<T, 16, 4>(tile, op, rows);
}

template <class T>
std::vector<Kernel<T>> all_kernels() {
  constexpr auto lanes = [](Index bytes) { return bytes / static_cast<Index>(sizeof(T)); };
  std::vector<Kernel<T>> out;
#ifdef GDKM_HAS_TILES_FOR_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw"))
    out.push_back({lanes(64), 8, run_512<T>, copy_512<T>, copy_transposed_512<T>});
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    out.push_back({lanes(32), 4, run_256<T>, copy_256<T>, copy_transposed_256<T>});
#endif
  out.push_back({lanes(16), 4, run_128<T>, copy_rows<T, 16, vectors>, copy_transposed<T, lanes(16)>});
  return out;
}

}  // namespace

template <class T>
const std::vector<Kernel<T>>& kernels() {
  static const std::vector<Kernel<T>> all = all_kernels<T>();
  return all;
}

template const std::vector<Kernel<float>>& kernels();
template const std::vector<Kernel<double>>& kernels();

}  // namespace gdkm::panels
