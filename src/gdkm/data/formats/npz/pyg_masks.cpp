#include "gdkm/data/formats/npz/pyg_masks.hpp"

#include <fmt/format.h>

#include <array>

#include "gdkm/data/formats/npz/mask.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

struct Masks {
  std::string where;
  std::size_t columns = 0;          // 0 where the array is missing
  std::vector<std::uint8_t> value;  // nodes × columns
};

Masks read_masks(const NpzReader& archive, const char* name, Index nodes) {
  if (!archive.contains(name)) return {};
  const NpyArray array = archive.read(name);
  const auto& shape = array.shape();
  if (shape.empty() || shape.size() > 2 || shape[0] != nodes || array.size() == 0) {
    throw InputError(fmt::format("{}: has shape {}, but x has {} nodes; store shape (n,) or (n, splits)",
                                 array.where, shape_text(shape), nodes));
  }
  return {array.where, shape.size() == 1 ? 1 : static_cast<std::size_t>(shape[1]), array.as<std::uint8_t>()};
}

}  // namespace

void read_pyg_masks(const NpzReader& archive, Dataset& dataset) {
  std::array<Masks, 3> masks;
  std::size_t splits = 0;
  for (std::size_t p = 0; p < mask_parts.size(); ++p) {
    masks[p] = read_masks(archive, mask_parts[p].name, dataset.graph.nodes);
    splits = std::max(splits, masks[p].columns);
  }
  if (splits == 0) return;
  if (masks[0].columns == 0) {
    throw InputError(archive.path().string() +
                     ": array 'train_mask' is missing, but other masks exist; add it");
  }
  const std::size_t expected = masks[0].columns > 1 ? masks[0].columns : splits;
  for (const Masks& mask : masks) {
    if (mask.columns > 1 && mask.columns != expected) {
      throw InputError(
          fmt::format("{}: has {} splits, but another mask has {}; store the same number of each", mask.where,
                      mask.columns, expected));
    }
  }
  auto& out = dataset.splits["public"];
  for (std::size_t s = 0; s < splits; ++s) {
    std::vector<const char*> owner(dataset.label.size(), nullptr);
    Split& split = out.emplace_back();
    for (std::size_t p = 0; p < mask_parts.size(); ++p) {
      const auto& [where, columns, value] = masks[p];
      if (columns == 0) continue;
      add_marked({where, mask_parts[p].name, value.data() + (columns == 1 ? 0 : s), columns}, s,
                 dataset.label, mask_parts[p], owner, split);
    }
    if (split.train.empty()) {
      throw InputError(fmt::format("{}: split {} has no training nodes; mark some", masks[0].where, s));
    }
  }
}

}  // namespace gdkm
