#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/reduce.hpp"

namespace gdkm {

namespace {
using namespace cuda;

/// Σ_r mean_s log softmax_label of logits whose sample s has the columns [sC, (s+1)C), which are replaced by
/// scale · gradient. A group of `lanes` lanes handles one sample of a row. Its numbers stay in registers,
/// each lane has `each` of them; with each = 0 there are too many, and they are read again.
template <int lanes, int each, class T>
__global__ void __launch_bounds__(256)
    softmax_likelihood_kernel(View<T> logits, const std::int32_t* label, Index samples, Index classes,
                              T scale, T* value, double* partial, unsigned* counter) {
  await_previous();
  constexpr int groups = 256 / lanes;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const Index count = logits.rows * samples;
  const T share = T(1) / static_cast<T>(samples), full = scale * share;
  double total[1] = {0};
  for (Index begin = static_cast<Index>(blockIdx.x) * groups; begin < count; begin += gridDim.x * groups) {
    const Index at = begin + threadIdx.x / lanes;
    const bool there = at < count;  // all lanes of a warp take part in its sums
    const Index r = there ? at / samples : 0, s = there ? at % samples : 0, width = there ? classes : 0;
    T* const numbers = logits.row(r) + s * classes;
    const Index correct = label[r];
    T top = -INFINITY, sum = 0, at_label = 0;
    const auto gradient = [&](Index c, T exponential) {
      return exponential * (-full / sum) + (c == correct ? full : T(0));
    };
    if constexpr (each > 0) {
      T x[each];
#pragma unroll
      for (int i = 0; i < each; ++i) {
        const Index c = lane + i * lanes;
        x[i] = c < width ? numbers[c] : -INFINITY;
        top = x[i] > top ? x[i] : top;
      }
      top = lane_max<lanes>(top);
#pragma unroll
      for (int i = 0; i < each; ++i) {
        const Index c = lane + i * lanes;
        const T less = c < width ? x[i] - top : -INFINITY;
        if (c == correct && c < width) at_label = less;
        x[i] = std::exp(less);
        sum += x[i];
      }
      sum = lane_sum<lanes>(sum);
#pragma unroll
      for (int i = 0; i < each; ++i) {
        const Index c = lane + i * lanes;
        if (c < width) numbers[c] = gradient(c, x[i]);
      }
    } else {
      for (Index c = lane; c < width; c += lanes) top = numbers[c] > top ? numbers[c] : top;
      top = lane_max<lanes>(top);
      for (Index c = lane; c < width; c += lanes) {
        const T less = numbers[c] - top;
        if (c == correct) at_label = less;
        numbers[c] = std::exp(less);
        sum += numbers[c];
      }
      sum = lane_sum<lanes>(sum);
      for (Index c = lane; c < width; c += lanes) numbers[c] = gradient(c, numbers[c]);
    }
    at_label = lane_sum<lanes>(at_label);
    if (there && lane == 0) total[0] += static_cast<double>((at_label - std::log(sum)) * share);
  }
  if (grid_sum(total, partial, counter)) *value += static_cast<T>(total[0]);
}

}  // namespace

template <class T>
void CudaBackend<T>::softmax_log_likelihood(View<T> logits, const std::int32_t* label, Index samples, T scale,
                                            View<T> value) {
  if (logits.empty()) return;
  const Index classes = logits.cols / samples;
  const auto run = [&]<int lanes, int each>() {
    const unsigned blocks = blocks_for(logits.rows * samples, 256 / lanes, most_sum_blocks);
    launch(softmax_likelihood_kernel<lanes, each, T>, blocks, 256, 0, stream_, logits, label, samples,
           classes, scale, value.data, scratch<double>(most_sum_blocks), counters_);
  };
  if (classes <= 8) return run.template operator()<8, 1>();
  if (classes <= 16) return run.template operator()<8, 2>();
  if (classes <= 40) return run.template operator()<8, 5>();
  if (classes <= 128) return run.template operator()<32, 4>();
  run.template operator()<32, 0>();
}

#define GDKM_INSTANTIATE(T) \
  template void CudaBackend<T>::softmax_log_likelihood(View<T>, const std::int32_t*, Index, T, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
