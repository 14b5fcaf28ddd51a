#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gdkm/support/error.hpp"

namespace gdkm {

/// The name of a number type in safetensors files.
template <class T>
constexpr std::string_view dtype_name() {
  if constexpr (std::is_same_v<T, float>) return "F32";
  if constexpr (std::is_same_v<T, double>) return "F64";
  if constexpr (std::is_same_v<T, std::int32_t>) return "I32";
  if constexpr (std::is_same_v<T, std::int64_t>) return "I64";
}

/// An array of numbers as a safetensors file holds it: row-major, little-endian.
struct Tensor {
  std::string dtype;  // F32, F64, I32 or I64
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;

  std::int64_t size() const {
    std::int64_t count = 1;
    for (const auto extent : shape) count *= extent;
    return count;
  }

  template <class T>
  static Tensor make(std::vector<std::int64_t> shape, std::span<const T> values) {
    Tensor out{std::string(dtype_name<T>()), std::move(shape), std::vector<std::byte>(values.size_bytes())};
    assert(out.size() == static_cast<std::int64_t>(values.size()));
    if (!values.empty()) std::memcpy(out.bytes.data(), values.data(), values.size_bytes());
    return out;
  }

  /// The numbers; throws an InputError if their type is not T.
  template <class T>
  std::vector<T> as() const {
    if (dtype != dtype_name<T>()) {
      throw InputError("expected a tensor of " + std::string(dtype_name<T>()) + ", got " + dtype +
                       "; is it a model saved by gdkm?");
    }
    std::vector<T> out(bytes.size() / sizeof(T));
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
    return out;
  }
};

/// The contents of a safetensors file: named tensors and named strings.
struct TensorFile {
  std::map<std::string, std::string> metadata;
  std::map<std::string, Tensor> tensors;
};

/// Checks every length and offset; throws an InputError that says what is wrong with the file.
TensorFile read_safetensors(const std::filesystem::path& path);

/// Replaces the file as a whole (write_file_atomically). Equal contents give equal bytes.
void write_safetensors(const std::filesystem::path& path, const TensorFile& file);

}  // namespace gdkm
