#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/row_groups.hpp"
#include "gdkm/linalg/softmax_curvature.hpp"

namespace gdkm {

namespace {
using namespace cuda;

template <int width, class T>
__global__ void __launch_bounds__(256) normals_kernel(Stream given, Index count, T* out) {
  cuda::await_previous();
  const Index block = static_cast<Index>(blockIdx.x) * 256 + threadIdx.x, k = 4 * block;
  if (k >= count) return;
  T four[4];
  normal_block(at_this_step(given), static_cast<std::uint64_t>(block), four);
  if (width > 1 && k + 4 <= count) {
#pragma unroll
    for (int i = 0; i < 4; i += width) {
      Pack<T, width> pack;
      for (int w = 0; w < width; ++w) pack.v[w] = four[i + w];
      store(out + k + i, pack);
    }
  } else {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (k + i < count) out[k + i] = four[i];
    }
  }
}

/// Replaces logits by scale · (onehot − softmax) and returns log softmax_label. `lanes` lanes work together;
/// each handles every lanes-th class.
template <int lanes, class T>
__device__ T log_softmax_gradient(T* logits, Index classes, Index label, T scale, int lane) {
  T top = -INFINITY;
  for (Index c = lane; c < classes; c += lanes) top = logits[c] > top ? logits[c] : top;
  top = lane_max<lanes>(top);
  T sum = 0, at_label = 0;
  for (Index c = lane; c < classes; c += lanes) {
    const T x = logits[c] - top;
    if (c == label) at_label = x;
    logits[c] = std::exp(x);
    sum += logits[c];
  }
  sum = lane_sum<lanes>(sum);
  at_label = lane_sum<lanes>(at_label);
  const T weight = -scale / sum;
  for (Index c = lane; c < classes; c += lanes) logits[c] = logits[c] * weight + (c == label ? scale : T(0));
  return at_label - std::log(sum);
}

template <class T>
struct NodeLikelihood {
  ConstView<T> mean;
  const T* deviation;
  const std::int32_t* label;
  RowNumbers number;
  Index samples, at_once;  // samples whose noise is drawn together
  Stream stream;
  T scale;
  T* value;
  View<T> mean_bar;
  T* deviation_bar;

  static constexpr int sums = 1;
  __host__ __device__ Index memory() const { return at_once * mean.cols + 8 + 2 * mean.cols; }

  template <int lanes>
  __device__ void row(Index r, bool there, int lane, T* memory, double (&total)[1]) const {
    const Index classes = there ? mean.cols : 0, blocks = (samples * mean.cols + 3) / 4;
    const Index at = there ? label[r] : 0;
    const T spread = there ? deviation[r] : T(0), share = T(1) / static_cast<T>(samples);
    const Stream now = at_this_step(stream);
    T *sum = memory, *logits = sum + mean.cols, *noise = logits + mean.cols;
    for (Index c = lane; c < classes; c += lanes) sum[c] = T(0);
    T spread_bar = 0;
    for (Index begin = 0; begin < samples; begin += at_once) {
      const Index end = begin + at_once < samples ? begin + at_once : samples;
      const Index block = begin * classes / 4, last = (end * classes + 3) / 4;
      for (Index b = block + lane; b < last; b += lanes) {
        T four[4];
        normal_block(now, static_cast<std::uint64_t>(number[r] * blocks + b), four);
        for (int i = 0; i < 4; ++i) noise[4 * (b - block) + i] = four[i];
      }
      __syncwarp();
      for (Index s = begin; s < end; ++s) {
        const T* e = noise + s * classes - 4 * block;
        for (Index c = lane; c < classes; c += lanes) logits[c] = mean.row(r)[c] + spread * e[c];
        const T log_likelihood = log_softmax_gradient<lanes>(logits, classes, at, scale * share, lane);
        if (there && lane == 0) total[0] += static_cast<double>(log_likelihood * share);
        for (Index c = lane; c < classes; c += lanes) {
          sum[c] += logits[c];
          spread_bar += logits[c] * e[c];
        }
      }
      __syncwarp();
    }
    for (Index c = lane; c < classes; c += lanes) mean_bar.row(r)[c] = sum[c];
    spread_bar = lane_sum<lanes>(spread_bar);
    if (there && lane == 0) deviation_bar[r] = spread_bar;
  }
  __device__ void finish(const double (&total)[1]) const { *value += static_cast<T>(total[0]); }
};

template <class T>
struct SoftmaxMoments {
  ConstView<T> mean;
  const T* deviation;
  const std::int32_t* label;
  RowNumbers number;
  Index pairs, at_once;  // pairs whose noise is drawn together
  Stream stream;
  T* value;
  View<T> residual;
  T *precision, *curvature;

  static constexpr int sums = 1;
  __host__ __device__ Index memory() const { return at_once * mean.cols + 8 + 2 * mean.cols; }

