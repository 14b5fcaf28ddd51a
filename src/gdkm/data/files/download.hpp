#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "gdkm/support/error.hpp"

namespace gdkm {

class PartialFile;
struct DownloadOptions;
struct HttpOutcome;

/// Makes one request (http_get.hpp): the address, where its data goes, whether the file's checksum is known.
using HttpGet = std::function<HttpOutcome(const std::string& url, PartialFile& part, bool checked,
                                          const DownloadOptions& options)>;

struct DownloadOptions {
  /// Fetch existing files again if they do not match their checksum or have none.
  bool force = false;
  /// Larger or endless files are refused.
  std::int64_t most_bytes = std::int64_t{64} << 30;

  int attempts = 5;             // when the connection breaks, or the server is busy
  double pause_seconds = 1;     // before the second attempt; doubles each time
  double connect_seconds = 30;  // to reach the server
  double stalled_seconds = 60;  // without data, until the connection counts as broken
  int redirects = 10;
  HttpGet get;  // empty: libcurl, if this build has it

  /// Called often, with bytes. A total of 0 means unknown.
  std::function<void(std::int64_t done, std::int64_t total)> progress;
  /// Called often. Returning true stops with DownloadInterrupted and keeps what has arrived.
  std::function<bool()> interrupted;
};

enum class Downloaded { now, before };

/// The server cannot be reached.
class OfflineError : public InputError {
 public:
  OfflineError(const std::string& trouble, const std::string& remedy)
      : InputError(trouble + "; " + remedy), trouble_(trouble) {}

  /// The message without its remedy, for callers that know a better one.
  const std::string& trouble() const { return trouble_; }

 private:
  std::string trouble_;
};

/// `interrupted` returned true. The message says what has arrived.
class DownloadInterrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Downloads an http or https address to the file `target`, whose folder exists. The bytes are collected in
/// `<target>.part`, which a later call continues. When the file is complete, matches `sha256` (lower-case
/// hexadecimal; empty if unknown) and is on the disk, it is renamed to `target`. An existing, correct target
/// is left alone. Failures are InputErrors.
Downloaded download(const std::string& url, const std::filesystem::path& target, const std::string& sha256,
                    const DownloadOptions& options = {});

/// A number of bytes in words: "340 bytes", "1.2 MiB".
std::string size_text(std::int64_t bytes);

}  // namespace gdkm
