#include "gdkm/data/formats/arrays/arrays_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "gdkm/data/files/mapped_npy.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/data/load.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;
using testing::expect_input_error;
using testing::TemporaryFolder;

template <class V>
void put(const fs::path& path, const char* type, const std::vector<std::int64_t>& shape,
         const std::vector<V>& values) {
  std::ofstream file(path, std::ios::binary);
  file << make_npy_header(type, shape);
  file.write(reinterpret_cast<const char*>(values.data()),
             static_cast<std::streamsize>(values.size() * sizeof(V)));
}

TEST(ArraysFolder, IsReadAsItWasWritten) {
  const TemporaryFolder folder;
  const Dataset data = generate("csbm:n=50,features=3,degree=4,splits=1");
  write_arrays_folder(data, folder / "graph");
  const Dataset got = load((folder / "graph").string(), std::nullopt);
  ASSERT_EQ(got.graph.edges.size(), data.graph.edges.size());
  EXPECT_EQ(adjacency(got.graph).col, adjacency(data.graph).col);
  EXPECT_EQ(got.features.dense, data.features.dense);
  EXPECT_EQ(got.label, data.label);
  EXPECT_EQ(got.splits.at("public")[0].train, data.splits.at("public")[0].train);
  EXPECT_EQ(got.splits.at("public")[0].test, data.splits.at("public")[0].test);
  expect_input_error([&] { write_arrays_folder(data, folder / "graph"); }, {"exists"});
}

TEST(ArraysFolder, TakesAnyIntegersAndSaysWhatIsWrong) {
  const TemporaryFolder folder;
  const fs::path at = folder / "graph";
  fs::create_directory(at);
  put<std::int64_t>(at / "edges.npy", "<i8", {2, 2}, {0, 1, 1, 2});
  put<double>(at / "features.npy", "<f8", {3, 2}, {1, 2, 3, 4, 5, 6});
  put<std::uint8_t>(at / "labels.npy", "|u1", {3}, {0, 1, 1});
  put<std::int16_t>(at / "train.npy", "<i2", {1}, {2});
  const auto read = [&] { return load(at.string(), std::nullopt); };
  EXPECT_EQ(read().classes, 2);
  EXPECT_EQ(read().features.dense[5], 6.0F);

  put<std::int64_t>(at / "edges.npy", "<i8", {2, 2}, {0, 1, 1, 3});
  expect_input_error([&] { read(); }, {"edges.npy", "row 1", "node 3", "0..2"});
  put<std::int64_t>(at / "edges.npy", "<i8", {4}, {0, 1, 1, 2});
  expect_input_error([&] { read(); }, {"edges.npy", "(4,)", "(E, 2)"});
  put<std::int64_t>(at / "edges.npy", "<i8", {2, 2}, {0, 1, 1, 2});
  put<double>(at / "features.npy", "<f8", {2, 2}, {1, 2, 3, 4});
  expect_input_error([&] { read(); }, {"features.npy", "(2, 2)", "3 nodes"});
  put<double>(at / "features.npy", "<f8", {3, 1}, {1, NAN, 3});
  expect_input_error([&] { read(); }, {"features.npy", "node 1", "not finite"});
  put<double>(at / "features.npy", "<f8", {3, 1}, {1, 2, 3});
  put<std::int16_t>(at / "val.npy", "<i2", {1}, {2});
  expect_input_error([&] { read(); }, {"val.npy", "node 2", "twice"});
  put<std::int16_t>(at / "val.npy", "<i2", {1}, {7});
  expect_input_error([&] { read(); }, {"val.npy", "node 7"});
}

// A file with a hole takes no space on the disk.
TEST(MappedNpy, ReadsBeyondTwoToThe31Elements) {
  const TemporaryFolder folder;
  const fs::path path = folder / "large.npy";
  const std::int64_t count = (std::int64_t{1} << 31) + 10;
  put<std::uint8_t>(path, "|u1", {count}, {});
  const auto header = fs::file_size(path);
  fs::resize_file(path, header + static_cast<std::uintmax_t>(count));
  {
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(-1, std::ios::end);
    file.put(7);
  }
  const MappedNpy array(path);
  std::int64_t seen = 0, last = 0, sum = 0;
  array.for_each_piece<std::uint8_t>(1, [&](std::span<const std::uint8_t> piece, std::int64_t first) {
    EXPECT_EQ(first, seen);
    seen += static_cast<std::int64_t>(piece.size());
    last = piece.back();
    sum += piece.back();
  });
  EXPECT_EQ(seen, count);
  EXPECT_EQ(last, 7);
  EXPECT_EQ(sum, 7);
}

}  // namespace
}  // namespace gdkm
