#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "gdkm/support/error.hpp"

namespace gdkm {

struct DownloadOptions {
  /// Fetch again what is there but does not match its checksum, or has none.
  bool force = false;
  /// What is larger, or never ends, is refused.
  std::int64_t most_bytes = std::int64_t{64} << 30;

  int attempts = 5;             // when the connection is cut, or the server is busy
  double pause_seconds = 1;     // before the second attempt; doubles with each
  double connect_seconds = 30;  // to reach the server
  double stalled_seconds = 60;  // with hardly a byte, the connection counts as cut
  int redirects = 10;

  /// Called often, with bytes; a total of 0 means that the server does not say.
  std::function<void(std::int64_t done, std::int64_t total)> progress;
  /// Asked often; true stops with DownloadInterrupted and keeps what has come.
  std::function<bool()> interrupted;
};

enum class Downloaded { now, before };

/// The server cannot be reached at all.
class OfflineError : public InputError {
 public:
  OfflineError(const std::string& trouble, const std::string& remedy)
      : InputError(trouble + "; " + remedy), trouble_(trouble) {}

  /// The message without its remedy, for who knows a better one.
  const std::string& trouble() const { return trouble_; }

 private:
  std::string trouble_;
};

/// `interrupted` said so; the message says what is there.
class DownloadInterrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Fetches an http or https address to the file `target`, whose folder exists. The bytes gather in
/// `<target>.part`, which a later call continues, and take the name when they are whole, match `sha256`
/// (lower-case hexadecimal; empty where none is known) and have reached the disk. A target that is there and
/// right is left alone. Failures are InputErrors.
Downloaded download(const std::string& url, const std::filesystem::path& target, const std::string& sha256,
                    const DownloadOptions& options = {});

/// A number of bytes for people: "340 bytes", "1.2 MiB".
std::string size_text(std::int64_t bytes);

}  // namespace gdkm
