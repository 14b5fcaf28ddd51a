#include "archive_harness.hpp"

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/data/formats/format.hpp"
#include "scratch.hpp"
#include "tests/data/files/gzipped.hpp"
#include "verdict.hpp"

namespace gdkm::fuzzing {
namespace {

void read_tree(const std::filesystem::path& path) {
  const FileTree tree(path);
  for (const std::string& name : tree.names()) {
    tree.find(name);
    is_read([&] { tree.read(name); });
  }
}

void read_arrays(const std::filesystem::path& path) {
  const NpzReader archive(path);
  for (const std::string& name : archive.names()) {
    is_read([&] { archive.header(name); });
    is_read([&] { archive.packed_size(name); });
    is_read([&] { archive.read_as<float>(name); });
    is_read([&] { archive.read(name).as<std::int32_t>(); });
    is_read([&] { archive.read(name).strings(); });
  }
}

void read_dataset(const std::filesystem::path& path, ThreadPool& pool) {
  if (const auto found = recognise(path, "small")) check(read(*found, "small", pool));
}

}  // namespace

bool run_archive(std::string_view input) {
  bool out = is_read([&] { gunzip("small.gz", input); });
  const std::string bytes(input);
  for (const char* name : {"small.zip", "small.npz"}) {
    const auto path = scratch().write(name, bytes);
    is_read([&] { read_dataset(path, pool_for(input)); });
    out |= is_read([&] { path.extension() == ".zip" ? read_tree(path) : read_arrays(path); });
  }
  return out;
}

std::vector<std::string> archive_seeds() {
  const std::string text = "1, 2\n2, 1\n";
  const std::string labels = testing::npy_of<std::int32_t>("<i4", "2,", {0, 1}),
                    edges = testing::npy_of<std::int64_t>("<i8", "1, 2", {0, 1}),
                    features = testing::npy_of<float>("<f4", "2, 1", {1, 2});
  const auto path = scratch().folder() / "deflated.npz";
  {
    NpzWriter archive;
    archive.add("edges", {2, 2}, std::vector<std::int64_t>{0, 1, 1, 0});
    archive.write(path);
  }
  return {
      testing::gzipped(text),
      testing::gzipped(text) + testing::gzipped(text),
      testing::gzipped(text) + std::string(8, '\0'),
      testing::raw_zip(
          {{"DS_A.txt", text}, {"DS_graph_indicator.txt", "1\n1\n"}, {"DS_graph_labels.txt", "3\n"}}),
      testing::raw_zip({{"raw/edge.csv.gz", testing::gzipped("0,1\n")},
                        {"raw/node-label.csv.gz", testing::gzipped("0\n1\n")}}),
      testing::raw_zip({{"node_labels.npy", labels}, {"edges.npy", edges}, {"node_features.npy", features}}),
      testing::read_bytes(path)};
}

}  // namespace gdkm::fuzzing
