#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <string_view>

namespace gdkm {

/// What has come so far of a file that is being fetched: `<target>.part`, which takes the target's name when
/// it is whole. While it is open no other process can open it so. It stays for another time when the scope is
/// left, unless it is empty. Failures are InputErrors.
class PartialFile {
 public:
  explicit PartialFile(const std::filesystem::path& target);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::int64_t size() const { return size_; }

  /// 0, or the errno that stopped it; the bytes that still went in count.
  int append(std::string_view bytes);
  void start_over();
  /// Removes it.
  void discard();
  /// Brings it to the disk and gives it the target's name.
  void finish();

  /// When the server last changed the file, if that was noted; otherwise some time that is of no use.
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
