#include "gdkm/data/files/download.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "gdkm/data/files/http_get.hpp"
#include "gdkm/data/files/sha256.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;
using Trouble = HttpOutcome::Trouble;

/// A download from one address to one file.
struct Transfer {
  const std::string& url;
  const fs::path& target;
  const std::string& sha256;
  const DownloadOptions& options;

  bool is_there() const;
  /// Tries until the file is complete.
  void gather(PartialFile& part) const;
  void pause(double seconds) const;
  [[noreturn]] void fail(const PartialFile& part, const HttpOutcome& outcome, int attempts) const;
  [[noreturn]] void fail_on_status(const HttpOutcome& outcome) const;
  std::string place_by_hand() const { return "put it at " + target.string() + " by hand"; }
};

/// "3.0 MiB of 5.0 MiB".
std::string progress_text(const PartialFile& part, const HttpOutcome& outcome) {
  return outcome.total > 0 ? fmt::format("{} of {}", size_text(part.size()), size_text(outcome.total))
                           : size_text(part.size());
}

bool is_busy(long status) {
  return status == 408 || status == 429 || (status >= 500 && status != 501 && status != 505);
}

bool Transfer::is_there() const {
  std::error_code ignored;
  if (fs::is_directory(target, ignored))
    refuse(target.string() + ": is a folder, but a file is needed there; move the folder away");
  if (!fs::exists(target, ignored)) return false;
  if (sha256.empty()) return !options.force;
  const std::string found = sha256_of_file(target);
  if (found == sha256) return true;
  if (options.force) return false;
  refuse("{}: its SHA-256 is {}, expected {}; use {} to fetch it again", target.string(), found, sha256,
         option("force"));
}

void Transfer::pause(double seconds) const {
  for (; seconds > 0 && !(options.interrupted && options.interrupted()); seconds -= 0.05) {
    ::poll(nullptr, 0, static_cast<int>(1000 * std::min(seconds, 0.05)));
  }
}

void Transfer::gather(PartialFile& part) const {
  bool came = false;  // whether the server has answered in this call
  double wait = options.pause_seconds;
  for (int attempt = 1;; ++attempt) {
    const HttpOutcome outcome = options.get ? options.get(url, part, !sha256.empty(), options)
                                            : http_get(url, part, !sha256.empty(), options);
    if (outcome.trouble == Trouble::none) return;
    const bool again = outcome.trouble == Trouble::cut || outcome.trouble == Trouble::range ||
                       (outcome.trouble == Trouble::status && is_busy(outcome.status)) ||
                       (outcome.trouble == Trouble::unreachable && came);
    const bool wasted = outcome.trouble == Trouble::disk && !outcome.resumable;
    if (outcome.trouble == Trouble::range || outcome.trouble == Trouble::too_large || wasted)
      part.start_over();
    if (!again || attempt >= options.attempts) fail(part, outcome, attempt);
    came = true;
    if (outcome.trouble != Trouble::range) pause(std::exchange(wait, 2 * wait));
  }
}

void Transfer::fail_on_status(const HttpOutcome& outcome) const {
  std::string remedy = "try again later, or fetch it elsewhere and " + place_by_hand();
  if (outcome.status == 404 || outcome.status == 410) {
    remedy = "the file has moved; find it elsewhere and " + place_by_hand();
  } else if (outcome.status == 401 || outcome.status == 403) {
    remedy = "the server refuses programs; try a browser and " + place_by_hand();
  }
  refuse("{}: the server answered {}; {}", url, outcome.status, remedy);
}

void Transfer::fail(const PartialFile& part, const HttpOutcome& outcome, int attempts) const {
  const std::string had = progress_text(part, outcome), at = part.path().string();
  const std::string times = attempts == 1 ? "" : fmt::format(" {} times", attempts);
  switch (outcome.trouble) {
    case Trouble::interrupted:
      throw DownloadInterrupted(part.size() == 0 ? "stopped before anything arrived from " + url
                                                 : fmt::format("stopped with {} of {} in {}", had, url, at));
    case Trouble::unreachable:
      throw OfflineError(fmt::format("{}: cannot connect ({})", url, outcome.reason),
                         "check the network, or " + place_by_hand());
    case Trouble::status:
      fail_on_status(outcome);
    case Trouble::too_large:
      refuse("{}: the server sends more than {}, so this is not the published file; find it elsewhere", url,
             size_text(outcome.total > 0 ? std::min(outcome.total, options.most_bytes) : options.most_bytes));
    case Trouble::disk: {
      const bool full = outcome.disk_error == ENOSPC || outcome.disk_error == EDQUOT;
      const std::string needed =
          outcome.total > 0 ? size_text(outcome.total - part.size()) + " more" : "more space";
      refuse(
          "{}: cannot be written ({}); {} needed: {}{}", at, std::strerror(outcome.disk_error), needed,
          (full ? "free some space, or choose another disk with " : "choose another disk with ") +
              option("data_dir"),
          part.size() > 0 ? fmt::format("; {} are kept for the next attempt", size_text(part.size())) : "");
    }
    case Trouble::cut:
      refuse("{}: the connection was cut{} ({}); {}", url, times, outcome.reason,
             part.size() > 0
                 ? fmt::format("{} are in {}; run the command again to continue from there", had, at)
                 : "run the command again");
    default:
      refuse("{}: cannot be fetched ({}); check the address, or {}", url, outcome.reason, place_by_hand());
  }
}

}  // namespace

Downloaded download(const std::string& url, const fs::path& target, const std::string& sha256,
                    const DownloadOptions& options) {
  const Transfer transfer{url, target, sha256, options};
  if (transfer.is_there()) return Downloaded::before;
  PartialFile part(target);
  if (transfer.is_there()) {  // another process finished it before this one got the lock
    part.discard();
    return Downloaded::before;
  }
  bool inherited = part.size() > 0;
  while (true) {
    transfer.gather(part);
    const std::string found = sha256.empty() ? "" : sha256_of_file(part.path());
    if (found == sha256) break;
    part.start_over();
    // The part left by an earlier call may belong to another version of the file.
    if (!std::exchange(inherited, false)) {
      refuse(
          "{}: its SHA-256 is {}, expected {}; the file was changed or damaged: try again later, "
          "or use another source",
          url, found, sha256);
    }
  }
  part.finish();
  return Downloaded::now;
}

std::string size_text(std::int64_t bytes) {
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double size = static_cast<double>(bytes) / 1024;
  const char* unit = "KiB";
  for (const char* next : {"MiB", "GiB", "TiB"}) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  return fmt::format("{:.1f} {}", size, unit);
}

}  // namespace gdkm
