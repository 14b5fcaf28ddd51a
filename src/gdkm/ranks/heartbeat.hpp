#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "gdkm/ranks/communicator.hpp"

namespace gdkm {

/// What ranks tell each other after every epoch: whether one was interrupted, whether the first wants a
/// checkpoint, and how long each has computed. So all of them stop and save at the same epoch, and a rank for
/// which the others wait is noticed.
class Heartbeat {
 public:
  explicit Heartbeat(Communicator& ranks);

  struct Answer {
    bool interrupted = false;  // some rank
    bool keep = false;         // the first rank wants a checkpoint
    std::string slow;          // a sentence about a rank that is slow; each rank is mentioned once
  };
  /// All ranks call it.
  Answer beat(bool interrupted, bool keep);

  /// Looked at so often, and a rank that computes so many times as long as the middle one is slow.
  static constexpr double seconds_between_looks = 5, slow_ratio = 1.5, least_seconds = 1;

  /// What to say of ranks that have computed for so long; nothing where none is slow, or is known already.
  static std::string slow_rank(const std::vector<double>& busy, const std::vector<std::string>& hosts,
                               std::vector<char>& known);

 private:
  using Clock = std::chrono::steady_clock;
  Communicator& ranks_;
  Clock::time_point start_ = Clock::now();
  double waited_before_;
  std::vector<std::string> hosts_;
  std::vector<double> busy_at_last_look_;
  double last_look_ = 0;  // of the first rank
  std::vector<char> known_;
};

/// Refuses to go on where ranks were given something else to do: `mine` is a text that must be the same on
/// all. An InputError names the first rank that differs, on every rank. `what` says what the texts are.
void check_ranks_agree(Communicator& ranks, const std::string& what, const std::string& mine);

}  // namespace gdkm
