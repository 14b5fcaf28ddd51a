#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>

#include "gdkm/data/files/npy.hpp"

namespace gdkm {

/// A .npy file in row-major order, mapped into memory: it may be larger than the memory. Failures are
/// InputErrors that name the file.
class MappedNpy {
 public:
  explicit MappedNpy(const std::filesystem::path& path);
  MappedNpy(const MappedNpy&) = delete;
  MappedNpy& operator=(const MappedNpy&) = delete;
  ~MappedNpy();

  const std::string& where() const { return where_; }
  const std::vector<std::int64_t>& shape() const { return header_.shape; }
  const NpyHeader& header() const { return header_; }

  /// Visits the elements in their order, converted to T, some at a time: visit(piece, place of its first
  /// element). A piece holds whole multiples of `unit` elements. T as in NpyArray::as. Pages that have been
  /// visited are given back to the system.
  template <class T>
  void for_each_piece(std::int64_t unit,
                      const std::function<void(std::span<const T>, std::int64_t)>& visit) const {
    const std::size_t all = data_.size(), count = elements();
    const std::size_t element = count == 0 ? 1 : all / count;
    const std::size_t step =
        static_cast<std::size_t>(unit) *
        std::max<std::size_t>(1, piece_bytes / (element * static_cast<std::size_t>(unit)));
    std::vector<T> piece;
    for (std::size_t first = 0; first < count; first += step) {
      const std::size_t size = std::min(step, count - first);
      piece.clear();
      npy_convert(where_, header_, data_.subspan(first * element, size * element),
                  static_cast<std::int64_t>(first), piece);
      visit(piece, static_cast<std::int64_t>(first));
      give_back(first * element, (first + size) * element);
    }
  }
  /// The whole array.
  template <class T>
  std::vector<T> read() const {
    std::vector<T> out;
    npy_convert(where_, header_, data_, 0, out);
    return out;
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t{4} << 20;
  std::size_t elements() const;
  /// The pages of a range of bytes, but for the last one, which the next range begins with.
  void give_back(std::size_t first, std::size_t last) const;

  std::string where_;
  NpyHeader header_;
  void* memory_ = nullptr;
  std::size_t size_ = 0;
  std::span<const std::byte> data_;
};

}  // namespace gdkm
