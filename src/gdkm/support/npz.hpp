#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gdkm/support/npy.hpp"

struct zip;

namespace gdkm {

/// A NumPy .npz archive, open for reading. Arrays are read one at a time, on request; no size that the file
/// claims is believed before the data is there. Every failure is an InputError naming file, array and remedy.
class NpzReader {
 public:
  explicit NpzReader(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  /// Array names (without .npy), in the order of the archive.
  const std::vector<std::string>& names() const { return names_; }
  bool contains(std::string_view name) const;

  /// Type and shape as the header claims them, without reading the data.
  NpyHeader header(std::string_view name) const;
  NpyArray read(std::string_view name) const;

 private:
  struct Closer {
    void operator()(zip* archive) const;
  };
  std::string where(std::string_view name) const;

  std::filesystem::path path_;
  std::unique_ptr<zip, Closer> archive_;
  std::vector<std::string> names_;
};

}  // namespace gdkm
