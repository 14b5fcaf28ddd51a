#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "gdkm/data/files/http_get.hpp"

namespace gdkm {

/// What becomes of the response to one request, whoever makes it: libcurl, or Python's library. Functions
/// that return a bool say whether to go on; after false the request is to be dropped.
class HttpReception {
 public:
  using Trouble = HttpOutcome::Trouble;

  HttpReception(PartialFile& part, bool checked, const DownloadOptions& options);

  /// The headers of the request: "bytes=N-", and a date. Empty if there are none.
  std::string range() const;
  std::string if_range() const;

  /// Takes a line of a response's head: its status line, which forgets the headers of a former hop, or a
  /// header.
  void header(std::string_view line);
  /// The head is complete: is this the requested data? A length of -1 is unknown.
  bool begin(long status, std::int64_t length);
  bool begun() const { return begun_; }
  bool body(std::string_view bytes);
  /// Whether nobody has interrupted it, and data still arrives.
  bool goes_on();
  bool stop(Trouble trouble, std::string reason = {});
  /// The body has ended as HTTP says.
  void complete();
  /// `changed`: when the server last changed the file; -1 if unknown.
  HttpOutcome finish(std::time_t changed);

 private:
  using Clock = std::chrono::steady_clock;

  PartialFile& part_;
  const DownloadOptions& options_;
  const bool checked_;
  const std::int64_t offset_;  // the request starts here
  HttpOutcome outcome_;
  bool begun_ = false, accepts_ranges_ = false;
  std::int64_t range_start_ = -1, range_total_ = -1;
  Clock::time_point watched_since_ = Clock::now();
  std::int64_t watched_size_;
};

}  // namespace gdkm
