#pragma once

#include <string>

#include "gdkm/ranks/communicator.hpp"
#include "gdkm/support/version.hpp"

// The interface between the program and the module for MPI (libgdkm_mpi.so), without types of MPI.

namespace gdkm {

/// Differs if program and module are from different builds.
inline std::string mpi_module_signature() {
  return std::string(version) + " " + std::string(git_commit) + " " + std::to_string(sizeof(Communicator)) +
         " " + std::to_string(sizeof(std::string));
}

using MpiModuleSignature = const char*();
/// Starts MPI. Deleting the communicator ends it.
using MakeMpiCommunicator = Communicator*();
/// Ends all ranks at once, with this status.
using AbortMpi = void(int status);
inline constexpr const char* mpi_module_signature_name = "gdkm_mpi_signature";
inline constexpr const char* make_mpi_communicator_name = "gdkm_mpi_communicator";
inline constexpr const char* abort_mpi_name = "gdkm_mpi_abort";

}  // namespace gdkm
