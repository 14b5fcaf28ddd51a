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

/// The files of a folder or of a zip archive, as if they lay in one place: a data set can be read as it was
/// downloaded or as it was unpacked. Failures are InputErrors naming the file.
class FileTree {
 public:
  /// A folder (three levels of it are seen), or an archive that ends in .zip.
  explicit FileTree(std::filesystem::path path);
  /// Files that are in memory already, by their paths; `name` stands for the folder in messages.
  FileTree(std::string name, std::map<std::string, std::string> files);

  const std::filesystem::path& path() const { return path_; }
  /// Whether the files are in an archive or in memory, so that no path leads to them.
  bool is_archive() const { return archive_ != nullptr || in_memory_; }
  /// Paths of the files, relative, with '/' between folders; sorted. Only those that are plain names.
  const std::vector<std::string>& names() const { return names_; }

  /// The file of that name, in the least deep folder that has one: `find("A.txt")` may be "MUTAG/A.txt".
  /// A name with folders must match from a folder's beginning: `find("raw/edge.csv.gz")`.
  std::optional<std::string> find(std::string_view name) const;

  /// For messages: what a user would call that file.
  std::string where(std::string_view name) const;

  /// The whole file, unpacked if it is gzip; `name` as in names().
  Text read(std::string_view name) const;
  /// The file of that name as `find` finds it, or an InputError that says it is missing.
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

/// A whole file, unpacked if it is gzip.
Text read_text(const std::filesystem::path& path);

/// Inflates gzip data. `where` is named in errors; what grows beyond 200 times its size, and 64 MiB, is
/// refused.
std::string gunzip(const std::string& where, std::string_view packed);

}  // namespace gdkm
