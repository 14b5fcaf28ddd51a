#pragma once

#include <array>
#include <string>

#include "gdkm/ranks/device_messages.hpp"
#include "gdkm/support/version.hpp"

// The interface between the program and the module for NCCL (libgdkm_nccl.so), without types of CUDA or NCCL.

namespace gdkm {

/// By which ranks find each other: rank 0 makes it, and all others get a copy.
using NcclId = std::array<char, 128>;

struct NcclPlace {
  int rank = 0, size = 1;
  int device = 0;  // of this rank, on which no other is
  NcclId id{};
};

/// Differs if program and module are from different builds.
inline std::string nccl_module_signature() {
  return std::string(version) + " " + std::string(git_commit) + " " + std::to_string(sizeof(NcclPlace)) +
         " " + std::to_string(sizeof(Communicator::Message)) + " " + std::to_string(sizeof(std::string));
}

using NcclModuleSignature = const char*();
/// The version of NCCL that was loaded, as it counts them. Ranks need the same.
using NcclModuleVersion = int();
using MakeNcclId = void(NcclId&);
/// All ranks call it. It waits for them.
using MakeNcclMessages = DeviceMessages*(const NcclPlace&);
inline constexpr const char* nccl_module_signature_name = "gdkm_nccl_signature";
inline constexpr const char* nccl_module_version_name = "gdkm_nccl_version";
inline constexpr const char* make_nccl_id_name = "gdkm_nccl_id";
inline constexpr const char* make_nccl_messages_name = "gdkm_nccl_messages";

}  // namespace gdkm
