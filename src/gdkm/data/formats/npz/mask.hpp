#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// The name of a mask and the part of a split that it marks.
struct MaskPart {
  const char* name;
  std::vector<std::int32_t> Split::*nodes;
};
inline constexpr std::array<MaskPart, 3> mask_parts = {
    {{"train_mask", &Split::train}, {"val_mask", &Split::val}, {"test_mask", &Split::test}}};

/// A mask: one 0 or 1 per node, `stride` numbers apart.
struct Mask {
  std::string where;
  const char* array;
  const std::uint8_t* value;
  std::size_t stride = 1;
};

/// Adds the nodes that `mask` marks to that part of split number `split`. `owner` holds the mask that a node
/// is already in, or nullptr. Values other than 0 and 1, nodes without a class and nodes in two parts are
/// InputErrors.
void add_marked(const Mask& mask, std::size_t split, const std::vector<std::int32_t>& label,
                const MaskPart& part, std::vector<const char*>& owner, Split& out);

}  // namespace gdkm
