#pragma once

#include <functional>
#include <stdexcept>
#include <utility>

#include "gdkm/linalg/cuda/check.hpp"
#include "gdkm/linalg/cuda/device_wide.hpp"
#include "gdkm/linalg/device.hpp"

namespace gdkm {

namespace cuda {
/// Work needs a library that cannot be started while it is recorded.
struct LibraryNeeded : std::logic_error {
  using std::logic_error::logic_error;
};
}  // namespace cuda

/// Work as a CUDA graph. The first replay runs it directly, so that libraries load what they need and
/// workspaces grow. The second replay records it, and later ones are a single launch. A replay that
/// needs a library which those before it did not need runs the work directly, too; the next one records it.
class CudaRecording final : public Recording {
 public:
  /// `recording` is set while the work is recorded; `start_library` answers a LibraryNeeded.
  CudaRecording(int device, cudaStream_t stream, bool& recording, std::function<void()> work,
                std::function<void()> start_library)
      : device_(device),
        stream_(stream),
        recording_(recording),
        work_(std::move(work)),
        start_library_(std::move(start_library)) {}
  ~CudaRecording() override {
    if (graph_ == nullptr) return;
    const std::lock_guard lock(cuda::device_wide());
    static_cast<void>(cudaGraphExecDestroy(graph_));
  }
  CudaRecording(const CudaRecording&) = delete;
  CudaRecording& operator=(const CudaRecording&) = delete;

  void replay() override {
    GDKM_CUDA(cudaSetDevice(device_));
    if (!tried_) {
      work_();
      tried_ = true;
      return;
    }
    if (graph_ == nullptr) {
      try {
        make_graph();
      } catch (const cuda::LibraryNeeded&) {
        start_library_();
        return work_();
      }
    }
    GDKM_CUDA(cudaGraphLaunch(graph_, stream_));
  }

 private:
  void make_graph() {
    const std::lock_guard lock(cuda::device_wide());
    // Other threads may go on with work of their own.
    GDKM_CUDA(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    recording_ = true;
    cudaGraph_t graph = nullptr;
    try {
      work_();
    } catch (...) {
      recording_ = false;
      static_cast<void>(cudaStreamEndCapture(stream_, &graph));
      if (graph != nullptr) static_cast<void>(cudaGraphDestroy(graph));
      static_cast<void>(cudaGetLastError());
      throw;
    }
    recording_ = false;
    GDKM_CUDA(cudaStreamEndCapture(stream_, &graph));
    const cudaError_t status = cudaGraphInstantiate(&graph_, graph, 0);
    static_cast<void>(cudaGraphDestroy(graph));
    GDKM_CUDA(status);
  }

  int device_;
  cudaStream_t stream_;
  bool& recording_;
  std::function<void()> work_, start_library_;
  bool tried_ = false;
  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace gdkm
