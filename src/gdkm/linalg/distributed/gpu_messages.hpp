#pragma once

#include <memory>
#include <string>

#include "gdkm/linalg/gpu_queue.hpp"
#include "gdkm/ranks/device_messages.hpp"

namespace gdkm {

/// How the GPUs of ranks reach each other: directly, or through the memory of their hosts, and why.
struct GpuMessages {
  std::shared_ptr<DeviceMessages> direct;  // null: through the hosts
  std::string why_not;

  /// For people.
  std::string description() const {
    if (direct) return "messages by " + direct->description();
    return "messages through the host" + (why_not.empty() ? "" : " (" + why_not + ")");
  }
};

/// Messages by NCCL, where every rank has a GPU of its own and the module for it (libgdkm_nccl.so), of the
/// same version. All ranks call it and get the same answer. An empty GDKM_NCCL_MODULE on any rank turns it
/// off.
GpuMessages connect_gpus(Communicator& ranks, const GpuQueue& mine);

}  // namespace gdkm
