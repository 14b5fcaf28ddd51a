#pragma once

#include "gdkm/linalg/cuda/reduce.hpp"

/// Work on short rows, such as one entry per class: a group of 4 to 32 lanes handles a row, so a warp handles
/// one or several.
namespace gdkm::cuda {

inline int lanes_for(Index cols) {
  int lanes = 4;
  while (lanes < 32 && lanes < cols) lanes *= 2;
  return lanes;
}

/// `memory`: Body::memory() numbers per group in global memory; if null, they are in shared memory.
template <int lanes, class T, class Body>
__global__ void __launch_bounds__(256)
    row_groups_kernel(Index rows, Body body, T* memory, double* partial, unsigned* counter) {
  cuda::await_previous();
  extern __shared__ double shared_numbers[];
  constexpr int groups = 256 / lanes;
  const int group = static_cast<int>(threadIdx.x) / lanes, lane = static_cast<int>(threadIdx.x) % lanes;
  T* mine = memory == nullptr ? reinterpret_cast<T*>(shared_numbers) + group * body.memory()
                              : memory + (static_cast<Index>(blockIdx.x) * groups + group) * body.memory();
  if constexpr (Body::sums == 0) {
    for (Index begin = static_cast<Index>(blockIdx.x) * groups; begin < rows; begin += gridDim.x * groups) {
      body.template row<lanes>(begin + group, begin + group < rows, lane, mine, nullptr);
    }
  } else {
    double sum[Body::sums] = {};
    for (Index begin = static_cast<Index>(blockIdx.x) * groups; begin < rows; begin += gridDim.x * groups) {
      body.template row<lanes>(begin + group, begin + group < rows, lane, mine, sum);
    }
    if (grid_sum(sum, partial, counter)) body.finish(sum);
  }
}

template <int lanes, class T, class Body, class MakeMemory>
void launch_row_groups(const Queue& stream, Index rows, const Body& body, MakeMemory make_memory,
                       unsigned* counter) {
  constexpr std::size_t most_shared = 48 * 1024;
  const unsigned blocks = std::max(1u, blocks_for(rows, 256 / lanes, most_sum_blocks));
  const Index each = 256 / lanes * body.memory();
  const bool shared = static_cast<std::size_t>(each) * sizeof(T) <= most_shared;
  const Index partials = Body::sums * Index{most_sum_blocks} * Index{sizeof(double) / sizeof(T)};
  T* memory = make_memory(partials + (shared ? 0 : each * static_cast<Index>(blocks)));
  launch(row_groups_kernel<lanes, T, Body>, blocks, 256,
         shared ? static_cast<std::size_t>(each) * sizeof(T) : 0, stream, rows, body,
         shared ? nullptr : memory + partials, reinterpret_cast<double*>(memory), counter);
}

/// Calls body.row<lanes>(r, there, lane, memory, sum) for every row r, in groups of as many lanes as `cols`
/// needs. All lanes of a warp make the call, so it is also made for rows that do not exist (`there` is
/// false). Then calls body.finish(sum) with the Body::sums totals, if any. `make_memory(count)` provides
/// memory.
template <class T, class Body, class MakeMemory>
void for_row_groups(const Queue& stream, Index rows, Index cols, const Body& body, MakeMemory make_memory,
                    unsigned* counter) {
  switch (lanes_for(cols)) {
    case 4:
      return launch_row_groups<4, T>(stream, rows, body, make_memory, counter);
    case 8:
      return launch_row_groups<8, T>(stream, rows, body, make_memory, counter);
    case 16:
      return launch_row_groups<16, T>(stream, rows, body, make_memory, counter);
    default:
      return launch_row_groups<32, T>(stream, rows, body, make_memory, counter);
  }
}

}  // namespace gdkm::cuda
