#include "gdkm/data/formats/npz/mask.hpp"

#include <fmt/format.h>

#include "gdkm/support/error.hpp"

namespace gdkm {

void add_marked(const Mask& mask, std::size_t split, const std::vector<std::int32_t>& label,
                const MaskPart& part, std::vector<const char*>& owner, Split& out) {
  for (std::size_t i = 0; i < label.size(); ++i) {
    const auto value = mask.value[i * mask.stride];
    if (value == 0) continue;
    const auto refuse = [&](const std::string& why) {
      throw InputError(fmt::format("{}: split {}, node {} {}", mask.where, split, i, why));
    };
    if (value != 1) refuse(fmt::format("is {}; use 0 and 1 (or False and True)", value));
    if (label[i] < 0) refuse("has no label; remove it from the mask or label it");
    if (owner[i] != nullptr) refuse(fmt::format("is also in '{}'; keep each node in one mask", owner[i]));
    owner[i] = mask.array;
    (out.*part.nodes).push_back(static_cast<std::int32_t>(i));
  }
}

}  // namespace gdkm
