#pragma once

#include <functional>
#include <memory>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// While an object exists, functions of Dense on the host that its thread calls use this many threads (0: one
/// per core). Those of the linked BLAS are set for the whole process, so no backend may run at the same time.
class DenseThreads {
 public:
  explicit DenseThreads(int count);
  ~DenseThreads();
  DenseThreads(const DenseThreads&) = delete;
  DenseThreads& operator=(const DenseThreads&) = delete;

 private:
  struct Setting;
  std::unique_ptr<Setting> setting_;
};

/// Runs body(begin, end) for all blocks of `block` numbers in [0, count), the last ones first. Each of these
/// threads takes the next block as soon as it is free, so that blocks may differ in their work. What a block
/// computes must not depend on others. A call within a block runs on one thread.
void in_blocks(Index count, Index block, const std::function<void(Index, Index)>& body);

}  // namespace gdkm
