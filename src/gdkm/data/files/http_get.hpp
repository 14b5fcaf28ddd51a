#pragma once

#include <cstdint>
#include <string>

#include "gdkm/data/files/download.hpp"
#include "gdkm/data/files/partial_file.hpp"

namespace gdkm {

/// The result of one request.
struct HttpOutcome {
  enum class Trouble {
    none,
    cut,          // the connection broke or stalled
    unreachable,  // no connection
    status,       // the server answered with an error
    range,        // the rest of the file is not available; the whole may be
    too_large,
    disk,  // the data could not be written
    interrupted,
    other,
  };
  Trouble trouble = Trouble::none;
  std::string reason;      // in words
  long status = 0;         // HTTP status
  int disk_error = 0;      // errno
  std::int64_t total = 0;  // bytes of the whole file; 0: unknown
  bool resumable = false;  // whether a later request can continue
};

/// Requests the missing bytes of `part` once and appends them. If the server sends the whole file instead,
/// `part` starts over. Without a checksum (`checked` is false) the request is conditional on the file not
/// having changed.
HttpOutcome http_get(const std::string& url, PartialFile& part, bool checked, const DownloadOptions& options);

/// Whether this build has libcurl. Without it, http_get throws an OfflineError.
bool can_download();

}  // namespace gdkm
