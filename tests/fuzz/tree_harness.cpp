#include "tree_harness.hpp"

#include "container.hpp"
#include "gdkm/data/formats/geom_gcn/geom_gcn.hpp"
#include "gdkm/data/formats/geom_gcn/geom_gcn_splits.hpp"
#include "gdkm/data/formats/musae/musae.hpp"
#include "gdkm/data/formats/ogb/ogb.hpp"
#include "gdkm/data/formats/tu/tu.hpp"
#include "scratch.hpp"
#include "verdict.hpp"

namespace gdkm::fuzzing {
namespace {

FileTree tree_of(std::string_view input) {
  return FileTree("toy", by_name(from_container(input)));
}

void run_mask_splits(const Files& files) {
  Files masks;
  for (const auto& [name, bytes] : files) {
    if (name.ends_with("_mask")) masks.emplace_back(name, bytes);
  }
  if (masks.empty()) return;
  const std::vector<std::int32_t> label = {0, 1, 1, -1};
  scratch().write("toy_split_0.6_0.2_0.npz", to_npz(masks));
  is_read([&] {
    for (const Split& split : read_geom_gcn_splits(FileTree(scratch().folder()), "toy", label))
      check(split, label);
  });
}

}  // namespace

bool run_geom_gcn(std::string_view input) {
  const Files files = from_container(input);
  run_mask_splits(files);
  const FileTree tree("toy", by_name(files));
  is_geom_gcn(tree);
  const bool is_plain = is_read([&] { check(read_geom_gcn(tree, "toy", pool_for(input))); });
  return is_read([&] { check(read_geom_gcn(tree, "film", pool_for(input))); }) || is_plain;
}

bool run_tu(std::string_view input) {
  const FileTree tree = tree_of(input);
  tu_name(tree);
  return is_read([&] { check(read_tu(tree, "DS", pool_for(input))); });
}

bool run_ogb(std::string_view input) {
  const FileTree tree = tree_of(input);
  is_ogb(tree);
  return is_read([&] { check(read_ogb_arxiv(tree, "arxiv", pool_for(input))); });
}

bool run_musae(std::string_view input) {
  return is_read([&] { check(read_musae(tree_of(input), "pages", pool_for(input))); });
}

}  // namespace gdkm::fuzzing
