#include "gdkm/data/formats/npz/mask_splits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// The name of a mask and the part of a split that it marks.
struct MaskPart {
  std::string name;
  std::vector<std::int32_t> Split::*nodes;
};
const std::array<MaskPart, 3> parts{
    {{"train_mask", &Split::train}, {"val_mask", &Split::val}, {"test_mask", &Split::test}}};

/// The masks of one part, for all splits. Split s, node i has value[s * split_stride + i * node_stride].
struct Masks {
  std::string where, array;
  std::size_t splits = 0;  // 0 where the array is missing
  std::size_t split_stride = 0, node_stride = 0;
  std::vector<std::uint8_t> value;
};
using ThreeMasks = std::array<Masks, 3>;

Split make_split(const ThreeMasks& masks, std::size_t s, const std::vector<std::int32_t>& label) {
  Split out;
  std::vector<const Masks*> owner(label.size(), nullptr);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Masks& mask = masks[p];
    for (std::size_t i = 0; i < label.size() && mask.splits > 0; ++i) {
      const auto value = mask.value[s * mask.split_stride + i * mask.node_stride];
      if (value == 0) continue;
      const auto fail = [&](const std::string& why) {
        refuse("{}: split {}, node {} {}", mask.where, s, i, why);
      };
      if (value != 1) fail(fmt::format("is {}; use 0 and 1 (or False and True)", value));
      if (label[i] < 0) fail("has no label; remove it from the mask or label it");
      if (owner[i]) fail(fmt::format("is also in '{}'; keep each node in one mask", owner[i]->array));
      owner[i] = &mask;
      (out.*parts[p].nodes).push_back(static_cast<std::int32_t>(i));
    }
  }
  if (out.train.empty())
    refuse("{}: split {} has no training nodes; mark some or remove the split", masks[0].where, s);
  return out;
}

std::vector<Split> splits_of(const ThreeMasks& masks, std::size_t count,
                             const std::vector<std::int32_t>& label) {
  std::vector<Split> out;
  for (std::size_t s = 0; s < count; ++s) out.push_back(make_split(masks, s, label));
  return out;
}

/// The prefixes of the split sets: "" for "public", "geom_" for "geom".
std::set<std::string> find_prefixes(const NpzReader& archive) {
  std::set<std::string> out;
  for (const std::string& name : archive.names()) {
    for (const MaskPart& part : parts) {
      if (!name.ends_with(part.name + "s")) continue;
      const std::string prefix = name.substr(0, name.size() - part.name.size() - 1);
      if (prefix.empty() || (prefix.ends_with('_') && prefix.size() > 1)) out.insert(prefix);
    }
  }
  return out;
}

std::vector<Split> read_set(const NpzReader& archive, const std::string& prefix,
                            const std::vector<std::int32_t>& label) {
  ThreeMasks masks;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::string name = prefix + parts[p].name + "s";
    if (!archive.contains(name)) {
      refuse("{}: array '{}' is missing, but its set has other masks; add it (all False if unused)",
             archive.path().string(), name);
    }
    const NpyArray array = archive.read(name);
    const auto& shape = array.shape();
    if (shape.empty() || shape.size() > 2 || shape.back() != static_cast<Index>(label.size())) {
      refuse("{}: has shape {}, but there are {} nodes; store shape (splits, n) or (n,)", array.where,
             shape_text(shape), label.size());
    }
    masks[p] = {array.where,  name, shape.size() == 1 ? 1 : static_cast<std::size_t>(shape[0]),
                label.size(), 1,    array.as<std::uint8_t>()};
    if (masks[p].splits != masks[0].splits) {
      refuse("{}: has {} splits, but '{}' has {}; store the same number of each", masks[p].where,
             masks[p].splits, masks[0].array, masks[0].splits);
    }
  }
  return splits_of(masks, masks[0].splits, label);
}

}  // namespace

std::map<std::string, std::vector<Split>> read_graph_npz_splits(const NpzReader& archive,
                                                                const std::vector<std::int32_t>& label) {
  std::map<std::string, std::vector<Split>> out;
  for (const std::string& prefix : find_prefixes(archive)) {
    auto splits = read_set(archive, prefix, label);
    const std::string name = prefix.empty() ? "public" : prefix.substr(0, prefix.size() - 1);
    if (!splits.empty()) out[name] = std::move(splits);
  }
  return out;
}

void write_graph_npz_splits(const std::map<std::string, std::vector<Split>>& sets, Index nodes,
                            NpzWriter& archive) {
  for (const auto& [name, splits] : sets) {
    const std::string prefix = name == "public" ? "" : name + "_";
    for (const MaskPart& part : parts) {
      std::vector<std::uint8_t> mask(splits.size() * static_cast<std::size_t>(nodes), 0);
      for (std::size_t s = 0; s < splits.size(); ++s) {
        for (const auto i : splits[s].*part.nodes) mask[s * static_cast<std::size_t>(nodes) + i] = 1;
      }
      archive.add_bools(prefix + part.name + "s", {static_cast<Index>(splits.size()), nodes}, mask);
    }
  }
}

void read_pyg_masks(const NpzReader& archive, Dataset& dataset) {
  ThreeMasks masks;
  std::size_t splits = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const std::string& name = parts[p].name;
    if (!archive.contains(name)) continue;
    const NpyArray array = archive.read(name);
    const auto& shape = array.shape();
    if (shape.empty() || shape.size() > 2 || shape[0] != dataset.graph.nodes || array.size() == 0) {
      refuse("{}: has shape {}, but x has {} nodes; store shape (n,) or (n, splits)", array.where,
             shape_text(shape), dataset.graph.nodes);
    }
    const auto columns = shape.size() == 1 ? 1 : static_cast<std::size_t>(shape[1]);
    const std::size_t split_stride = columns == 1 ? 0 : 1;
    masks[p] = {array.where, name, columns, split_stride, columns, array.as<std::uint8_t>()};
    splits = std::max(splits, columns);
  }
  if (splits == 0) return;
  if (masks[0].splits == 0)
    refuse(archive.path().string() + ": array 'train_mask' is missing, but other masks exist; add it");
  const std::size_t expected = masks[0].splits > 1 ? masks[0].splits : splits;
  for (const Masks& mask : masks) {
    if (mask.splits > 1 && mask.splits != expected) {
      refuse("{}: has {} splits, but another mask has {}; store the same number of each", mask.where,
             mask.splits, expected);
    }
  }
  dataset.splits["public"] = splits_of(masks, splits, dataset.label);
}

}  // namespace gdkm
