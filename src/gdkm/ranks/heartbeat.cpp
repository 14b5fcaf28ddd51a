#include "gdkm/ranks/heartbeat.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/ranks/collect.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

/// Where two texts begin to differ, with a little of what is around.
std::string difference(const std::string& a, const std::string& b) {
  const auto at =
      static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  const std::size_t from = at < 30 ? 0 : at - 30;
  return "'" + a.substr(from, 60) + "' there, '" + b.substr(from, 60) + "' on rank 0";
}

}  // namespace

Heartbeat::Heartbeat(Communicator& ranks)
    : ranks_(ranks),
      waited_before_(ranks.traffic().waited),
      hosts_(text_of_each(ranks, ranks.host())),
      busy_at_last_look_(static_cast<std::size_t>(ranks.size()), 0.0),
      known_(static_cast<std::size_t>(ranks.size()), 0) {}

std::string Heartbeat::slow_rank(const std::vector<double>& busy, const std::vector<std::string>& hosts,
                                 std::vector<char>& known) {
  std::vector<double> sorted = busy;
  std::sort(sorted.begin(), sorted.end());
  const double middle = sorted[(sorted.size() - 1) / 2];
  for (std::size_t r = 0; r < busy.size(); ++r) {
    if (known[r] != 0 || busy[r] < least_seconds || busy[r] <= slow_ratio * middle) continue;
    known[r] = 1;
    return fmt::format(
        "rank {} ({}) is slow: it computed for {:.1f} s while others computed for {:.1f} s and waited", r,
        hosts[r], busy[r], middle);
  }
  return "";
}

Heartbeat::Answer Heartbeat::beat(bool interrupted, bool keep) {
  struct Beat {
    double seconds = 0, busy = 0;
    char interrupted = 0, keep = 0;
  };
  Beat mine;
  mine.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  mine.busy = mine.seconds - (ranks_.traffic().waited - waited_before_);
  mine.interrupted = interrupted ? 1 : 0;
  mine.keep = keep ? 1 : 0;
  const auto all = one_of_each(ranks_, mine);
  Answer out;
  out.keep = all.front().keep != 0;
  for (const Beat& each : all) out.interrupted = out.interrupted || each.interrupted != 0;
  if (all.front().seconds - last_look_ < seconds_between_looks) return out;
  last_look_ = all.front().seconds;
  std::vector<double> busy;
  for (std::size_t r = 0; r < all.size(); ++r) {
    busy.push_back(all[r].busy - busy_at_last_look_[r]);
    busy_at_last_look_[r] = all[r].busy;
  }
  out.slow = slow_rank(busy, hosts_, known_);
  return out;
}

void check_ranks_agree(Communicator& ranks, const std::string& what, const std::string& mine) {
  const auto all = text_of_each(ranks, mine);
  const auto hosts = text_of_each(ranks, ranks.host());
  for (std::size_t r = 1; r < all.size(); ++r) {
    if (all[r] == all.front()) continue;
    throw InputError("rank " + std::to_string(r) + " (" + hosts[r] + ") has " + what + " than rank 0 (" +
                     hosts.front() + "): " + difference(all[r], all.front()) +
                     "; start all ranks with the same program and options");
  }
}

}  // namespace gdkm
