#pragma once

/// Writes MATLAB 5 files by hand, of either byte order, so that a test can lie in any field.

#include <zlib.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gdkm/support/text.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm::testing {

class RawMat {
 public:
  explicit RawMat(bool big_endian = false) : big_(big_endian) {}

  template <class T>
  std::string numbers(const std::vector<T>& values) const {
    return raw_bytes(values, big_);
  }

  /// An element padded to 8 bytes, as it stands inside a matrix; `claimed` is added to its size.
  std::string element(std::uint32_t type, const std::string& data, std::uint32_t claimed = 0) const {
    const auto size = static_cast<std::uint32_t>(data.size());
    return numbers<std::uint32_t>({type, size + claimed}) + data +
           std::string((8 - data.size() % 8) % 8, '\0');
  }
  /// Up to four bytes within the tag.
  std::string small(std::uint32_t type, const std::string& data) const {
    const auto size = static_cast<std::uint32_t>(data.size());
    return numbers<std::uint32_t>({size << 16 | type}) + data + std::string(4 - data.size(), '\0');
  }

  std::string matrix(std::uint32_t kind, const std::vector<std::int32_t>& shape, const std::string& name,
                     const std::string& parts) const {
    const std::string title = name.size() <= 4 && !name.empty() ? small(1, name) : element(1, name);
    return element(
        14, element(6, numbers<std::uint32_t>({kind, 0})) + element(5, numbers(shape)) + title + parts);
  }
  /// Class double, stored as bytes by columns.
  std::string full(const std::string& name, int rows, int cols,
                   const std::vector<std::uint8_t>& values) const {
    const std::string data = numbers(values);
    return matrix(6, {rows, cols}, name,
                  data.size() <= 4 && !data.empty() ? small(2, data) : element(2, data));
  }
  std::string sparse(const std::string& name, int rows, int cols, const std::vector<std::int32_t>& row,
                     const std::vector<std::int32_t>& col_start, const std::vector<double>& values) const {
    return matrix(5, {rows, cols}, name,
                  element(5, numbers(row)) + element(5, numbers(col_start)) + element(9, numbers(values)));
  }
  std::string compressed(const std::string& inner) const {
    std::vector<Bytef> packed(compressBound(inner.size()));
    uLongf size = packed.size();
    compress(packed.data(), &size, reinterpret_cast<const Bytef*>(inner.data()), inner.size());
    return numbers<std::uint32_t>({15, static_cast<std::uint32_t>(size)}) +
           std::string(packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size));
  }

  Text file(const std::string& elements, std::uint16_t version = 0x0100) const {
    std::string header = "MATLAB 5.0 MAT-file, written by a test";
    header.resize(124, ' ');
    const auto order = static_cast<std::uint16_t>('M' << 8 | 'I');
    return {"small.mat", header + numbers<std::uint16_t>({version, order}) + elements};
  }

 private:
  bool big_;
};

}  // namespace gdkm::testing
