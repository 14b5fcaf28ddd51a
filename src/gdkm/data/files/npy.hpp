#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gdkm {

/// The header of a NumPy array: element type (`<f4`: little-endian float32), order and shape.
struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  // empty for a scalar
  std::size_t length = 0;           // bytes before the data

  bool is_integer() const;  // signed, unsigned or bool
  bool is_text() const;     // strings of fixed length, '<U12' or '|S3'
};

/// A NumPy array as stored: bools, integers, floats of 2, 4 or 8 bytes, or strings.
struct NpyArray {
  std::string where;  // file and array, for messages
  NpyHeader header;
  std::vector<std::byte> bytes;  // the data, without the header

  const std::vector<std::int64_t>& shape() const { return header.shape; }
  std::int64_t size() const;

  /// The elements in row-major order, whatever the stored order. T is double, float, int64, int32 or uint8.
  /// Conversion to integers must be exact: 1.5, or a number too large for T, is an InputError that names its
  /// place.
  template <class T>
  std::vector<T> as() const;

  /// The elements of an array of strings, as UTF-8.
  std::vector<std::string> strings() const;
};

/// The size of magic bytes, version and header, or 0 if `start` is too short to tell. Throws if it is not a
/// .npy file.
std::size_t npy_header_length(const std::string& where, std::span<const std::byte> start);

/// Reads a header (versions 1 to 3); `start` contains all of it.
NpyHeader parse_npy_header(const std::string& where, std::span<const std::byte> start);

/// The size of the data in bytes. Throws if the type is not supported or the size overflows.
std::size_t npy_data_size(const std::string& where, const NpyHeader& header);

/// Converts the elements in `bytes` and appends them to `out`. `first` is the place of the first one in the
/// array, for messages. T as in NpyArray::as.
template <class T>
void npy_convert(const std::string& where, const NpyHeader& header, std::span<const std::byte> bytes,
                 std::int64_t first, std::vector<T>& out);

/// A version 1 header for row-major data, padded to 64 bytes.
std::string make_npy_header(const std::string& descr, const std::vector<std::int64_t>& shape);

/// A shape as NumPy writes it: "(10, 3)".
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace gdkm
