#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdlib>
#include <cstring>

#include "gdkm/linalg/cuda/check.hpp"
#include "gdkm/linalg/cuda/nccl/module.hpp"
#include "gdkm/linalg/cuda/nccl/stream_waits.hpp"

namespace gdkm {

namespace {

static_assert(sizeof(ncclUniqueId) == sizeof(NcclId));

void check(ncclResult_t status, const char* call, ncclComm_t ranks = nullptr) {
  if (status == ncclSuccess || status == ncclInProgress) return;
  std::string text = std::string("NCCL: ") + call + ": " + ncclGetErrorString(status);
  if (const char* more = ncclGetLastError(ranks); more != nullptr && *more != '\0')
    text.append(" (").append(more).append(")");
  if (status == ncclRemoteError) throw RankFailure(text);
  throw std::runtime_error(text +
                           "; NCCL_DEBUG=INFO tells more, and an empty GDKM_NCCL_MODULE sends messages "
                           "through the memory of the hosts instead");
}

int loaded_version() {
  int out = 0;
  check(ncclGetVersion(&out), "ncclGetVersion");
  return out;
}

/// Messages by NCCL. Sums go to the caller's stream, exchanges to a stream of their own, between two events,
/// so that the caller's goes on meanwhile.
class NcclMessages final : public DeviceMessages {
 public:
  explicit NcclMessages(const NcclPlace& place) : device_(place.device) {
    ncclUniqueId id;
    std::memcpy(&id, place.id.data(), sizeof(id));
    enter();
    try {
      GDKM_CUDA(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
      GDKM_CUDA(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
      check(ncclCommInitRank(&ranks_, place.size, id, place.rank), "ncclCommInitRank");
    } catch (...) {
      close();
      throw;
    }
  }
  ~NcclMessages() override {
    static_cast<void>(cudaSetDevice(device_));
    close();
  }

  std::string description() const override {
    const int version = loaded_version();
    return "NCCL " + std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
           std::to_string(version % 100);
  }
  int device() const override { return device_; }

  void add_up(float* values, std::size_t count, void* queue) override {
    sum(values, count, ncclFloat32, queue);
  }
  void add_up(double* values, std::size_t count, void* queue) override {
    sum(values, count, ncclFloat64, queue);
  }

  void start(std::span<const Communicator::Message> send, std::span<const Communicator::Message> receive,
             void* queue) override {
    exchanging_ = !send.empty() || !receive.empty();
    if (!exchanging_) return;
    enter();
    check_ranks();
    GDKM_CUDA(cudaEventRecord(ready_, static_cast<cudaStream_t>(queue)));
    GDKM_CUDA(cudaStreamWaitEvent(stream_, ready_, 0));
    check(ncclGroupStart(), "ncclGroupStart", ranks_);
    for (const Communicator::Message& to : send)
      check(ncclSend(to.data, to.bytes, ncclInt8, to.rank, ranks_, stream_), "ncclSend", ranks_);
    for (const Communicator::Message& from : receive)
      check(ncclRecv(from.data, from.bytes, ncclInt8, from.rank, ranks_, stream_), "ncclRecv", ranks_);
    check(ncclGroupEnd(), "ncclGroupEnd", ranks_);
    arrival_ = waits_.next();
    GDKM_CUDA(cudaEventRecord(arrival_.to, stream_));
  }
  void finish(void* queue) override {
    if (!exchanging_) return;
    exchanging_ = false;
    enter();
    GDKM_CUDA(cudaEventRecord(arrival_.from, static_cast<cudaStream_t>(queue)));
    GDKM_CUDA(cudaStreamWaitEvent(static_cast<cudaStream_t>(queue), arrival_.to, 0));
  }

  double waited() override {
    enter();
    return exchanging_ ? 0 : waits_.take();
  }

 private:
  /// A new thread starts with device 0.
  void enter() const { GDKM_CUDA(cudaSetDevice(device_)); }

  template <class V>
  void sum(V* values, std::size_t count, ncclDataType_t type, void* queue) {
    const auto stream = static_cast<cudaStream_t>(queue);
    enter();
    check_ranks();
    const cuda::StreamWaits::Wait wait = waits_.next();
    GDKM_CUDA(cudaEventRecord(wait.from, stream));
    check(ncclAllReduce(values, values, count, type, ncclSum, ranks_, stream), "ncclAllReduce", ranks_);
    GDKM_CUDA(cudaEventRecord(wait.to, stream));
  }

  /// Whether earlier work failed, which NCCL notices on the side.
  void check_ranks() const {
    ncclResult_t status = ncclSuccess;
    check(ncclCommGetAsyncError(ranks_, &status), "ncclCommGetAsyncError", ranks_);
    check(status, "an earlier message or sum", ranks_);
  }

  void close() noexcept {
    if (stream_ != nullptr) static_cast<void>(cudaStreamSynchronize(stream_));
    if (ranks_ != nullptr) static_cast<void>(ncclCommDestroy(ranks_));
    if (ready_ != nullptr) static_cast<void>(cudaEventDestroy(ready_));
    if (stream_ != nullptr) static_cast<void>(cudaStreamDestroy(stream_));
  }

  int device_;
  ncclComm_t ranks_ = nullptr;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t ready_ = nullptr;  // what is sent has been computed
  cuda::StreamWaits waits_;
  cuda::StreamWaits::Wait arrival_;  // of the exchange that goes on
  bool exchanging_ = false;
};

/// Switches that add up themselves (NVLS) do so in an order of their own, and a run is to be repeatable. NCCL
/// reads this when it starts; who sets it decides.
[[maybe_unused]] const int without_nvls = setenv("NCCL_NVLS_ENABLE", "0", 0);

}  // namespace

}  // namespace gdkm

#define GDKM_EXPORT extern "C" __attribute__((visibility("default")))

GDKM_EXPORT const char* gdkm_nccl_signature() {
  static const std::string signature = gdkm::nccl_module_signature();
  return signature.c_str();
}

GDKM_EXPORT int gdkm_nccl_version() {
  return gdkm::loaded_version();
}

GDKM_EXPORT void gdkm_nccl_id(gdkm::NcclId& id) {
  ncclUniqueId made;
  gdkm::check(ncclGetUniqueId(&made), "ncclGetUniqueId");
  std::memcpy(id.data(), &made, sizeof(made));
}

GDKM_EXPORT gdkm::DeviceMessages* gdkm_nccl_messages(const gdkm::NcclPlace& place) {
  return new gdkm::NcclMessages(place);
}
