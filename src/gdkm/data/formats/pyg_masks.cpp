#include "gdkm/data/formats/pyg_masks.hpp"

#include <fmt/format.h>

#include <array>

#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

struct Part {
  const char* array;
  std::vector<std::int32_t> Split::*nodes;
};
constexpr std::array<Part, 3> parts = {
    {{"train_mask", &Split::train}, {"val_mask", &Split::val}, {"test_mask", &Split::test}}};

struct Mask {
  std::string where;
  std::size_t columns = 0;          // 0 where the array is missing
  std::vector<std::uint8_t> value;  // nodes × columns
};

Mask read_mask(const NpzReader& archive, const char* name, Index nodes) {
  if (!archive.contains(name)) return {};
  const NpyArray array = archive.read(name);
  const auto& shape = array.shape();
  if (shape.empty() || shape.size() > 2 || shape[0] != nodes || array.size() == 0) {
    throw InputError(fmt::format("{}: has shape {}, but x has {} nodes; store shape (n,) or (n, splits)",
                                 array.where, shape_text(shape), nodes));
  }
  return {array.where, shape.size() == 1 ? 1 : static_cast<std::size_t>(shape[1]), array.as<std::uint8_t>()};
}

void add_part(const Mask& mask, std::size_t split, const Dataset& dataset, std::vector<const char*>& owner,
              const Part& part, Split& out) {
  if (mask.columns == 0) return;
  const std::size_t column = mask.columns == 1 ? 0 : split;
  for (std::size_t i = 0; i < owner.size(); ++i) {
    const auto value = mask.value[i * mask.columns + column];
    if (value == 0) continue;
    if (value != 1) {
      throw InputError(fmt::format("{}: node {}, split {} is {}; a mask holds 0 and 1 (or False and True)",
                                   mask.where, i, split, value));
    }
    if (dataset.label[i] < 0) {
      throw InputError(
          fmt::format("{}: split {} contains node {}, which has no class; take it out or label it",
                      mask.where, split, i));
    }
    if (owner[i] != nullptr) {
      throw InputError(
          fmt::format("{}: split {} overlaps: node {} is in '{}' too; keep each node in one mask", mask.where,
                      split, i, owner[i]));
    }
    owner[i] = part.array;
    (out.*part.nodes).push_back(static_cast<std::int32_t>(i));
  }
}

}  // namespace

void read_pyg_masks(const NpzReader& archive, Dataset& dataset) {
  std::array<Mask, 3> masks;
  std::size_t splits = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    masks[p] = read_mask(archive, parts[p].array, dataset.graph.nodes);
    splits = std::max(splits, masks[p].columns);
  }
  if (splits == 0) return;
  if (masks[0].columns == 0) {
    throw InputError(archive.path().string() +
                     ": array 'train_mask' is missing, though other masks are there; add it");
  }
  const std::size_t expected = masks[0].columns > 1 ? masks[0].columns : splits;
  for (const Mask& mask : masks) {
    if (mask.columns > 1 && mask.columns != expected) {
      throw InputError(fmt::format("{}: has {} splits where another mask has {}; store as many of each",
                                   mask.where, mask.columns, expected));
    }
  }
  auto& out = dataset.splits["public"];
  for (std::size_t s = 0; s < splits; ++s) {
    std::vector<const char*> owner(dataset.label.size(), nullptr);
    Split& split = out.emplace_back();
    for (std::size_t p = 0; p < parts.size(); ++p) add_part(masks[p], s, dataset, owner, parts[p], split);
    if (split.train.empty()) {
      throw InputError(
          fmt::format("{}: split {} is empty, nothing to train on; mark training nodes", masks[0].where, s));
    }
  }
}

}  // namespace gdkm
