#pragma once

#include <memory>
#include <string_view>

#include "gdkm/data/formats/format.hpp"
#include "gdkm/linalg/make_backend.hpp"
#include "gdkm/ranks/communicator.hpp"

namespace gdkm::cli {

/// The processes that mpirun or srun started to share the graph of one command. The first speaks and writes;
/// the others compute, and are heard only if they alone fail.
class LaunchedRanks {
 public:
  /// Joins the others, where there are any, for work on `device`.
  void join(DeviceChoice& device);
  /// Which of them this one is, for what reads a graph in parts.
  ReadingRank reading() const { return ranks_ ? ReadingRank{ranks_->rank(), ranks_->size()} : ReadingRank{}; }
  /// Whether this one speaks and writes.
  bool speaks() const { return !ranks_ || ranks_->is_first(); }
  /// After an error: ends all ranks with this status. One that is not the first waits a moment before it says
  /// `message`, because most errors come to all ranks alike, and the first says them. Does nothing where this
  /// process is alone.
  void fail(int status, std::string_view message);

 private:
  std::shared_ptr<Communicator> ranks_;
};

}  // namespace gdkm::cli
