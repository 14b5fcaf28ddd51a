#include "gdkm/linalg/dense_threads.hpp"

#include <algorithm>
#include <atomic>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

namespace {
ThreadPool* pool_in_use = nullptr;      // of the innermost DenseThreads
std::atomic<bool> pool_is_busy{false};  // with the blocks of a call that has not returned
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
  // A block that calls this function, or another thread that does, works alone.
  if (pool_in_use == nullptr || blocks < 2 || pool_is_busy.exchange(true)) return work(0);
  struct Release {
    ~Release() { pool_is_busy = false; }
  } release;
  pool_in_use->run(work);
}

}  // namespace gdkm
