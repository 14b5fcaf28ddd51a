#pragma once

#include <filesystem>
#include <string>

namespace gdkm {

/// A folder that gets its name when it is complete: files are written to one beside it, and until then a
/// folder that is there stays as it is. Failures are InputErrors.
class FolderAside {
 public:
  explicit FolderAside(const std::filesystem::path& target);
  FolderAside(const FolderAside&) = delete;
  FolderAside& operator=(const FolderAside&) = delete;
  /// Removes what is not finished.
  ~FolderAside();

  std::filesystem::path operator/(const std::string& file) const { return path_ / file; }
  /// The name that it will have.
  const std::filesystem::path& target() const { return target_; }
  /// Gives the folder its name, in place of one that has it.
  void finish();

 private:
  std::filesystem::path target_, path_;
};

}  // namespace gdkm
