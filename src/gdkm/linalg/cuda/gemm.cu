#include <type_traits>

#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/launch.hpp"
#include "gdkm/linalg/cuda/small_product.hpp"

namespace gdkm {

namespace {

/// Products whose longest side is at least this use tensor cores: one of their factors is a matrix over the
/// nodes.
constexpr Index least_over_nodes = 1024;

/// The other sides of split products; a tile of theirs has 80 columns or more.
constexpr Index least_to_split = 48;

/// From this many columns and least_rows_for_strips rows on, products with a lower-triangular matrix are
/// computed in strips of its columns, which skips the zeros above them; a strip is then large enough for the
/// GPU. In float32 this saved a fifth to a third of the time, with m = 400 and 15,488 to 169,343 rows; in
/// TF32, which is limited by memory, nothing.
constexpr Index least_cols_for_strips = 256;

/// Calls strip(begin, columns) for strips as wide as a tile of cuBLAS, and for the rest.
template <class Strip>
void for_strips(Index cols, Strip strip) {
  constexpr Index width = 128, least = 64;
  Index begin = 0;
  for (; cols - begin >= width + least; begin += width) strip(begin, width);
  strip(begin, cols - begin);
}

cublasOperation_t operation(Op op) {
  return op == Op::none ? CUBLAS_OP_N : CUBLAS_OP_T;
}

/// Copies the lower triangle to the upper one. Tiles pass through shared memory, so that both triangles are
/// accessed along rows.
template <class T>
__global__ void mirror(View<T> g) {
  cuda::await_previous();
  constexpr int side = 32;
  __shared__ T tile[side][side + 1];
  const Index row = Index(blockIdx.y) * side, col = Index(blockIdx.x) * side;
  if (col > row) return;
  const int across = static_cast<int>(threadIdx.x);
  for (int r = static_cast<int>(threadIdx.y); r < side; r += static_cast<int>(blockDim.y)) {
    if (row + r < g.rows && col + across < g.cols) tile[r][across] = g.row(row + r)[col + across];
  }
  __syncthreads();
  for (int r = static_cast<int>(threadIdx.y); r < side; r += static_cast<int>(blockDim.y)) {
    const Index to_row = col + r, to_col = row + across;
    if (to_row < to_col && to_col < g.cols) g.row(to_row)[to_col] = tile[across][r];
  }
}

}  // namespace

/// Computes a product in plain arithmetic, if it is small. Returns whether it did.
template <class T>
bool CudaBackend<T>::multiply_small(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c,
                                    Region wanted) {
  if constexpr (std::is_same_v<T, float>) {
    const cuda::SmallProduct product{alpha, a, b, beta, c, wanted};
    if (product.is_small()) {
      product.compute(clusters_, stream_);
      return true;
    }
  }
  return false;
}

template <class T>
void CudaBackend<T>::gemm_part(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c,
                               Region wanted) {
  if (std::max({c.rows, c.cols, a.cols()}) < least_over_nodes && multiply_small(alpha, a, b, beta, c, wanted))
    return;
  gemm(alpha, a.op, a.view, b.op, b.view, beta, c);
}

template <class T>
void CudaBackend<T>::multiply(bool tf32, T alpha, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T beta,
                              View<T> c) {
  if (c.empty()) return;
  const Index inner = op_a == Op::none ? a.cols : a.rows;
  assert((op_a == Op::none ? a.rows : a.cols) == c.rows && (op_b == Op::none ? b.cols : b.rows) == c.cols);
  assert((op_b == Op::none ? b.rows : b.cols) == inner);
  if (inner == 0) return beta == T(0) ? fill(c, T(0)) : add(T(0), c, beta, c);
  if (multiply_small(alpha, {op_a, a}, {op_b, b}, beta, c, Region::all)) return;
  constexpr bool single = std::is_same_v<T, float>;
  constexpr cudaDataType_t type = single ? CUDA_R_32F : CUDA_R_64F;
  const cublasComputeType_t compute = !single ? CUBLAS_COMPUTE_64F
                                      : tf32  ? CUBLAS_COMPUTE_32F_FAST_TF32
                                              : CUBLAS_COMPUTE_32F;
  // cuBLAS is column-major: it sees every matrix transposed, and computes Cᵀ = op(B)ᵀ op(A)ᵀ.
  GDKM_CUDA(cuda::blas_library().gemm(blas(), operation(op_b), operation(op_a), c.cols, c.rows, inner, &alpha,
                                      b.data, type, b.stride, a.data, type, a.stride, &beta, c.data, type,
                                      c.stride, compute, CUBLAS_GEMM_DEFAULT));
}

template <class T>
bool CudaBackend<T>::tf32_for(Index rows, Index cols, Index inner) const {
  const Index longest = std::max({rows, cols, inner}), shortest = std::min({rows, cols, inner});
  return options_.math == MathMode::tf32 && longest >= least_over_nodes && longest >= 2 * shortest;
}

template <class T>
void CudaBackend<T>::gemm(T alpha, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T beta, View<T> c) {
  if (op_a == Op::none) return times(alpha, a, prepare({{op_b, b}}, a.rows)[0], beta, c);
  if (op_b == Op::none) return sum_over_rows(alpha, a, b, Region::all, beta, c);
  multiply(tf32_for(c.rows, c.cols, a.rows), alpha, op_a, a, op_b, b, beta, c);
}

/// Never in TF32, because the factorisation that follows needs all digits.
template <class T>
void CudaBackend<T>::gram(ConstView<T> f, View<T> g) {
  // Small products add up both triangles in the same order, so that they are equal to the last bit.
  if (multiply_small(T(1), {Op::none, f}, {Op::transpose, f}, T(0), g, Region::all)) return;
  multiply(false, T(1), Op::none, f, Op::transpose, f, T(0), g);
  const unsigned tiles = cuda::blocks_for(g.rows, 32);
  cuda::launch(mirror<T>, dim3(tiles, tiles), dim3(32, 8), 0, stream_, g);
}

template <class T>
bool CudaBackend<T>::by_strips(Index rows, Index cols) const {
  return std::is_same_v<T, float> && !split_ && options_.math != MathMode::tf32 &&
         rows >= least_rows_for_strips && cols >= least_cols_for_strips;
}

template <class T>
typename CudaBackend<T>::Rights CudaBackend<T>::prepare(std::initializer_list<Factor<T>> factors,
                                                        Index rows) {
  assert(factors.size() <= cuda::most_rights);
  Rights out{};
  std::vector<cuda::SplitRight> to_split;
  for (std::size_t k = 0; k < std::min(factors.size(), out.size()); ++k) {
    const Factor<T>& factor = factors.begin()[k];
    out[k].factor = factor;
    if constexpr (std::is_same_v<T, float>) {
      // One part has fewer digits, for products over nodes alone.
      const bool allowed = parts_ == 2 || (parts_ == 1 && tf32_for(rows, factor.cols(), factor.rows()));
      if (allowed && rows >= least_over_nodes && factor.rows() >= least_to_split &&
          factor.cols() >= least_to_split) {
        out[k].split = cuda::SplitRight(factor, parts_);
        out[k].split.memory = grown(slot_[k], out[k].split.bytes());
        to_split.push_back(out[k].split);
      }
    }
  }
  if (!to_split.empty()) cuda::split_rights(to_split, stream_);
  return out;
}

template <class T>
void CudaBackend<T>::times(T alpha, ConstView<T> a, const Right& right, T beta, View<T> c) {
  if (c.empty()) return;
  const auto& [op, b, part] = right.factor;
  if constexpr (std::is_same_v<T, float>) {
    if (right.split.memory != nullptr && cuda::takes_rows(a, c))
      return cuda::times_split(alpha, a, right.split, beta, c, multiprocessors_, stream_);
  }
  if (a.rows < least_over_nodes && multiply_small(alpha, {Op::none, a}, right.factor, beta, c, Region::all))
    return;
  if (part == Region::all || !by_strips(a.rows, b.rows))
    return multiply(tf32_for(c.rows, c.cols, a.cols), alpha, Op::none, a, op, b, beta, c);
  const Index m = b.rows;
  for_strips(m, [&](Index begin, Index count) {
    const bool below = part == Region::lower;
    const Index from = below ? begin : 0, terms = below ? m - begin : begin + count;
    const auto strip = op == Op::none ? b.block_rows(from, terms).block_cols(begin, count)
                                      : b.block_rows(begin, count).block_cols(from, terms);
    multiply(false, alpha, Op::none, a.block_cols(from, terms), op, strip, beta, c.block_cols(begin, count));
  });
}

template <class T>
void CudaBackend<T>::times_lower(ConstView<T> a, Op op, ConstView<T> l, View<T> c) {
  assert(a.cols == l.rows && l.rows == l.cols && c.rows == a.rows && c.cols == a.cols);
  times(T(1), a, prepare({{op, l, op == Op::none ? Region::lower : Region::upper}}, a.rows)[0], T(0), c);
}

template <class T>
void CudaBackend<T>::sum_over_rows(T alpha, ConstView<T> a, ConstView<T> b, Region wanted, T beta,
                                   View<T> c) {
  if (c.empty()) return;
  if constexpr (std::is_same_v<T, float>) {
    if (split_ && a.rows >= least_over_nodes && a.cols >= least_to_split && b.cols >= least_to_split) {
      const cuda::SplitSum sum(a, b, wanted, multiprocessors_);
      if (sum.possible()) return sum.compute(alpha, beta, c, grown(slot_[slots - 1], sum.bytes()), stream_);
    }
  }
  if (wanted == Region::all || !by_strips(a.rows, c.rows))
    return multiply(tf32_for(c.rows, c.cols, a.rows), alpha, Op::transpose, a, Op::none, b, beta, c);
  const Index m = c.rows;
  for_strips(m, [&](Index begin, Index count) {
    multiply(false, alpha, Op::transpose, a.block_cols(begin, m - begin), Op::none,
             b.block_cols(begin, count), beta, c.block_rows(begin, m - begin).block_cols(begin, count));
  });
}

template <class T>
void CudaBackend<T>::lower_product(ConstView<T> a, ConstView<T> b, T beta, View<T> c) {
  assert(a.rows == b.rows && a.cols == c.rows && b.cols == c.cols && c.rows == c.cols);
  sum_over_rows(T(1), a, b, Region::lower, beta, c);
}

#define GDKM_INSTANTIATE(T)                                                                                  \
  template void CudaBackend<T>::gemm(T, Op, ConstView<T>, Op, ConstView<T>, T, View<T>);                     \
  template void CudaBackend<T>::gemm_part(T, const Factor<T>&, const Factor<T>&, T, View<T>, Region);        \
  template bool CudaBackend<T>::multiply_small(T, const Factor<T>&, const Factor<T>&, T, View<T>, Region);   \
  template void CudaBackend<T>::gram(ConstView<T>, View<T>);                                                 \
  template bool CudaBackend<T>::by_strips(Index, Index) const;                                               \
  template typename CudaBackend<T>::Rights CudaBackend<T>::prepare(std::initializer_list<Factor<T>>, Index); \
  template void CudaBackend<T>::times(T, ConstView<T>, const Right&, T, View<T>);                            \
  template void CudaBackend<T>::sum_over_rows(T, ConstView<T>, ConstView<T>, Region, T, View<T>);            \
  template void CudaBackend<T>::times_lower(ConstView<T>, Op, ConstView<T>, View<T>);                        \
  template void CudaBackend<T>::lower_product(ConstView<T>, ConstView<T>, T, View<T>);
GDKM_INSTANTIATE(float)
GDKM_INSTANTIATE(double)

}  // namespace gdkm
