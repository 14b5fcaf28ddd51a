#pragma once

#include "gdkm/linalg/cuda/team.hpp"
#include "gdkm/linalg/cuda/wide_number.hpp"

namespace gdkm::cuda {

// Small matrices of 32×32 numbers, each handled by a group of 64 threads: member (down, across) of 8×8 holds
// the entries (down + 8q, across + 8s), q, s < 4, in registers.

inline constexpr int tile_side = 32, tile_size = tile_side * tile_side;

/// The number of values in 16 bytes, the size of one access.
template <class U>
inline constexpr int vector_length = 16 / static_cast<int>(sizeof(U));

/// Rows of a tile in shared memory are padded by 16 bytes, so that the same column of eight rows is in eight
/// different banks.
template <class U>
inline constexpr int tile_stride = tile_side + vector_length<U>;

template <class U>
inline constexpr int shared_tile_size = tile_side* tile_stride<U>;

/// Groups per block: as many as have room for their operands in the shared memory of every GPU.
template <class U>
inline constexpr int groups_per_block = 32 / static_cast<int>(sizeof(U));

template <class U>
struct alignas(16) Vector {
  U v[vector_length<U>];
};

struct Member {
  int id, down, across;
  __device__ explicit Member(int thread) : id(thread % group_size), down(id / 8), across(id % 8) {}
};

/// The group's 16 entries per thread.
template <class U>
struct Entries {
  U v[4][4];
};

/// Copies a row-major tile of 1,024 numbers from global to shared memory.
template <class U>
__device__ void stage(const U* tile, U* shared, const Member& member) {
  constexpr int length = vector_length<U>, per_row = tile_side / length,
                times = tile_size / length / group_size;
  Vector<U> v[times];
#pragma unroll
  for (int t = 0; t < times; ++t) v[t] = reinterpret_cast<const Vector<U>*>(tile)[t * group_size + member.id];
#pragma unroll
  for (int t = 0; t < times; ++t) {
    const int at = t * group_size + member.id;
    *reinterpret_cast<Vector<U>*>(shared + at / per_row * tile_stride<U> + at % per_row * length) = v[t];
  }
}

template <class U>
__device__ void stage(const Entries<U>& entries, U* shared, const Member& member) {
#pragma unroll
  for (int q = 0; q < 4; ++q) {
#pragma unroll
    for (int s = 0; s < 4; ++s)
      shared[(member.down + 8 * q) * tile_stride<U> + member.across + 8 * s] = entries.v[q][s];
  }
}

/// Writes and reads entries in global memory in the order of the threads; no other code reads them.
template <class U>
__device__ Entries<U> recall(const U* slot, const Member& member) {
  constexpr int length = vector_length<U>;
  Entries<U> out;
#pragma unroll
  for (int t = 0; t < 16 / length; ++t) {
    const Vector<U> v = reinterpret_cast<const Vector<U>*>(slot)[t * group_size + member.id];
#pragma unroll
    for (int e = 0; e < length; ++e) out.v[(t * length + e) / 4][(t * length + e) % 4] = v.v[e];
  }
  return out;
}
template <class U>
__device__ void keep(const Entries<U>& entries, U* slot, const Member& member) {
  constexpr int length = vector_length<U>;
#pragma unroll
  for (int t = 0; t < 16 / length; ++t) {
    Vector<U> v;
#pragma unroll
    for (int e = 0; e < length; ++e) v.v[e] = entries.v[(t * length + e) / 4][(t * length + e) % 4];
    reinterpret_cast<Vector<U>*>(slot)[t * group_size + member.id] = v;
  }
}

/// sum += A Bᵀ, both in shared memory.
template <class U>
__device__ void add_product(const U* a, const U* b, const Member& member, Entries<U>& sum) {
  constexpr int length = vector_length<U>, stride = tile_stride<U>;
#pragma unroll(sizeof(U) == 16 ? 1 : 8 / length)
  for (int p = 0; p < tile_side; p += length) {
    Vector<U> left[4], right[4];
#pragma unroll
    for (int q = 0; q < 4; ++q) {
      left[q] = *reinterpret_cast<const Vector<U>*>(a + (member.down + 8 * q) * stride + p);
      right[q] = *reinterpret_cast<const Vector<U>*>(b + (member.across + 8 * q) * stride + p);
    }
#pragma unroll
    for (int e = 0; e < length; ++e) {
#pragma unroll
      for (int q = 0; q < 4; ++q) {
#pragma unroll
        for (int s = 0; s < 4; ++s) sum.v[q][s] = plus_product(sum.v[q][s], left[q].v[e], right[s].v[e]);
      }
    }
  }
}

}  // namespace gdkm::cuda
