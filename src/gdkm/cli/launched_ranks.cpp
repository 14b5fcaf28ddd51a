#include "gdkm/cli/launched_ranks.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "gdkm/ranks/launch.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {
/// Time enough for the first rank to speak and to end all others.
constexpr unsigned seconds_for_the_first = 3;
}  // namespace

void LaunchedRanks::join(DeviceChoice& device) {
  if (!ranks_) ranks_ = launched_ranks();
  device.ranks = ranks_;
  // What other ranks print is what the first prints.
  if (!speaks() && std::freopen("/dev/null", "w", stdout) == nullptr)
    throw InputError("standard output of a rank cannot be closed");
}

void LaunchedRanks::fail(int status, std::string_view message) {
  if (!ranks_) return;
  if (!speaks()) {
    ::sleep(seconds_for_the_first);
    fmt::print(stderr, "gdkm: rank {} ({}): {}\n", ranks_->rank(), ranks_->host(), message);
  }
  std::fflush(stderr);
  abort_ranks(status);
}

}  // namespace gdkm::cli