  template <int lanes>
  __device__ void row(Index r, bool there, int lane, T* memory, double (&total)[1]) const {
    const Index classes = there ? mean.cols : 0, blocks = (pairs * mean.cols + 3) / 4;
    const Index at = there ? label[r] : 0;
    const T spread = there ? deviation[r] : T(0), share = T(0.5) / static_cast<T>(pairs);
    const Stream now = at_this_step(stream);
    T *sum = memory, *logits = sum + mean.cols, *noise = logits + mean.cols;
    for (Index c = lane; c < classes; c += lanes) sum[c] = T(0);
    T variance = 0;
    for (Index begin = 0; begin < pairs; begin += at_once) {
      const Index end = begin + at_once < pairs ? begin + at_once : pairs;
      const Index block = begin * classes / 4, last = (end * classes + 3) / 4;
      for (Index b = block + lane; b < last; b += lanes) {
        T four[4];
        normal_block(now, static_cast<std::uint64_t>(number[r] * blocks + b), four);
        for (int i = 0; i < 4; ++i) noise[4 * (b - block) + i] = four[i];
      }
      __syncwarp();
      for (Index s = begin; s < end; ++s) {
        const T* e = noise + s * classes - 4 * block;
        for (int sign = -1; sign <= 1; sign += 2) {
          const T away = static_cast<T>(sign) * spread;
          for (Index c = lane; c < classes; c += lanes) logits[c] = mean.row(r)[c] + away * e[c];
          const T log_likelihood = log_softmax_gradient<lanes>(logits, classes, at, T(1), lane);
          if (there && lane == 0) total[0] += static_cast<double>(log_likelihood * share);
          for (Index c = lane; c < classes; c += lanes) {
            const T p = (c == at ? T(1) : T(0)) - logits[c];
            sum[c] += share * logits[c];
            variance += share * p * (T(1) - p);
          }
        }
      }
      __syncwarp();
    }
    T largest = 0;
    for (Index c = lane; c < classes; c += lanes) {
      residual.row(r)[c] = sum[c];
      const T p = (c == at ? T(1) : T(0)) - sum[c], x = p * (T(1) - p);
      largest = x > largest ? x : largest;
    }
    variance = lane_sum<lanes>(variance);
    largest = lane_max<lanes>(largest);
    if (!there || lane != 0) return;
    precision[r] = (variance > T(0) ? variance : T(0)) / static_cast<T>(mean.cols);
    curvature[r] = softmax_curvature(largest, sum[at], least_curvature<T>);
  }
  __device__ void finish(const double (&total)[1]) const { *value += static_cast<T>(total[0]); }
};

template <class T>
struct MeanSoftmax {
  ConstView<T> mean;
  const T* deviation;
  ConstView<T> noise;
  View<T> out;

  static constexpr int sums = 0;
  __host__ __device__ Index memory() const { return 2 * mean.cols; }

  template <int lanes>
  __device__ void row(Index r, bool there, int lane, T* memory, double*) const {
    const Index classes = there ? mean.cols : 0;
    const T spread = there ? deviation[r] : T(0);
    T *sum = memory, *logits = memory + mean.cols;
    for (Index c = lane; c < classes; c += lanes) sum[c] = T(0);
    for (Index s = 0; s < noise.rows; ++s) {
      T top = -INFINITY, all = 0;
      for (Index c = lane; c < classes; c += lanes) {
        const T x = mean.row(r)[c] + spread * noise.row(s)[c];
        logits[c] = x;
        top = x > top ? x : top;
      }
      top = lane_max<lanes>(top);
      for (Index c = lane; c < classes; c += lanes) all += logits[c] = std::exp(logits[c] - top);
      const T weight = T(1) / (lane_sum<lanes>(all) * static_cast<T>(noise.rows));
      for (Index c = lane; c < classes; c += lanes) sum[c] += logits[c] * weight;
    }
    for (Index c = lane; c < classes; c += lanes) out.row(r)[c] = sum[c];
  }
};

/// E log N(y; f, σ²) = −½ log 2πσ² − ((y − mean)² + deviation²) / 2σ², for every row and output.
template <class T>
struct GaussianLikelihood {
  ConstView<T> mean;
  const T* deviation;
  ConstView<T> target;
  const T* log_noise;
  T scale;
  T* value;
  View<T> mean_bar;
  T *deviation_bar, *log_noise_bar;

  static constexpr int sums = 2;  // the value, and the gradient of log σ² without the factor `scale`
  __host__ __device__ Index memory() const { return 0; }

