#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdkm {

/// The type of the data in an element (numbers of the format).
enum class MatType : std::uint32_t {
  int8 = 1,
  uint8 = 2,
  int16 = 3,
  uint16 = 4,
  int32 = 5,
  uint32 = 6,
  float32 = 7,
  float64 = 9,
  int64 = 12,
  uint64 = 13,
  matrix = 14,
  compressed = 15,
};

/// A tagged piece of a MATLAB 5 file. It points into the bytes of the file.
struct MatElement {
  MatType type{};
  std::string_view data;
  bool swapped = false;  // the byte order differs from this machine's

  /// The numbers, converted from their stored type. T is double or int64. An element without numbers, or a
  /// value that is not an exact int64, is an InputError that begins with `where`.
  template <class T>
  std::vector<T> numbers(const std::string& where) const;
};

/// Reads elements one after another. An element that extends beyond the bytes is an InputError that begins
/// with `where`.
class MatCursor {
 public:
  /// Elements inside a matrix begin at multiples of 8 bytes; those of a file follow each other directly.
  enum class Padding { none, eight };

  MatCursor(std::string where, std::string_view bytes, bool swapped, Padding padding);

  bool at_end() const { return rest_.empty(); }
  MatElement next();

 private:
  std::string where_;
  std::string_view rest_;
  bool swapped_;
  Padding padding_;
};

/// The first bytes of a compressed element, unpacked: at most `most` of them. Damage within them is an
/// InputError. A stream without an end is not, since MATLAB has been seen to write such files.
std::string inflate_mat_start(const std::string& where, std::string_view packed, std::size_t most);

/// The matrix element, with its tag, inside a compressed element.
std::string inflate_mat(const std::string& where, std::string_view packed, bool swapped);

}  // namespace gdkm
