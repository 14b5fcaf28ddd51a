#include "gdkm/linalg/cuda/column_reduce.hpp"
#include "gdkm/linalg/cuda/cuda_backend.hpp"

namespace gdkm {

namespace {
using namespace cuda;

/// Both moments in one pass over the differences from the first row, so that a mean far from zero loses no
/// digits.
template <class T>
struct ColumnMoments {
  static constexpr int sums = 2;
  ConstView<T> x;
  T *mean, *variance;
  template <int width>
  __device__ void add(Index r, Index j, double (&sum)[2][width]) const {
    const auto y = load<width>(x.row(r) + j), origin = load<width>(x.data + j);
    for (int i = 0; i < width; ++i) {
      const double d = static_cast<double>(y.v[i]) - static_cast<double>(origin.v[i]);
      sum[0][i] += d;
      sum[1][i] += d * d;
    }
  }
  __device__ void finish(Index j, const double (&total)[2]) const {
    const auto rows = static_cast<double>(x.rows);
    const double shift = total[0] / rows, spread = total[1] / rows - shift * shift;
    mean[j] = static_cast<T>(static_cast<double>(x.data[j]) + shift);
    variance[j] = static_cast<T>(spread < 0 ? 0 : spread);
  }
};

template <class T>
struct Standardise {
  const T *mean, *variance;
  T epsilon;
  View<T> x;
  template <int width>
  __device__ void at(Index r, Index j) const {
    auto y = load<width>(x.row(r) + j);
    for (int i = 0; i < width; ++i) {
      y.v[i] = (y.v[i] - mean[j + i]) * (T(1) / std::sqrt(variance[j + i] + epsilon));
    }
    store(x.row(r) + j, y);
  }
};

/// means[j] and means[cols + j] are the means of x̄ and of x̄ ∘ Y.
template <class T>
struct GradientMoments {
  static constexpr int sums = 2;
  ConstView<T> out, x_bar;
  T* means;
  template <int width>
  __device__ void add(Index r, Index j, double (&sum)[2][width]) const {
    const auto y = load<width>(out.row(r) + j), bar = load<width>(x_bar.row(r) + j);
    for (int i = 0; i < width; ++i) {
      sum[0][i] += static_cast<double>(bar.v[i]);
      sum[1][i] += static_cast<double>(bar.v[i]) * static_cast<double>(y.v[i]);
    }
  }
  __device__ void finish(Index j, const double (&total)[2]) const {
    const auto rows = static_cast<double>(out.rows);
    means[j] = static_cast<T>(total[0] / rows);
    means[out.cols + j] = static_cast<T>(total[1] / rows);
  }
};

template <class T>
struct StandardiseBackward {
  ConstView<T> out;
  const T *variance, *means;
  T epsilon;
  View<T> x_bar;
  template <int width>
  __device__ void at(Index r, Index j) const {
    const auto y = load<width>(out.row(r) + j);
    auto bar = load<width>(x_bar.row(r) + j);
    for (int i = 0; i < width; ++i) {
      const T inverse = T(1) / std::sqrt(variance[j + i] + epsilon);
      bar.v[i] = (bar.v[i] - means[j + i] - y.v[i] * means[out.cols + j + i]) * inverse;
    }
    store(x_bar.row(r) + j, bar);
  }
};
}  // namespace

template <class T>
void CudaBackend<T>::column_moments(ConstView<T> x, View<T> mean, View<T> variance) {
  assert(mean.size() == x.cols && variance.size() == x.cols);
  column_reduce<T>(
      stream_, multiprocessors_, x.rows, x.cols, packed(x), ColumnMoments<T>{x, mean.data, variance.data},
      [this](Index count) { return scratch<double>(count); }, counters_, counter_count);
}

template <class T>
void CudaBackend<T>::standardise(ConstView<T> mean, ConstView<T> variance, T epsilon, View<T> x) {
  assert(mean.size() == x.cols && variance.size() == x.cols);
  for_each<T>(stream_, x.rows, x.cols, packed(x), Standardise<T>{mean.data, variance.data, epsilon, x});
}

template <class T>
void CudaBackend<T>::standardise_backward(ConstView<T> out, ConstView<T> variance, T epsilon, View<T> x_bar) {
  assert(out.rows == x_bar.rows && out.cols == x_bar.cols && variance.size() == out.cols);
  if (out.empty()) return;
  const bool packs = packed(out, x_bar);
  const ColumnBlocks blocks(out.rows, out.cols, packs ? pack_width<T> : 1, multiprocessors_);
  double* partial = scratch<double>((2 * blocks.down + 2) * out.cols);
  T* means = reinterpret_cast<T*>(partial + 2 * blocks.down * out.cols);
  column_reduce<T>(
      stream_, multiprocessors_, out.rows, out.cols, packs, GradientMoments<T>{out, x_bar, means},
      [partial](Index) { return partial; }, counters_, counter_count);
  for_each<T>(stream_, out.rows, out.cols, packs,
              StandardiseBackward<T>{out, variance.data, means, epsilon, x_bar});
}

#define GDKM_INSTANTIATE(T)                                                          \
  template void CudaBackend<T>::column_moments(ConstView<T>, View<T>, View<T>);      \
  template void CudaBackend<T>::standardise(ConstView<T>, ConstView<T>, T, View<T>); \
  template void CudaBackend<T>::standardise_backward(ConstView<T>, ConstView<T>, T, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
