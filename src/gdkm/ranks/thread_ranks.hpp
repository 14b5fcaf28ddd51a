#pragma once

#include <functional>

#include "gdkm/ranks/communicator.hpp"

namespace gdkm {

/// Runs `work` in so many threads, each with a communicator that makes it one of so many ranks. For tests and
/// for machines without MPI. Waits for all; rethrows the first exception, on which other ranks give up.
void run_as_ranks(int count, const std::function<void(Communicator&)>& work);

}  // namespace gdkm
