#include "gdkm/data/formats/parts/parts.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/data/formats/arrays/arrays_folder.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/graph/node_ranks.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/data/formats/same_dataset.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;
using testing::expect_input_error;
using testing::TemporaryFolder;

std::vector<std::int32_t> scattered(Index nodes, int parts) {
  std::vector<std::int32_t> out;
  for (Index node = 0; node < nodes; ++node) out.push_back(static_cast<std::int32_t>(node * 7 % 11 % parts));
  return out;
}

Dataset small() {
  Dataset out = generate("csbm:n=60,features=5,degree=4,splits=2");
  for (std::size_t k = 0; k < out.graph.edges.size(); ++k)
    out.graph.weight.push_back(1.0F + static_cast<float>(k % 3));
  return out;
}

Dataset sparse() {
  Dataset out = small();
  std::vector<Triplet> entries;
  for (std::int32_t r = 0; r < 60; ++r) entries.push_back({r, r % 9, 1.0 + r % 2});
  out.features = {60, 9, true, csr_from_triplets(60, 9, entries), {}};
  return out;
}

void expect_same(const Dataset& found, const Dataset& expected) {
  testing::expect_same_dataset(found, expected);
  EXPECT_EQ(adjacency(found.graph).value, adjacency(expected.graph).value);
  EXPECT_EQ(found.graph.edges.size(), expected.graph.edges.size()) << "an edge between parts counts once";
  EXPECT_EQ(found.graph.directed, expected.graph.directed);
}

TEST(Parts, OneProcessReadsTheWholeGraph) {
  const TemporaryFolder folder;
  for (const Dataset& data : {small(), sparse()}) {
    const fs::path parts = folder / (data.features.is_sparse ? "sparse" : "dense");
    write_parts(source_of(data), scattered(60, 4), 4, parts);
    expect_same(read_parts(parts), data);
    EXPECT_EQ(load(parts.string(), std::nullopt).graph.nodes, 60);
    EXPECT_TRUE(read_parts(parts).owner.empty());
  }
}

TEST(Parts, ARankReadsItsOwnNodesAndTheirEdges) {
  const TemporaryFolder folder;
  const Dataset data = small();
  const auto part = scattered(60, 5);
  write_parts(source_of(data), part, 5, folder / "parts");
  for (const int ranks : {2, 3, 5}) {
    std::size_t rows = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      const Dataset share = read_parts(folder / "parts", rank, ranks);
      const auto own = nodes_of(share.owner, rank);
      rows += own.size();
      EXPECT_EQ(share.features.dense, select_rows(data.features, own).dense);
      EXPECT_EQ(share.label, data.label);
      const Csr rows_here = submatrix(adjacency(share.graph), own, {}),
                expected = submatrix(adjacency(data.graph), own, {});
      EXPECT_EQ(rows_here.col, expected.col);
      EXPECT_EQ(rows_here.value, expected.value);
      for (const auto [from, to] : std::as_const(share.graph).edges)
        EXPECT_TRUE(share.owner[static_cast<std::size_t>(from)] == rank ||
                    share.owner[static_cast<std::size_t>(to)] == rank);
    }
    EXPECT_EQ(rows, 60U);
  }
}

TEST(Parts, HaloListsNameTheOtherEndsOfEdges) {
  const TemporaryFolder folder;
  const Dataset data = small();
  const auto part = scattered(60, 3);
  const auto sizes = write_parts(source_of(data), part, 3, folder / "parts");
  for (int p = 0; p < 3; ++p) {
    std::set<std::int32_t> expected;
    for (const auto [from, to] : std::as_const(data.graph).edges) {
      const int a = part[static_cast<std::size_t>(from)], b = part[static_cast<std::size_t>(to)];
      if (a == p && b != p) expected.insert(to);
      if (b == p && a != p) expected.insert(from);
    }
    const NpzReader archive(folder / fmt::format("parts/part-{:05}.npz", p));
    EXPECT_EQ(archive.read_as<std::int32_t>("halo"),
              std::vector<std::int32_t>(expected.begin(), expected.end()));
    EXPECT_EQ(sizes[static_cast<std::size_t>(p)].halo, static_cast<Index>(expected.size()));
    for (const auto other : archive.read_as<std::int32_t>("halo_part")) EXPECT_NE(other, p);
  }
}

