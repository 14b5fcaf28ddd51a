#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gdkm {

/// What stands before the data of a NumPy array: element type (`<f4`: little-endian float32), order and
/// shape.
struct NpyHeader {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;  // empty for a scalar
  std::size_t length = 0;           // bytes before the data

  bool is_integer() const;  // signed, unsigned or bool
  bool is_text() const;     // strings of one length, '<U12' or '|S3'
};

/// A NumPy array as stored. Only bools, integers, floats of 2, 4 or 8 bytes and strings exist here.
struct NpyArray {
  std::string where;  // file and array, for messages
  NpyHeader header;
  std::vector<std::byte> bytes;  // the data, without the header

  const std::vector<std::int64_t>& shape() const { return header.shape; }
  std::int64_t size() const;

  /// The elements in row-major order, whatever the stored order. Integers must be hit exactly: 1.5 or a
  /// number too large for T is an InputError that names its place. T: double, float, int64, int32 or uint8.
  template <class T>
  std::vector<T> as() const;

  /// The elements of an array of strings, as UTF-8.
  std::vector<std::string> strings() const;

  /// The one element of a scalar, or of an array of size 1.
  template <class T>
  T scalar() const;
};

/// How many bytes magic, version and header take, or 0 where `start` is too short to say. Throws where it is
/// no .npy.
std::size_t npy_header_length(const std::string& where, std::span<const std::byte> start);

/// Reads a header (versions 1 to 3) of which `start` holds all bytes.
NpyHeader parse_npy_header(const std::string& where, std::span<const std::byte> start);

/// Bytes the data must have. Throws where the type is not supported or the product of the shape overflows.
std::size_t npy_data_size(const std::string& where, const NpyHeader& header);

/// Converts a run of elements, as `bytes` holds them, and appends them to `out`; `first` is the place of the
/// first in the array, for messages. T as in NpyArray::as.
template <class T>
void npy_convert(const std::string& where, const NpyHeader& header, std::span<const std::byte> bytes,
                 std::int64_t first, std::vector<T>& out);

/// A version 1 header for row-major data, padded to 64 bytes.
std::string make_npy_header(const std::string& descr, const std::vector<std::int64_t>& shape);

/// "(10, 3)", as NumPy writes it.
std::string shape_text(const std::vector<std::int64_t>& shape);

}  // namespace gdkm
