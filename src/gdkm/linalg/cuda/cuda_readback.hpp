#pragma once

#include "gdkm/linalg/cuda/check.hpp"
#include "gdkm/linalg/cuda/device_wide.hpp"
#include "gdkm/linalg/device.hpp"

namespace gdkm {

/// A copy to pinned memory of the host, and the event that marks its end.
class CudaReadback final : public Readback {
 public:
  CudaReadback(int device, cudaStream_t stream, std::size_t bytes)
      : device_(device), stream_(stream), bytes_(bytes) {
    const std::lock_guard lock(cuda::device_wide());
    GDKM_CUDA(cudaSetDevice(device_));
    GDKM_CUDA(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming));
    if (const cudaError_t status = cudaMallocHost(&host_, bytes); status != cudaSuccess) {
      static_cast<void>(cudaEventDestroy(done_));
      GDKM_CUDA(status);
    }
  }
  ~CudaReadback() override {
    static_cast<void>(cudaEventSynchronize(done_));
    const std::lock_guard lock(cuda::device_wide());
    static_cast<void>(cudaEventDestroy(done_));
    static_cast<void>(cudaFreeHost(host_));
  }
  CudaReadback(const CudaReadback&) = delete;
  CudaReadback& operator=(const CudaReadback&) = delete;

  void start(const void* device) override {
    GDKM_CUDA(cudaSetDevice(device_));
    GDKM_CUDA(cudaMemcpyAsync(host_, device, bytes_, cudaMemcpyDeviceToHost, stream_));
    GDKM_CUDA(cudaEventRecord(done_, stream_));
  }
  bool ready() const override {
    const cudaError_t status = cudaEventQuery(done_);
    if (status == cudaErrorNotReady) return false;
    GDKM_CUDA(status);
    return true;
  }
  const void* wait() override {
    GDKM_CUDA(cudaEventSynchronize(done_));
    return host_;
  }

 private:
  int device_;
  cudaStream_t stream_;
  std::size_t bytes_;
  cudaEvent_t done_ = nullptr;
  void* host_ = nullptr;
};

}  // namespace gdkm