  template <int lanes>
  __device__ void row(Index r, bool there, int lane, T*, double (&total)[2]) const {
    if (!there) return;
    constexpr double log_two_pi = 1.8378770664093453;
    const double log_variance = static_cast<double>(*log_noise), precision = exp(-log_variance);
    const auto outputs = static_cast<double>(mean.cols);
    const double factor = static_cast<double>(scale) * precision, spread = static_cast<double>(deviation[r]);
    double square = lane == 0 ? outputs * spread * spread : 0;
    for (Index c = lane; c < mean.cols; c += lanes) {
      const double error = static_cast<double>(target.row(r)[c]) - static_cast<double>(mean.row(r)[c]);
      square += error * error;
      mean_bar.row(r)[c] = static_cast<T>(factor * error);
    }
    total[0] -= 0.5 * precision * square;
    total[1] += 0.5 * precision * square;
    if (lane != 0) return;
    deviation_bar[r] = static_cast<T>(-factor * outputs * spread);
    total[0] -= 0.5 * outputs * (log_two_pi + log_variance);
    total[1] -= 0.5 * outputs;
  }
  __device__ void finish(const double (&total)[2]) const {
    *value += static_cast<T>(total[0]);
    *log_noise_bar += static_cast<T>(static_cast<double>(scale) * total[1]);
  }
};
}  // namespace

template <class T>
void CudaBackend<T>::normals(const Stream& stream, View<T> out) {
  assert(out.contiguous());
  const unsigned blocks = blocks_for(out.size(), 4 * 256);
  flatten(out);
  if (packed(out)) {
    launch(normals_kernel<pack_width<T>, T>, blocks, 256, 0, stream_, stream, out.size(), out.data);
  } else {
    launch(normals_kernel<1, T>, blocks, 256, 0, stream_, stream, out.size(), out.data);
  }
}

template <class T>
void CudaBackend<T>::node_log_likelihood(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                                         RowNumbers number, Index samples, const Stream& stream, T scale,
                                         View<T> value, View<T> mean_bar, View<T> deviation_bar) {
  const Index classes = mean.cols;
  const Index at_once = std::clamp<Index>(6 * lanes_for(classes) / classes, 1, samples);
  for_row_groups<T>(
      stream_, mean.rows, classes,
      NodeLikelihood<T>{mean, deviation.data, label, number, samples, at_once, stream, scale, value.data,
                        mean_bar, deviation_bar.data},
      [this](Index count) { return scratch(count); }, counters_);
}

template <class T>
void CudaBackend<T>::softmax_moments(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                                     RowNumbers number, Index pairs, const Stream& stream, View<T> value,
                                     View<T> residual, View<T> precision, View<T> curvature) {
  const Index classes = mean.cols;
  const Index at_once = std::clamp<Index>(6 * lanes_for(classes) / classes, 1, pairs);
  for_row_groups<T>(
      stream_, mean.rows, classes,
      SoftmaxMoments<T>{mean, deviation.data, label, number, pairs, at_once, stream, value.data, residual,
                        precision.data, curvature.data},
      [this](Index count) { return scratch(count); }, counters_);
}

template <class T>
void CudaBackend<T>::gaussian_log_likelihood(ConstView<T> mean, ConstView<T> deviation, ConstView<T> target,
                                             ConstView<T> log_noise, T scale, View<T> value, View<T> mean_bar,
                                             View<T> deviation_bar, View<T> log_noise_bar) {
  for_row_groups<T>(
      stream_, mean.rows, mean.cols,
      GaussianLikelihood<T>{mean, deviation.data, target, log_noise.data, scale, value.data, mean_bar,
                            deviation_bar.data, log_noise_bar.data},
      [this](Index count) { return scratch(count); }, counters_);
}

template <class T>
void CudaBackend<T>::mean_softmax(ConstView<T> mean, ConstView<T> deviation, ConstView<T> noise,
                                  View<T> out) {
  for_row_groups<T>(
      stream_, mean.rows, mean.cols, MeanSoftmax<T>{mean, deviation.data, noise, out},
      [this](Index count) { return scratch(count); }, counters_);
}

#define GDKM_INSTANTIATE(T)                                                                                  \
  template void CudaBackend<T>::normals(const Stream&, View<T>);                                             \
  template void CudaBackend<T>::node_log_likelihood(ConstView<T>, ConstView<T>, const std::int32_t*,         \
                                                    RowNumbers, Index, const Stream&, T, View<T>, View<T>,   \
                                                    View<T>);                                                \
  template void CudaBackend<T>::softmax_moments(ConstView<T>, ConstView<T>, const std::int32_t*, RowNumbers, \
                                                Index, const Stream&, View<T>, View<T>, View<T>, View<T>);   \
  template void CudaBackend<T>::gaussian_log_likelihood(                                                     \
      ConstView<T>, ConstView<T>, ConstView<T>, ConstView<T>, T, View<T>, View<T>, View<T>, View<T>);        \
  template void CudaBackend<T>::mean_softmax(ConstView<T>, ConstView<T>, ConstView<T>, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
