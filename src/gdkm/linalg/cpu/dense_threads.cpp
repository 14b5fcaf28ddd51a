#include "gdkm/linalg/dense_threads.hpp"

#include <algorithm>
#include <atomic>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

namespace {
// Of the thread that made them: another one, whose objects end at other times, has threads of its own or
// none.
thread_local ThreadPool* pool_in_use = nullptr;  // of the innermost DenseThreads
thread_local bool pool_is_busy = false;          // with the blocks of a call that has not returned
}  // namespace

struct DenseThreads::Setting {
  explicit Setting(int count) : blas(count), pool(count), before(pool_in_use) { pool_in_use = &pool; }
  ~Setting() { pool_in_use = before; }

  blas::Threads blas;
  ThreadPool pool;
  ThreadPool* before;
};

DenseThreads::DenseThreads(int count) : setting_(new Setting(count)) {}
DenseThreads::~DenseThreads() = default;

void in_blocks(Index count, Index block, const std::function<void(Index, Index)>& body) {
  const Index blocks = (count + block - 1) / block;
  std::atomic<Index> left{blocks};
  const auto work = [&](int) {
    for (Index k = --left; k >= 0; k = --left) body(k * block, std::min((k + 1) * block, count));
  };
  if (pool_in_use == nullptr || blocks < 2 || pool_is_busy) return work(0);
  pool_is_busy = true;
  struct Release {
    ~Release() { pool_is_busy = false; }
  } release;
  pool_in_use->run(work);
}

}  // namespace gdkm
