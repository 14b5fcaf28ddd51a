#pragma once

#include <algorithm>
#include <deque>
#include <vector>

#include "gdkm/linalg/cuda/check.hpp"

namespace gdkm::cuda {

/// How long streams have stood still: the time between pairs of events, which are looked at when both have
/// passed.
class StreamWaits {
 public:
  struct Wait {
    cudaEvent_t from = nullptr, to = nullptr;
  };

  StreamWaits() = default;
  ~StreamWaits() {
    for (const auto* waits : {&idle_, &open_}) {
      for (const Wait& wait : *waits) {
        static_cast<void>(cudaEventDestroy(wait.from));
        static_cast<void>(cudaEventDestroy(wait.to));
      }
    }
  }
  StreamWaits(const StreamWaits&) = delete;
  StreamWaits& operator=(const StreamWaits&) = delete;

  /// Events that the caller records, `to` last or on another stream. They stay his until the next call.
  Wait next() {
    if (idle_.empty()) {
      Wait made;
      GDKM_CUDA(cudaEventCreate(&made.from));
      if (const cudaError_t status = cudaEventCreate(&made.to); status != cudaSuccess) {
        static_cast<void>(cudaEventDestroy(made.from));
        GDKM_CUDA(status);
      }
      idle_.push_back(made);
    }
    open_.push_back(idle_.front());
    idle_.pop_front();
    return open_.back();
  }

  /// Seconds of the pairs that have passed since the last call. A stream that came too late for `from` to be
  /// before `to` did not wait.
  double take() {
    double seconds = 0;
    while (!open_.empty() && has_passed(open_.front().from) && has_passed(open_.front().to)) {
      float milliseconds = 0;
      GDKM_CUDA(cudaEventElapsedTime(&milliseconds, open_.front().from, open_.front().to));
      seconds += std::max(0.0, 1e-3 * static_cast<double>(milliseconds));
      idle_.push_back(open_.front());
      open_.pop_front();
    }
    return seconds;
  }

 private:
  static bool has_passed(cudaEvent_t event) {
    const cudaError_t status = cudaEventQuery(event);
    if (status == cudaErrorNotReady) return false;
    GDKM_CUDA(status);
    return true;
  }

  std::deque<Wait> open_, idle_;  // open ones in the order in which they were made
};

}  // namespace gdkm::cuda
