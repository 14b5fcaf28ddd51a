#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gdkm/data/files/npy.hpp"

struct zip;

namespace gdkm {

/// A NumPy .npz archive, open for reading. Arrays are read one at a time, on request. Sizes stated by the
/// file are not trusted before the data is read. Failures are InputErrors that name file, array and remedy.
class NpzReader {
 public:
  explicit NpzReader(std::filesystem::path path);

  const std::filesystem::path& path() const { return path_; }
  /// Array names (without .npy), in archive order. Names with control characters are left out.
  const std::vector<std::string>& names() const { return names_; }
  bool contains(std::string_view name) const;

  /// Type and shape as the header states them, without reading the data.
  NpyHeader header(std::string_view name) const;
  /// Packed size of the array in bytes. Its data is at most about 1000 times as large.
  std::size_t packed_size(std::string_view name) const;
  NpyArray read(std::string_view name) const;

  /// Visits the elements in row-major order, converted to T, a few megabytes at a time, so that an array and
  /// its converted copy are never both in memory: visit(piece, place of its first element). T as in
  /// NpyArray::as.
  template <class T>
  void for_each_piece(std::string_view name,
                      const std::function<void(std::span<const T>, std::int64_t)>& visit) const;
  /// The whole array, converted piece by piece.
  template <class T>
  std::vector<T> read_as(std::string_view name) const;

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
