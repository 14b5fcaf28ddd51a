#include "gdkm/support/thread_pool.hpp"

#include <algorithm>
#include <utility>

namespace gdkm {

namespace {
// A training step has dozens of short parallel sections; a brief spin avoids waking a sleeping thread for
// each.
constexpr int spins = 4000;

void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}
}  // namespace

ThreadPool::ThreadPool(int threads) {
  if (threads <= 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  try {
    for (int k = 1; k < threads; ++k) workers_.emplace_back([this, k] { work(k); });
  } catch (...) {
    stop_workers();  // the destructor does not run
    throw;
  }
}

ThreadPool::~ThreadPool() {
  stop_workers();
}

void ThreadPool::stop_workers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    generation_.fetch_add(1);
  }
  start_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void ThreadPool::run_one(int index) {
  try {
    (*task_)(index);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void ThreadPool::run(FunctionRef<int> task) {
  if (workers_.empty()) return task(0);
  task_ = &task;
  pending_.store(static_cast<int>(workers_.size()));
  generation_.fetch_add(1);
  // Either this thread sees who is about to sleep, or that one sees the new generation.
  if (sleepers_.load() > 0) {
    { const std::lock_guard lock(mutex_); }
    start_.notify_all();
  }
  run_one(0);
  for (int k = 0; k < spins && pending_.load() > 0; ++k) pause();
  if (pending_.load() > 0) {
    std::unique_lock lock(mutex_);
    is_waiting_.store(true);
    done_.wait(lock, [this] { return pending_.load() == 0; });
    is_waiting_.store(false);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::work(int index) {
  // A generation ends when all workers have done their part, so none is missed.
  for (std::uint64_t seen = 0;; ++seen) {
    for (int k = 0; k < spins && generation_.load() == seen; ++k) pause();
    if (generation_.load() == seen) {
      std::unique_lock lock(mutex_);
      sleepers_.fetch_add(1);
      start_.wait(lock, [&] { return generation_.load() != seen; });
      sleepers_.fetch_sub(1);
    }
    if (stop_.load()) return;
    run_one(index);
    if (pending_.fetch_sub(1) == 1 && is_waiting_.load()) {
      { const std::lock_guard lock(mutex_); }
      done_.notify_one();
    }
  }
}

void ThreadPool::share(std::int64_t count, std::int64_t grain, FunctionRef<std::int64_t, std::int64_t> body) {
  if (count <= 0) return;
  const std::int64_t grains = (count + grain - 1) / grain;
  const std::int64_t team = std::min<std::int64_t>(size(), grains);
  if (team == 1) return body(0, count);
  run([&](int k) {
    if (k >= team) return;
    const std::int64_t begin = grains * k / team * grain;
    const std::int64_t end = std::min(count, grains * (k + 1) / team * grain);
    if (begin < end) body(begin, end);
  });
}

}  // namespace gdkm
