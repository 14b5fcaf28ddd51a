#include "gdkm/data/formats/npz/graph_npz_splits.hpp"

#include <fmt/format.h>

#include <set>

#include "gdkm/data/formats/npz/mask.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

/// The array holds the masks of several splits.
std::string array_of(const MaskPart& part) {
  return std::string(part.name) + "s";
}

/// The prefixes of the split sets: "" for "public", "geom_" for "geom".
std::set<std::string> find_prefixes(const NpzReader& archive) {
  std::set<std::string> out;
  for (const std::string& name : archive.names()) {
    for (const MaskPart& part : mask_parts) {
      if (!name.ends_with(array_of(part))) continue;
      const std::string prefix = name.substr(0, name.size() - array_of(part).size());
      if (prefix.empty() || (prefix.ends_with('_') && prefix.size() > 1)) out.insert(prefix);
    }
  }
  return out;
}

struct Masks {
  std::string where, array;
  Index splits = 0;
  std::vector<std::uint8_t> value;  // splits × nodes
};

Masks read_masks(const NpzReader& archive, const std::string& name, Index nodes) {
  const NpyArray array = archive.read(name);
  const auto& shape = array.shape();
  if (shape.empty() || shape.size() > 2 || shape.back() != nodes) {
    throw InputError(fmt::format("{}: has shape {}, but there are {} nodes; store shape (splits, n) or (n,)",
                                 array.where, shape_text(shape), nodes));
  }
  return {array.where, name, shape.size() == 1 ? 1 : shape[0], array.as<std::uint8_t>()};
}

std::vector<Split> read_set(const NpzReader& archive, const std::string& prefix,
                            const std::vector<std::int32_t>& label) {
  const auto nodes = static_cast<Index>(label.size());
  std::vector<Masks> masks;
  for (const MaskPart& part : mask_parts) {
    if (!archive.contains(prefix + array_of(part))) {
      throw InputError(fmt::format(
          "{}: array '{}{}' is missing, but its set has other masks; add it (all False if unused)",
          archive.path().string(), prefix, array_of(part)));
    }
    masks.push_back(read_masks(archive, prefix + array_of(part), nodes));
    if (masks.back().splits != masks.front().splits) {
      throw InputError(
          fmt::format("{}: has {} splits, but '{}train_masks' has {}; store the same number of each",
                      masks.back().where, masks.back().splits, prefix, masks.front().splits));
    }
  }
  std::vector<Split> out(static_cast<std::size_t>(masks.front().splits));
  for (std::size_t s = 0; s < out.size(); ++s) {
    std::vector<const char*> owner(label.size(), nullptr);
    for (std::size_t p = 0; p < mask_parts.size(); ++p) {
      add_marked({masks[p].where, masks[p].array.c_str(), masks[p].value.data() + s * label.size()}, s, label,
                 mask_parts[p], owner, out[s]);
    }
    if (out[s].train.empty()) {
      throw InputError(fmt::format("{}: split {} has no training nodes; mark some or remove the split",
                                   masks.front().where, s));
    }
  }
  return out;
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
    for (const MaskPart& part : mask_parts) {
      std::vector<std::uint8_t> mask(splits.size() * static_cast<std::size_t>(nodes), 0);
      for (std::size_t s = 0; s < splits.size(); ++s) {
        for (const auto i : splits[s].*part.nodes) mask[s * static_cast<std::size_t>(nodes) + i] = 1;
      }
      archive.add_bools(prefix + array_of(part), {static_cast<Index>(splits.size()), nodes}, mask);
    }
  }
}

}  // namespace gdkm
