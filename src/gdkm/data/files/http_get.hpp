#pragma once

#include <cstdint>
#include <string>

#include "gdkm/data/files/download.hpp"
#include "gdkm/data/files/partial_file.hpp"

namespace gdkm {

/// What came of one request.
struct HttpOutcome {
  enum class Trouble {
    none,
    cut,          // the connection ended early, or nothing came for too long
    unreachable,  // there was no connection
    status,       // the server answered with something else than the file
    range,        // the rest of the file is not to be had; the whole may be
    too_large,
    disk,  // what came could not be written
    interrupted,
    other,
  };
  Trouble trouble = Trouble::none;
  std::string reason;      // of the trouble, in words
  long status = 0;         // of HTTP
  int disk_error = 0;      // an errno
  std::int64_t total = 0;  // bytes of the whole file; 0 where the server does not say
  bool resumable = false;  // whether a later request could go on where this one stopped
};

/// Asks once for what `part` lacks and appends it; a server that sends the whole file all the same makes it
/// start over. Without a checksum to tell in the end (`checked`), the rest is asked for on the condition that
/// the file has not changed since.
HttpOutcome http_get(const std::string& url, PartialFile& part, bool checked, const DownloadOptions& options);

}  // namespace gdkm