TEST(Parts, LittleMemoryGivesTheSameFiles) {
  const TemporaryFolder folder;
  const Dataset data = small();
  write_parts(source_of(data), scattered(60, 4), 4, folder / "much");
  write_parts(source_of(data), scattered(60, 4), 4, folder / "little", false, {.memory = 1});
  for (const auto& file : fs::directory_iterator(folder / "much")) {
    std::ifstream a(file.path(), std::ios::binary),
        b(folder / "little" / file.path().filename(), std::ios::binary);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(a), {}),
              std::string(std::istreambuf_iterator<char>(b), {}))
        << file.path();
  }
}

TEST(Parts, AStreamOfArraysGivesThePartsOfTheDataSet) {
  const TemporaryFolder folder;
  const Dataset data = generate("ring:n=80,features=4,reach=5,splits=1");
  write_arrays_folder(data, folder / "arrays");
  const PartitionSource stream = stream_arrays_folder(folder / "arrays", "arrays");
  EXPECT_TRUE(stream.head.graph.edges.empty()) << "edges stay on the disk";
  write_parts(stream, scattered(80, 3), 3, folder / "parts");
  expect_same(read_parts(folder / "parts"), data);
}

TEST(Parts, DamagedFilesAreNamed) {
  const TemporaryFolder folder;
  const Dataset data = small();
  const fs::path parts = folder / "parts";
  const auto write = [&] { write_parts(source_of(data), scattered(60, 3), 3, parts, true); };
  write();
  expect_input_error([&] { read_parts(parts, 0, 4); }, {"3 parts", "4 ranks", "at most 3"});
  fs::remove(parts / "part-00001.npz");
  expect_input_error([&] { read_parts(parts); }, {"part-00001.npz", "no such file"});
  EXPECT_NO_THROW(read_parts(parts, 0, 3)) << "a rank needs no other part";
  write();
  fs::copy_file(parts / "part-00000.npz", parts / "part-00001.npz", fs::copy_options::overwrite_existing);
  expect_input_error([&] { read_parts(parts); },
                     {"part-00001.npz", "other nodes", "partition the graph again"});
  {
    Dataset other = data;
    other.label[0] = (other.label[0] + 1) % 4;
    write_parts(source_of(other), scattered(60, 3), 3, folder / "other");
    write();
    fs::copy_file(folder / "other/part-00001.npz", parts / "part-00001.npz",
                  fs::copy_options::overwrite_existing);
    expect_input_error([&] { read_parts(parts); }, {"part-00001.npz", "another graph"});
  }
  write();
  fs::resize_file(parts / "part-00002.features.npy", 200);
  expect_input_error([&] { read_parts(parts); }, {"part-00002.features.npy", "damaged"});
  write();
  {
    std::fstream file(parts / "part-00002.features.npy", std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(-4, std::ios::end);
    const float nan = std::nanf("");
    file.write(reinterpret_cast<const char*>(&nan), 4);
  }
  expect_input_error([&] { read_parts(parts); }, {"part-00002.features.npy", "not finite"});
}

TEST(Parts, AFolderIsReplacedOnlyWhenAskedAndNothingIsLeftHalfWritten) {
  const TemporaryFolder folder;
  const Dataset data = small();
  const fs::path parts = folder / "parts";
  write_parts(source_of(data), scattered(60, 3), 3, parts);
  expect_input_error([&] { write_parts(source_of(data), scattered(60, 2), 2, parts); }, {"exists"});
  EXPECT_NO_THROW(read_parts(parts, 0, 3));
  PartitionSource broken = source_of(data);
  broken.rows = [](const auto&) { throw InputError("the disk is gone"); };
  EXPECT_THROW(write_parts(broken, scattered(60, 2), 2, parts, true), InputError);
  EXPECT_NO_THROW(read_parts(parts, 0, 3)) << "what was there stays";
  std::ofstream(parts / "notes.txt") << "mine";
  expect_input_error([&] { write_parts(source_of(data), scattered(60, 2), 2, parts, true); }, {"notes.txt"});
  fs::create_directory(folder / "mine");
  expect_input_error([&] { write_parts(source_of(data), scattered(60, 2), 2, folder / "mine", true); },
                     {"no graph in parts"});
  for (const auto& entry : fs::directory_iterator(folder.path()))
    EXPECT_TRUE(entry.path().filename() == "parts" || entry.path().filename() == "mine") << entry.path();
}

}  // namespace
}  // namespace gdkm
