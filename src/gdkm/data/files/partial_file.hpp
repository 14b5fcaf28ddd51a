#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string_view>

namespace gdkm {

/// A file that is being downloaded: `<target>.part`, which is renamed to the target when complete. Only one
/// process at a time can open it. Unless it is empty, it stays on disk for a later attempt. Failures are
/// InputErrors.
class PartialFile {
 public:
  explicit PartialFile(const std::filesystem::path& target);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return size_; }

  /// Returns 0 or the errno; bytes written before a failure count.
  int append(std::string_view bytes);
  void start_over();
  /// Removes the file.
  void discard();
  /// Syncs the file to the disk and renames it to the target.
  void finish();

  /// When the server last changed the file, if set_modified was called; otherwise meaningless.
  std::time_t modified() const;
  void set_modified(std::time_t when);

 private:
  bool still_named() const;
  [[noreturn]] void fail(int reason) const;

  std::filesystem::path target_, path_;
  int descriptor_ = -1;
  std::int64_t size_ = 0;
};

}  // namespace gdkm
