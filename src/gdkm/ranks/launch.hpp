#pragma once

#include <memory>

#include "gdkm/ranks/communicator.hpp"

namespace gdkm {

/// How many processes mpirun or srun has started this one among; 1 where nobody has.
int launched_processes();

/// The ranks that mpirun or srun has started; null where this process is alone. MPI is a module
/// (libgdkm_mpi.so) that is loaded here and nowhere else. An InputError says why it cannot be had.
std::shared_ptr<Communicator> launched_ranks();

/// Ends all ranks of MPI, this one too, where there are some.
void abort_ranks(int status);

}  // namespace gdkm
