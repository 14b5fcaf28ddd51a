#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace gdkm {

/// A reference to a function, valid during a call. Unlike std::function it does not own or allocate.
template <class... Arguments>
class FunctionRef {
 public:
  template <class F>
  FunctionRef(const F& function)
      : object_(&function), call_([](const void* object, Arguments... arguments) {
          (*static_cast<const F*>(object))(arguments...);
        }) {}

  void operator()(Arguments... arguments) const { call_(object_, arguments...); }

 private:
  const void* object_;
  void (*call_)(const void*, Arguments...);
};

/// A fixed number of threads. Each thread gets a fixed share of the work, so that results may depend on the
/// number of threads, but not on their timing.
class ThreadPool {
 public:
  /// 0 threads means one per core.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// Runs task(k) for every k in [0, size()), one per thread, and waits. Rethrows an exception of a task.
  void run(FunctionRef<int> task);

  /// Splits [0, count) into equal contiguous shares, all but the last a multiple of `grain`, and runs
  /// body(begin, end) on each.
  void share(std::int64_t count, std::int64_t grain, FunctionRef<std::int64_t, std::int64_t> body);

 private:
  void stop_workers();
  void work(int index);
  void run_one(int index);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_, done_;
  // Threads hand over work by these. Only those that have waited for long sleep, and need the mutex.
  const FunctionRef<int>* task_ = nullptr;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<int> pending_{0}, sleepers_{0};
  std::exception_ptr failure_;
  std::atomic<bool> stop_{false}, is_waiting_{false};
};

}  // namespace gdkm
