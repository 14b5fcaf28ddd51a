#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gdkm/support/text.hpp"

struct zip;

namespace gdkm {

/// The files of a folder or zip archive, so that a data set can be read as downloaded or as unpacked.
/// Failures are InputErrors that name the file.
class FileTree {
 public:
  /// A folder (including two levels of sub-folders) or a .zip archive.
  explicit FileTree(std::filesystem::path path);
  /// Files in memory, by their paths. `name` stands for the folder in messages.
  FileTree(std::string name, std::map<std::string, std::string> files);

  const std::filesystem::path& path() const { return path_; }
  /// Whether the files are in an archive or in memory, and so have no path on disk.
  bool is_archive() const { return archive_ != nullptr || in_memory_; }
  /// Relative paths with '/' between folders, sorted. Names with control characters are left out.
  const std::vector<std::string>& names() const { return names_; }

  /// The file of that name in the topmost folder that has one: `find("A.txt")` may be "MUTAG/A.txt". A name
  /// with folders must match whole folder names: `find("raw/edge.csv.gz")`.
  std::optional<std::string> find(std::string_view name) const;

  /// The name of that file in messages.
  std::string where(std::string_view name) const;

  /// The whole file, gunzipped if needed; `name` as in names().
  Text read(std::string_view name) const;
  /// The file that `find` finds; if there is none, an InputError.
  Text read_required(std::string_view name) const;

 private:
  struct Closer {
    void operator()(zip* archive) const;
  };
  void keep_plain_names();

  std::filesystem::path path_;
  std::unique_ptr<zip, Closer> archive_;
  std::optional<std::map<std::string, std::string>> in_memory_;
  std::vector<std::string> names_;
};

/// A whole file, gunzipped if needed.
Text read_text(const std::filesystem::path& path);

/// Unpacks gzip data. `where` is used in errors. Output larger than 64 MiB and 200 times the input is
/// refused.
std::string gunzip(const std::string& where, std::string_view packed);

}  // namespace gdkm
