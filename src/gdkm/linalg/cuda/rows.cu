#include "gdkm/linalg/cuda/column_reduce.hpp"
#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/inverse_norm.hpp"

namespace gdkm {

namespace {
using namespace cuda;

template <int width, class T>
__global__ void __launch_bounds__(256) row_norms_kernel(ConstView<T> f, T* s) {
  cuda::await_previous();
  const Index r = static_cast<Index>(blockIdx.x) * 8 + threadIdx.x / 32;
  if (r >= f.rows) return;
  const T* row = f.row(r);
  T sum = 0;
  along_row<width>(f.cols, [&]<int w>(Index j) {
    for (const T x : load<w>(row + j).v) sum += x * x;
  });
  sum = lane_sum(sum);
  if (threadIdx.x % 32 == 0) s[r] = std::sqrt(sum);
}

template <class T>
struct RowNormsBackward {
  ConstView<T> f;
  const T *s, *s_bar;
  View<T> f_bar;
  template <int width>
  __device__ void at(Index r, Index j) const {
    const T scale = s_bar[r] * inverse_norm(s[r]);
    const auto x = load<width>(f.row(r) + j);
    auto bar = load<width>(f_bar.row(r) + j);
    for (int i = 0; i < width; ++i) bar.v[i] += scale * x.v[i];
    store(f_bar.row(r) + j, bar);
  }
};

template <class T>
struct ScaleRows {
  const T* s;
  ConstView<T> a;
  View<T> out;
  template <int width>
  __device__ void at(Index r, Index j) const {
    auto x = load<width>(a.row(r) + j);
    for (T& each : x.v) each *= s[r];
    store(out.row(r) + j, x);
  }
};

template <class T>
struct AddRow {
  T alpha;
  const T* row;
  View<T> a;
  template <int width>
  __device__ void at(Index r, Index j) const {
    const auto x = load<width>(row + j);
    auto out = load<width>(a.row(r) + j);
    for (int i = 0; i < width; ++i) out.v[i] += alpha * x.v[i];
    store(a.row(r) + j, out);
  }
};

template <class T>
struct GatherRows {
  ConstView<T> a;
  const std::int32_t* index;
  View<T> out;
  template <int width>
  __device__ void at(Index r, Index j) const {
    store(out.row(r) + j, load<width>(a.row(index[r]) + j));
  }
};

template <class T>
struct ScatterRows {
  ConstView<T> a;
  const std::int32_t* index;
  View<T> out;
  template <int width>
  __device__ void at(Index r, Index j) const {
    T* to = out.row(index[r]) + j;
    const auto x = load<width>(a.row(r) + j);
    auto sum = load<width>(to);
    for (int i = 0; i < width; ++i) sum.v[i] += x.v[i];
    store(to, sum);
  }
};

template <class T>
struct ColumnSums {
  static constexpr int sums = 1;
  T alpha, beta;
  ConstView<T> a;
  T* out;
  template <int width>
  __device__ void add(Index r, Index j, double (&sum)[1][width]) const {
    const auto x = load<width>(a.row(r) + j);
    for (int i = 0; i < width; ++i) sum[0][i] += static_cast<double>(x.v[i]);
  }
  __device__ void finish(Index j, const double (&total)[1]) const {
    const T old = beta == T(0) ? T(0) : beta * out[j];
    out[j] = static_cast<T>(static_cast<double>(alpha) * total[0]) + old;
  }
};
}  // namespace

template <class T>
void CudaBackend<T>::row_norms(ConstView<T> f, View<T> s) {
  assert(s.size() == f.rows);
  const unsigned blocks = blocks_for(f.rows, 8);
  if (packed(f)) {
    launch(row_norms_kernel<pack_width<T>, T>, blocks, 256, 0, stream_, f, s.data);
  } else {
    launch(row_norms_kernel<1, T>, blocks, 256, 0, stream_, f, s.data);
  }
}

template <class T>
void CudaBackend<T>::row_norms_backward(ConstView<T> f, ConstView<T> s, ConstView<T> s_bar, View<T> f_bar) {
  assert(f.rows == f_bar.rows && f.cols == f_bar.cols);
  for_each<T>(stream_, f.rows, f.cols, packed(f, f_bar), RowNormsBackward<T>{f, s.data, s_bar.data, f_bar});
}

template <class T>
void CudaBackend<T>::scale_rows(ConstView<T> s, ConstView<T> a, View<T> out) {
  assert(s.size() == a.rows && out.rows == a.rows && out.cols == a.cols);
  for_each<T>(stream_, a.rows, a.cols, packed(a, out), ScaleRows<T>{s.data, a, out});
}

template <class T>
void CudaBackend<T>::add_row(T alpha, ConstView<T> row, View<T> a) {
  assert(row.size() == a.cols);
  for_each<T>(stream_, a.rows, a.cols, packed(row, a), AddRow<T>{alpha, row.data, a});
}

template <class T>
void CudaBackend<T>::column_sums(T alpha, ConstView<T> a, T beta, View<T> sums) {
  assert(sums.size() == a.cols);
  column_reduce<T>(
      stream_, multiprocessors_, a.rows, a.cols, packed(a), ColumnSums<T>{alpha, beta, a, sums.data},
      [this](Index count) { return scratch<double>(count); }, counters_, counter_count);
}

template <class T>
void CudaBackend<T>::gather_rows(ConstView<T> a, const std::int32_t* index, View<T> out) {
  for_each<T>(stream_, out.rows, out.cols, packed(a, out), GatherRows<T>{a, index, out});
}

template <class T>
void CudaBackend<T>::scatter_rows(ConstView<T> a, const std::int32_t* index, View<T> out) {
  for_each<T>(stream_, a.rows, a.cols, packed(a, out), ScatterRows<T>{a, index, out});
}

#define GDKM_INSTANTIATE(T)                                                                            \
  template void CudaBackend<T>::row_norms(ConstView<T>, View<T>);                                      \
  template void CudaBackend<T>::row_norms_backward(ConstView<T>, ConstView<T>, ConstView<T>, View<T>); \
  template void CudaBackend<T>::scale_rows(ConstView<T>, ConstView<T>, View<T>);                       \
  template void CudaBackend<T>::add_row(T, ConstView<T>, View<T>);                                     \
  template void CudaBackend<T>::column_sums(T, ConstView<T>, T, View<T>);                              \
  template void CudaBackend<T>::gather_rows(ConstView<T>, const std::int32_t*, View<T>);               \
  template void CudaBackend<T>::scatter_rows(ConstView<T>, const std::int32_t*, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
