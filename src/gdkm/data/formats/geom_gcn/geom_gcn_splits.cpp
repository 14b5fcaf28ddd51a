#include "gdkm/data/formats/geom_gcn/geom_gcn_splits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/formats/shared/split_maker.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr std::pair<const char*, SplitPart> masks[] = {
    {"train_mask", SplitPart::train}, {"val_mask", SplitPart::val}, {"test_mask", SplitPart::test}};

Split read_split(const std::filesystem::path& path, const std::vector<std::int32_t>& label) {
  const NpzReader archive(path);
  SplitMaker maker(path.string(), label);
  for (const auto& [name, part] : masks) {
    if (!archive.contains(name)) {
      refuse("{}: array '{}' is missing; store train_mask, val_mask and test_mask", path.string(), name);
    }
    const NpyArray array = archive.read(name);
    if (array.shape().size() != 1 || array.size() != static_cast<Index>(label.size())) {
      refuse("{}: has shape {}, but there are {} nodes; store shape (n,)", array.where,
             shape_text(array.shape()), label.size());
    }
    const auto value = array.as<std::uint8_t>();
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value[i] > 1) {
        refuse("{}: node {}: expected 0 or 1 (False or True), got {}; correct the mask", array.where, i,
               value[i]);
      }
      if (value[i] == 1) maker.add(part, static_cast<std::int64_t>(i));
    }
  }
  return maker.finish();
}

/// Whether `path` is a split file with that prefix and any number.
bool is_split_file(std::string_view path, std::string_view prefix) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return file.starts_with(prefix) && file.ends_with(".npz");
}

}  // namespace

std::vector<Split> read_geom_gcn_splits(const FileTree& files, const std::string& name,
                                        const std::vector<std::int32_t>& label) {
  const std::string prefix = name + "_split_0.6_0.2_";
  std::vector<std::string> found;
  for (const std::string& path : files.names()) {
    if (is_split_file(path, prefix)) found.push_back(path.substr(path.rfind('/') + 1));
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  if (found.empty()) return {};
  if (files.is_archive()) {
    refuse("{}: split files cannot be read from an archive; unpack it and give the folder",
           files.where(found.front()));
  }
  std::vector<Split> out;
  for (std::size_t s = 0; s < found.size(); ++s) {
    const auto path = files.find(fmt::format("{}{}.npz", prefix, s));
    if (!path) {
      refuse("{}{}.npz: is missing, but '{}' exists; number splits from 0 without gaps", files.where(prefix),
             s, found.back());
    }
    out.push_back(read_split(files.path() / *path, label));
  }
  return out;
}

}  // namespace gdkm
