#include "gdkm/data/files/folder_aside.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

fs::path without_slash(const fs::path& folder) {
  const fs::path out = folder.lexically_normal();
  return out.filename().empty() ? out.parent_path() : out;  // "out/"
}

}  // namespace

FolderAside::FolderAside(const fs::path& target)
    : target_(without_slash(target)), path_(fmt::format("{}.tmp-{}", target_.string(), ::getpid())) {
  std::error_code error;
  if (!fs::create_directory(path_, error)) {
    const std::string reason = error ? error.message() : "it already exists";
    const fs::path failed = std::move(path_);
    path_.clear();
    refuse("{}: cannot be created ({}); choose a folder you may write to", failed.string(), reason);
  }
}

FolderAside::~FolderAside() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
}

void FolderAside::finish() {
  std::error_code error;
  // A folder cannot be renamed onto one that is not empty: move the old one away first.
  const fs::path old = fmt::format("{}.old-{}", target_.string(), ::getpid());
  const bool exists = fs::exists(target_, error);
  if (exists) {
    fs::rename(target_, old, error);
    if (error) refuse("{}: cannot be replaced ({}); choose another name", target_.string(), error.message());
  }
  fs::rename(path_, target_, error);
  if (error) {
    const std::string reason = error.message();
    if (exists) fs::rename(old, target_, error);
    refuse("{}: cannot be written ({}); choose another place", target_.string(), reason);
  }
  path_.clear();
  if (exists) fs::remove_all(old, error);
}

}  // namespace gdkm
