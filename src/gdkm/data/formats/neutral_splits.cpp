#include "gdkm/data/formats/neutral_splits.hpp"

#include <fmt/format.h>

#include <array>
#include <set>
#include <string_view>

#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

struct Part {
  const char* array;
  std::vector<std::int32_t> Split::*nodes;
};
constexpr std::array<Part, 3> parts = {
    {{"train_masks", &Split::train}, {"val_masks", &Split::val}, {"test_masks", &Split::test}}};

/// "" for the public set, "geom_" for another.
std::set<std::string> find_prefixes(const NpzReader& archive) {
  std::set<std::string> out;
  for (const std::string& name : archive.names()) {
    for (const Part& part : parts) {
      if (!name.ends_with(part.array)) continue;
      const std::string prefix = name.substr(0, name.size() - std::string_view(part.array).size());
      if (prefix.empty() || (prefix.ends_with('_') && prefix.size() > 1)) out.insert(prefix);
    }
  }
  return out;
}

struct Masks {
  std::string where;
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
  return {array.where, shape.size() == 1 ? 1 : shape[0], array.as<std::uint8_t>()};
}

void add_part(const Masks& masks, Index split, const std::vector<std::int32_t>& label,
              std::vector<const char*>& owner, const Part& part, Split& out) {
  const auto nodes = static_cast<Index>(label.size());
  for (Index i = 0; i < nodes; ++i) {
    const auto value = masks.value[static_cast<std::size_t>(split * nodes + i)];
    if (value == 0) continue;
    if (value != 1) {
      throw InputError(fmt::format("{}: split {}, node {} is {}; a mask holds 0 and 1 (or False and True)",
                                   masks.where, split, i, value));
    }
    if (label[i] < 0) {
      throw InputError(fmt::format(
          "{}: split {} contains node {}, which is unlabelled; take it out of the mask or label it",
          masks.where, split, i));
    }
    if (owner[i] != nullptr) {
      throw InputError(
          fmt::format("{}: split {} overlaps: node {} is in '{}' too; keep each node in one mask",
                      masks.where, split, i, owner[i]));
    }
    owner[i] = part.array;
    (out.*part.nodes).push_back(static_cast<std::int32_t>(i));
  }
}

std::vector<Split> read_set(const NpzReader& archive, const std::string& prefix,
                            const std::vector<std::int32_t>& label) {
  const auto nodes = static_cast<Index>(label.size());
  std::vector<Masks> masks;
  for (const Part& part : parts) {
    if (!archive.contains(prefix + part.array)) {
      throw InputError(
          fmt::format("{}: array '{}{}' is missing, though other masks of its set are there; add it (all "
                      "False where unused)",
                      archive.path().string(), prefix, part.array));
    }
    masks.push_back(read_masks(archive, prefix + part.array, nodes));
    if (masks.back().splits != masks.front().splits) {
      throw InputError(fmt::format("{}: has {} splits, '{}train_masks' has {}; store as many of each",
                                   masks.back().where, masks.back().splits, prefix, masks.front().splits));
    }
  }
  std::vector<Split> out(static_cast<std::size_t>(masks.front().splits));
  for (std::size_t s = 0; s < out.size(); ++s) {
    std::vector<const char*> owner(label.size(), nullptr);
    for (std::size_t p = 0; p < parts.size(); ++p) {
      add_part(masks[p], static_cast<Index>(s), label, owner, parts[p], out[s]);
    }
    if (out[s].train.empty()) {
      throw InputError(
          fmt::format("{}: split {} is empty, nothing to train on; mark training nodes or remove the split",
                      masks.front().where, s));
    }
  }
  return out;
}

}  // namespace

std::map<std::string, std::vector<Split>> read_neutral_splits(const NpzReader& archive,
                                                              const std::vector<std::int32_t>& label) {
  std::map<std::string, std::vector<Split>> out;
  for (const std::string& prefix : find_prefixes(archive)) {
    auto splits = read_set(archive, prefix, label);
    const std::string name = prefix.empty() ? "public" : prefix.substr(0, prefix.size() - 1);
    if (!splits.empty()) out[name] = std::move(splits);
  }
  return out;
}

void write_neutral_splits(const std::map<std::string, std::vector<Split>>& sets, Index nodes,
                          NpzWriter& archive) {
  for (const auto& [name, splits] : sets) {
    const std::string prefix = name == "public" ? "" : name + "_";
    for (const Part& part : parts) {
      std::vector<std::uint8_t> mask(splits.size() * static_cast<std::size_t>(nodes), 0);
      for (std::size_t s = 0; s < splits.size(); ++s) {
        for (const auto i : splits[s].*part.nodes) mask[s * static_cast<std::size_t>(nodes) + i] = 1;
      }
      archive.add_bools(prefix + part.array, {static_cast<Index>(splits.size()), nodes}, mask);
    }
  }
}

}  // namespace gdkm
