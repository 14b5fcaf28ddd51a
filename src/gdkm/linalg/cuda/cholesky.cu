#include "gdkm/linalg/cuda/cholesky_kernel.hpp"
#include "gdkm/linalg/cuda/cuda_backend.hpp"
#include "gdkm/linalg/cuda/launch.hpp"
#include "gdkm/linalg/cuda/wide_gram.hpp"

namespace gdkm {

namespace cuda {
namespace {

template <class T, class U, Team team>
__global__ void __launch_bounds__(group_size* groups_per_block<U>)
    cholesky_kernel(const __grid_constant__ CholeskyProblem<T, U> problem) {
  cuda::await_previous();
  extern __shared__ __align__(16) unsigned char memory[];
  Cholesky<T, U, team>(problem, reinterpret_cast<U*>(memory)).run();
}

template <class U>
constexpr std::size_t shared_bytes = sizeof(U) * 2 * shared_tile_size<U>* groups_per_block<U>;

/// The number of flags of a team of `blocks` blocks.
constexpr Index flags_of(Index blocks) {
  return 2 + 3 * blocks;
}

/// The memory for the tiles and flags of an m×m problem, in numbers of type U.
template <class U>
Index work_size(Index m, Index blocks) {
  return cholesky_tiles(m) * tile_size +
         (flags_of(blocks) * Index(sizeof(int)) + Index(sizeof(U)) - 1) / Index(sizeof(U));
}

/// The largest side, in tiles, of a problem for one cluster. A larger problem uses the whole GPU, where
/// synchronisation takes longer.
constexpr Index largest_for_cluster = 20;

template <class T, class U, Team team>
void launch_cholesky(const CholeskyProblem<T, U>& problem, int blocks, const Queue& stream) {
  const auto kernel = cholesky_kernel<T, U, team>;
  GDKM_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shared_bytes<U>)));
  cudaLaunchAttribute attributes[2]{};
  cudaLaunchAttribute& attribute = attributes[0];
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  if constexpr (team == Team::cluster) {
    if (blocks > 8)
      GDKM_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = static_cast<unsigned>(blocks);
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  } else {
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
  }
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(group_size * groups_per_block<U>);
  config.dynamicSmemBytes = shared_bytes<U>;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = team == Team::cluster && stream.overlaps ? 2 : 1;
  GDKM_CUDA(cudaLaunchKernelEx(&config, kernel, problem));
}

/// The number of blocks for an m×m problem: enough for one tile per group in the busiest phase, but at most
/// `most`, the number that a cluster or the whole GPU can have.
template <class U>
int blocks_of(Index m, int most) {
  const Index side = tiles_across(m), tiles = side * (side + 1) / 2;
  int blocks = 1;
  while (2 * blocks <= most && blocks * groups_per_block<U> < 2 * tiles) blocks *= 2;
  return blocks;
}

}  // namespace
}  // namespace cuda

template <class T>
template <class U>
void CudaBackend<T>::cholesky_by(ConstView<U> k, T jitter, double least_part, View<T> h, View<T> inverse,
                                 View<T> used, U* work) {
  cuda::CholeskyProblem<T, U> problem{};
  problem.k = k;
  problem.jitter = jitter;
  problem.least_part = static_cast<cuda::Leading<U>>(least_part);
  problem.h = h;
  problem.inverse = inverse;
  problem.used = used.data;
  problem.tiles = work;
  problem.flags = reinterpret_cast<int*>(work + cuda::cholesky_tiles(h.rows) * cuda::tile_size);
  if (clusters_ && cuda::tiles_across(h.rows) <= cuda::largest_for_cluster) {
    cuda::launch_cholesky<T, U, cuda::Team::cluster>(problem, cuda::blocks_of<U>(h.rows, 8), stream_);
  } else {
    cuda::launch_cholesky<T, U, cuda::Team::grid>(problem, cuda::blocks_of<U>(h.rows, multiprocessors_),
                                                  stream_);
  }
}

template <class T>
void CudaBackend<T>::cholesky(ConstView<T> k, T jitter, View<T> h, View<T> inverse, View<T> used) {
  if (h.empty()) return;
  T* work = scratch<T>(cuda::work_size<T>(h.rows, multiprocessors_ + 8));
  cholesky_by<T>(k, jitter, 0, h, inverse, used, work);
}

template <class T>
void CudaBackend<T>::cholesky_of_gram(ConstView<T> f, T jitter, View<T> h, View<T> inverse, View<T> used) {
  using U = typename cuda::Twice<T>::Type;
  const Index m = f.rows;
  if (m == 0) return;
  const Index work_size = cuda::work_size<U>(m, multiprocessors_ + 8);
  U* work = scratch<U>(work_size + m * m);
  const View<U> gram(work + work_size, m, m);
  const auto side = static_cast<unsigned>(cuda::tiles_across(m));
  const auto kernel = cuda::wide_gram<T, U>;
  GDKM_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(cuda::shared_bytes<U>)));
  cuda::launch(kernel, dim3(side, side), cuda::group_size * cuda::groups_per_block<U>, cuda::shared_bytes<U>,
               stream_, f, gram);
  cholesky_by<U>(gram, jitter, least_diagonal<T>(), h, inverse, used, work);
}

/// Bytes of scratch for the factorisations of m points.
template <class T>
std::size_t CudaBackend<T>::cholesky_bytes(Index m, bool of_gram) const {
  using U = typename cuda::Twice<T>::Type;
  const Index blocks = multiprocessors_ + 8;
  if (!of_gram) return static_cast<std::size_t>(cuda::work_size<T>(m, blocks)) * sizeof(T);
  return static_cast<std::size_t>(cuda::work_size<U>(m, blocks) + m * m) * sizeof(U);
}

#define GDKM_INSTANTIATE(T)                                                                   \
  template void CudaBackend<T>::cholesky(ConstView<T>, T, View<T>, View<T>, View<T>);         \
  template void CudaBackend<T>::cholesky_of_gram(ConstView<T>, T, View<T>, View<T>, View<T>); \
  template std::size_t CudaBackend<T>::cholesky_bytes(Index, bool) const;
GDKM_INSTANTIATE(float)
GDKM_INSTANTIATE(double)

}  // namespace gdkm
