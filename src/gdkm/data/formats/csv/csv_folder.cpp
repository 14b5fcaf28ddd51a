#include "gdkm/data/formats/csv/csv_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <set>
#include <string>

#include "gdkm/data/formats/csv/csv_export.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

/// Whether a folder is to be replaced. A target that must not be replaced is an InputError.
bool check_target(const fs::path& folder, bool replace) {
  static const std::set<std::string> ours{"edges.csv", "features.csv", "labels.csv", "splits.csv",
                                          "classes.csv"};
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder, error))) return false;
  if (!fs::is_directory(folder, error)) refuse(folder.string() + ": is not a folder; choose another name");
  bool is_empty = true;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    is_empty = false;
    if (replace && !ours.contains(entry.path().filename().string())) {
      refuse("{}: contains {}, which is not part of an export; choose another folder", folder.string(),
             entry.path().filename().string());
    }
  }
  if (error) refuse(folder.string() + ": cannot be read; choose another folder");
  if (!is_empty && !replace)
    refuse(folder.string() + ": already exists; choose another name, or use " + option("force"));
  return true;
}

/// A temporary folder beside the target. It is removed with its contents, unless it is renamed.
class Aside {
 public:
  explicit Aside(fs::path path) : path_(std::move(path)) {
    std::error_code error;
    if (!fs::create_directory(path_, error)) {
      refuse("{}: cannot be created ({}); choose a folder you may write to", path_.string(),
             error ? error.message() : "it already exists");
    }
  }
  ~Aside() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

  const fs::path& path() const { return path_; }
  void rename(const fs::path& target) {
    std::error_code error;
    fs::rename(path_, target, error);
    if (error) refuse("{}: cannot be written ({}); choose another place", target.string(), error.message());
    path_.clear();
  }

 private:
  fs::path path_;
};

}  // namespace

void write_csv_folder(const Dataset& dataset, const fs::path& folder, bool replace) {
  fs::path target = folder.lexically_normal();
  if (target.filename().empty()) target = target.parent_path();  // "out/"
  const bool exists = check_target(target, replace);
  Aside aside(fmt::format("{}.tmp-{}", target.string(), ::getpid()));
  for (const auto& [name, contents] : csv_files(dataset))
    write_file_atomically(aside.path() / name, contents);
  if (!exists || fs::is_empty(target)) return aside.rename(target);
  // Move the old export away first: a folder cannot be renamed onto one that is not empty.
  Aside old(fmt::format("{}.old-{}", target.string(), ::getpid()));
  std::error_code error;
  fs::rename(target, old.path(), error);
  if (error) refuse("{}: cannot be replaced ({}); choose another name", target.string(), error.message());
  try {
    aside.rename(target);
  } catch (const InputError&) {
    old.rename(target);
    throw;
  }
}

}  // namespace gdkm
