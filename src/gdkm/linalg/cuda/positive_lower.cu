#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/reduce.hpp"

namespace gdkm {

namespace {
using namespace cuda;

template <class T>
struct PositiveLower {
  ConstView<T> raw;
  View<T> l;
  template <int width>
  __device__ void at(Index r, Index j) const {
    if (j > r) {
      l.row(r)[j] = T(0);
    } else {
      const T x = raw.row(r)[j];
      l.row(r)[j] = j == r ? std::exp(x) : x;
    }
  }
};

template <class T>
struct LowerParameter {
  ConstView<T> l;
  View<T> raw;
  template <int width>
  __device__ void at(Index r, Index j) const {
    const T x = j > r ? T(0) : l.row(r)[j];
    raw.row(r)[j] = j == r ? std::log(x) : x;
  }
};

template <class T>
struct PositiveLowerBackward {
  ConstView<T> l, l_bar;
  View<T> raw_bar;
  template <int width>
  __device__ void at(Index r, Index j) const {
    if (j > r) return;
    raw_bar.row(r)[j] += j == r ? l_bar.row(r)[r] * l.row(r)[r] : l_bar.row(r)[j];
  }
};

template <class T>
struct NormalKl {
  static constexpr int sums = 1;
  T weight;
  ConstView<T> l;
  View<T> l_bar;
  T* value;
  template <int width>
  __device__ void add(Index r, Index j, double (&sum)[1]) const {
    if (j > r) return;
    const T x = l.row(r)[j];
    const double exact = static_cast<double>(x);
    sum[0] += exact * exact;
    if (j == r) sum[0] -= 2 * log(exact) + 1;
    l_bar.row(r)[j] += weight * (j == r ? x - T(1) / x : x);
  }
  __device__ void finish(const double (&sum)[1]) const { *value = static_cast<T>(0.5 * sum[0]); }
};
}  // namespace

template <class T>
void CudaBackend<T>::positive_lower(ConstView<T> raw, View<T> l) {
  assert(raw.rows == l.rows && raw.cols == l.cols);
  for_each<T>(stream_, l.rows, l.cols, false, PositiveLower<T>{raw, l});
}

template <class T>
void CudaBackend<T>::lower_parameter(ConstView<T> l, View<T> raw) {
  for_each<T>(stream_, l.rows, l.cols, false, LowerParameter<T>{l, raw});
}

template <class T>
void CudaBackend<T>::positive_lower_backward(ConstView<T> l, ConstView<T> l_bar, View<T> raw_bar) {
  for_each<T>(stream_, l.rows, l.cols, false, PositiveLowerBackward<T>{l, l_bar, raw_bar});
}

template <class T>
void CudaBackend<T>::normal_kl(ConstView<T> l, T weight, View<T> l_bar, View<T> value) {
  sum_each<T>(stream_, l.rows, l.cols, false, NormalKl<T>{weight, l, l_bar, value.data},
              scratch<double>(most_sum_blocks), counters_);
}

#define GDKM_INSTANTIATE(T)                                                                   \
  template void CudaBackend<T>::positive_lower(ConstView<T>, View<T>);                        \
  template void CudaBackend<T>::lower_parameter(ConstView<T>, View<T>);                       \
  template void CudaBackend<T>::positive_lower_backward(ConstView<T>, ConstView<T>, View<T>); \
  template void CudaBackend<T>::normal_kl(ConstView<T>, T, View<T>, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
