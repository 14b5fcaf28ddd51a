#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/reduce.hpp"

namespace gdkm {

namespace {
using namespace cuda;

/// A warp per row. The largest score is at the label when no score is larger and none before it is as large.
template <class T>
__global__ void __launch_bounds__(256) count_correct_kernel(ConstView<T> scores, const std::int32_t* label,
                                                            T* count, double* partial, unsigned* counter) {
  cuda::await_previous();
  const Index warps = static_cast<Index>(gridDim.x) * 8;
  double sum[1] = {0};
  for (Index r = static_cast<Index>(blockIdx.x) * 8 + threadIdx.x / 32; r < scores.rows; r += warps) {
    const T* row = scores.row(r);
    const Index at = label[r];
    const T best = row[at];
    bool beaten = false;
    for (Index j = threadIdx.x % 32; j < scores.cols; j += 32) {
      beaten = beaten || (j < at ? !(row[j] < best) : row[j] > best);
    }
    const bool any = __any_sync(all_lanes, beaten);
    if (threadIdx.x % 32 == 0 && !any) sum[0] += 1;
  }
  if (grid_sum(sum, partial, counter)) *count = static_cast<T>(sum[0]);
}
}  // namespace

template <class T>
void CudaBackend<T>::count_correct(ConstView<T> scores, const std::int32_t* label, View<T> count) {
  const unsigned blocks = std::max(1u, blocks_for(scores.rows, 8, most_sum_blocks));
  launch(count_correct_kernel<T>, blocks, 256, 0, stream_, scores, label, count.data,
         scratch<double>(most_sum_blocks), counters_);
}

#define GDKM_INSTANTIATE(T) \
  template void CudaBackend<T>::count_correct(ConstView<T>, const std::int32_t*, View<T>)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
