#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// What the masks of a split are called, and the nodes that they mark.
struct MaskPart {
  const char* name;
  std::vector<std::int32_t> Split::*nodes;
};
inline constexpr std::array<MaskPart, 3> mask_parts = {
    {{"train_mask", &Split::train}, {"val_mask", &Split::val}, {"test_mask", &Split::test}}};

/// One 0 or 1 per node, `stride` numbers apart.
struct Mask {
  std::string where;
  const char* array;
  const std::uint8_t* value;
  std::size_t stride = 1;
};

/// Adds the nodes that `mask` marks to that part of `out`, split number `split`. `owner` has the array that a
/// node is in already, or nullptr. Numbers other than 0 and 1, nodes without a class and nodes of two parts
/// are an InputError.
void add_marked(const Mask& mask, std::size_t split, const std::vector<std::int32_t>& label,
                const MaskPart& part, std::vector<const char*>& owner, Split& out);

}  // namespace gdkm
