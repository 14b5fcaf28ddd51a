#pragma once

#include "gdkm/support/enum_names.hpp"

namespace gdkm {

/// How a GPU computes large products in float32. `strict`: in float32 arithmetic. `split`: on tensor cores,
/// with factors split into parts that keep all digits. `tf32`: on tensor cores, with factors rounded to 11
/// bits. `automatic`: split where the GPU can, else strict.
enum class MathMode { automatic, strict, split, tf32 };

template <>
struct EnumNames<MathMode> {
  static constexpr std::string_view names[] = {"auto", "strict", "split", "tf32"};
};

/// Whether it is a choice that only a GPU has, and only in float32.
inline bool asks_for_tensor_cores(MathMode math) {
  return math == MathMode::split || math == MathMode::tf32;
}

}  // namespace gdkm
