#pragma once

#include <cuda_runtime.h>

#include <span>

#include "gdkm/linalg/backend.hpp"
#include "gdkm/linalg/cuda/launch.hpp"

/// Products in float on the tensor cores of Hopper GPUs, as accurate as plain float arithmetic: factors are
/// split into parts of 16 bits (two_parts.hpp, three_parts.hpp). They are compiled for compute capability 9.0
/// alone; can_split says whether they can be used. Two shapes matter in a training step: a matrix over nodes
/// times a small one, and the sum over nodes AᵀB.
namespace gdkm::cuda {

/// Whether this GPU, the current one, can run them.
bool can_split(const cudaDeviceProp& properties);

/// A small right factor op(B), split into two parts, or rounded to one as accurate as TF32, and laid out in
/// tiles of columns.
struct SplitRight {
  Op op = Op::none;
  ConstView<float> b;
  Region part = Region::all;  // of op(B)
  int width = 0;              // columns of a tile
  int chunks = 0, tiles = 0;
  int parts = 2;
  void* memory = nullptr;

  SplitRight() = default;
  SplitRight(const Factor<float>& factor, int parts);
  Index inner() const { return op == Op::none ? b.rows : b.cols; }
  Index cols() const { return op == Op::none ? b.cols : b.rows; }
  std::size_t bytes() const;
  /// The largest magnitude of every chunk of every tile, behind the parts.
  unsigned* largest() const;

 private:
  Index bytes_of_parts() const;
};

/// The most factors that are split in one launch.
inline constexpr int most_rights = 3;
/// Splits factors into their memories, which have room for their bytes().
void split_rights(std::span<const SplitRight> rights, const Queue& stream);

/// Whether times_split can read and write these matrices; it accesses several numbers at a time.
bool takes_rows(ConstView<float> a, ConstView<float> c);
/// C ← α A op(B) + β C, with as many parts of A as of B.
void times_split(float alpha, ConstView<float> a, const SplitRight& right, float beta, View<float> c,
                 int multiprocessors, const Queue& stream);

/// C ← α AᵀB + β C for matrices of many rows, in shares of the rows that are added up in a fixed order.
class SplitSum {
 public:
  /// `wanted`: all of C, or the lower triangle with the rest undefined.
  SplitSum(ConstView<float> a, ConstView<float> b, Region wanted, int multiprocessors);
  /// Whether A can be read two numbers at a time.
  bool possible() const;
  std::size_t bytes() const;
  void compute(float alpha, float beta, View<float> c, void* memory, const Queue& stream) const;

 private:
  ConstView<float> a_, b_;
  Region wanted_;
  int width_, down_, across_, tiles_, shares_;
  Index rows_;  // of a share
};

}  // namespace gdkm::cuda
