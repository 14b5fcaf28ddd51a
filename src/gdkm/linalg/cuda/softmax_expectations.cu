#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/row_groups.hpp"
#include "gdkm/linalg/smoothed_gumbel.hpp"
#include "gdkm/linalg/softmax_curvature.hpp"

namespace gdkm {

namespace {
using namespace cuda;

template <class T>
struct SoftmaxExpectations {
  SmoothedGumbel gumbel;
  ConstView<T> mean;
  const T* deviation;
  const std::int32_t* label;
  T* value;
  View<T> residual;
  T *precision, *curvature;

  static constexpr int sums = 1;
  __host__ __device__ Index memory() const { return 3 * mean.cols; }

  template <int lanes>
  __device__ void row(Index r, bool there, int lane, T* memory, double (&total)[1]) const {
    const Index classes = there ? mean.cols : 0, at = there ? label[r] : 0;
    const double spread = there ? static_cast<double>(deviation[r]) : 0.0;
    T *p = memory, *variance = p + mean.cols, *rate = variance + mean.cols, highest = -INFINITY;
    for (Index c = lane; c < classes; c += lanes) {
      p[c] = variance[c] = T(0);
      highest = mean.row(r)[c] > highest ? mean.row(r)[c] : highest;
    }
    const double top = static_cast<double>(lane_max<lanes>(highest));
    const SmoothedGumbel::Grid grid = SmoothedGumbel::grid(mean.cols, spread);
    double mass = 0, largest = 0;
    for (int i = 0; i < SmoothedGumbel::points; ++i) {
      const double x = grid.first + i * grid.step;
      double logarithm = 0, rates = 0;
      for (Index c = lane; c < classes; c += lanes) {
        const auto here = gumbel.at(x + top - static_cast<double>(mean.row(r)[c]), spread);
        logarithm += std::log(here.distribution);
        rate[c] = static_cast<T>(here.density / here.distribution);
        rates += static_cast<double>(rate[c]);
      }
      const double product = grid.step * std::exp(lane_sum<lanes>(logarithm));
      rates = lane_sum<lanes>(rates);
      mass += product * rates;
      largest += product * rates * x;
      for (Index c = lane; c < classes; c += lanes) {
        const double each = product * static_cast<double>(rate[c]);
        p[c] += static_cast<T>(each);
        variance[c] += static_cast<T>(each * (rates - static_cast<double>(rate[c])));
      }
    }
    T curved = 0, sum = 0, at_label = 0, missed = 0;
    for (Index c = lane; c < classes; c += lanes) {
      residual.row(r)[c] = (c == at ? T(1) : T(0)) - p[c] / static_cast<T>(mass);
      if (c == at) {
        at_label = mean.row(r)[c];
        missed = residual.row(r)[c];
      }
      sum += variance[c];
      curved = variance[c] > curved ? variance[c] : curved;
    }
    curved = lane_max<lanes>(curved);
    sum = lane_sum<lanes>(sum);
    at_label = lane_sum<lanes>(at_label);
    missed = lane_sum<lanes>(missed);
    if (!there || lane != 0) return;
    total[0] += static_cast<double>(at_label) - top - largest / mass + SmoothedGumbel::gamma;
    precision[r] = sum / static_cast<T>(mean.cols);
    curvature[r] = softmax_curvature(curved, missed, T(0));
  }
  __device__ void finish(const double (&total)[1]) const { *value += static_cast<T>(total[0]); }
};
}  // namespace

template <class T>
void CudaBackend<T>::softmax_expectations(ConstView<T> mean, ConstView<T> deviation,
                                          const std::int32_t* label, View<T> value, View<T> residual,
                                          View<T> precision, View<T> curvature) {
  for_row_groups<T>(
      stream_, mean.rows, mean.cols,
      SoftmaxExpectations<T>{SmoothedGumbel(), mean, deviation.data, label, value.data, residual,
                             precision.data, curvature.data},
      [this](Index count) { return scratch(count); }, counters_);
}

template void CudaBackend<float>::softmax_expectations(ConstView<float>, ConstView<float>,
                                                       const std::int32_t*, View<float>, View<float>,
                                                       View<float>, View<float>);
template void CudaBackend<double>::softmax_expectations(ConstView<double>, ConstView<double>,
                                                        const std::int32_t*, View<double>, View<double>,
                                                        View<double>, View<double>);

}  // namespace gdkm
