#include "gdkm/data/files/npz.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "gdkm/data/files/npz_writer.hpp"
#include "raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::npy;
using testing::npy_of;
using testing::raw_bytes;
using testing::raw_npy;
using testing::raw_zip;
using testing::TemporaryFolder;

class NpzTest : public ::testing::Test {
 protected:
  /// An archive whose only array `a` is this .npy file.
  NpyArray read(const std::string& member) {
    testing::write_bytes(folder / "a.npz", raw_zip({{"a.npy", member}}));
    return NpzReader(folder / "a.npz").read("a");
  }
  void expect_bad(const std::string& member, std::vector<std::string> words) {
    words.insert(words.end(), {"a.npz", "array 'a'"});
    expect_input_error([&] { read(member); }, words);
  }
  TemporaryFolder folder;
};

TEST_F(NpzTest, EveryElementTypeConvertsToDouble) {
  const std::vector<double> expected = {1, 0, 1, 1};
  const auto values = [&](const std::string& descr, const std::string& data) {
    EXPECT_EQ(read(npy(descr, "2, 2", data)).as<double>(), expected) << descr;
  };
  for (const bool big : {false, true}) {
    const std::string order = big ? ">" : "<";
    values(order + "f2", raw_bytes(std::vector<std::uint16_t>{0x3C00, 0, 0x3C00, 0x3C00}, big));
    values(order + "f4", raw_bytes(std::vector<float>{1, 0, 1, 1}, big));
    values(order + "f8", raw_bytes(std::vector<double>{1, 0, 1, 1}, big));
    values(order + "i2", raw_bytes(std::vector<std::int16_t>{1, 0, 1, 1}, big));
    values(order + "i4", raw_bytes(std::vector<std::int32_t>{1, 0, 1, 1}, big));
    values(order + "i8", raw_bytes(std::vector<std::int64_t>{1, 0, 1, 1}, big));
    values(order + "u2", raw_bytes(std::vector<std::uint16_t>{1, 0, 1, 1}, big));
    values(order + "u4", raw_bytes(std::vector<std::uint32_t>{1, 0, 1, 1}, big));
    values(order + "u8", raw_bytes(std::vector<std::uint64_t>{1, 0, 1, 1}, big));
  }
  for (const char* descr : {"|i1", "|u1", "|b1"}) values(descr, std::string("\1\0\1\1", 4));
}

TEST_F(NpzTest, NamesThatWouldBreakAMessageArePassedOver) {
  const std::string member = npy_of<float>("<f4", "1,", {1});
  testing::write_bytes(folder / "a.npz", raw_zip({{"a\nb.npy", member}, {"a.npy", member}}));
  EXPECT_EQ(NpzReader(folder / "a.npz").names(), std::vector<std::string>{"a"});
}

TEST_F(NpzTest, PiecesMakeUpTheWholeArray) {
  std::vector<std::int64_t> values(3'000'000);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<std::int64_t>(k * 7 % 1000);
  NpzWriter writer;
  writer.add("a", {static_cast<std::int64_t>(values.size())}, values);
  writer.write(folder / "large.npz");
  const NpzReader archive(folder / "large.npz");
  std::vector<std::int32_t> seen;
  int pieces = 0;
  archive.for_each_piece<std::int32_t>("a", [&](std::span<const std::int32_t> piece, std::int64_t first) {
    EXPECT_EQ(first, static_cast<std::int64_t>(seen.size()));
    seen.insert(seen.end(), piece.begin(), piece.end());
    ++pieces;
  });
  EXPECT_GT(pieces, 1);
  EXPECT_EQ(seen, std::vector<std::int32_t>(values.begin(), values.end()));
  EXPECT_EQ(archive.read_as<std::int64_t>("a"), values);
}

TEST_F(NpzTest, PiecesOfADamagedArrayAreRefused) {
  const auto expect_refused = [&](const std::string& member, const std::vector<std::string>& words) {
    testing::write_bytes(folder / "a.npz", raw_zip({{"a.npy", member}}));
    expect_input_error([&] { NpzReader(folder / "a.npz").read_as<std::int32_t>("a"); }, words);
  };
  expect_refused(npy("<i4", "3,", "12345678"), {"a.npz", "array 'a'", "12 bytes", "has 8"});
  expect_refused(npy_of<double>("<f8", "2,", {1, 2.5}), {"[1]", "2.5", "integer"});
  std::string zip = raw_zip({{"a.npy", npy_of<std::int32_t>("<i4", "2,", {1, 2})}});
  zip[zip.find("shape") + 16] ^= 1;  // the checksum no longer fits
  testing::write_bytes(folder / "a.npz", zip);
  expect_input_error([&] { NpzReader(folder / "a.npz").read_as<std::int32_t>("a"); }, {"a.npz", "array 'a'"});
}

TEST_F(NpzTest, FortranOrderComesInPiecesOfRowMajorOrder) {
  testing::write_bytes(
      folder / "a.npz",
      raw_zip({{"a.npy", npy("<i4", "2, 3", raw_bytes<std::int32_t>({1, 4, 2, 5, 3, 6}), true)}}));
  EXPECT_EQ(NpzReader(folder / "a.npz").read_as<std::int32_t>("a"),
            (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}));
}

TEST_F(NpzTest, StringsSurviveTheWayThroughAFile) {
  const std::vector<std::string> names{"a", "", "Zürich", "日本", "x😀y", "longer than the others"};
  NpzWriter writer;
  writer.add_strings("names", names);
  writer.write(folder / "names.npz");
  const NpyArray array = NpzReader(folder / "names.npz").read("names");
  EXPECT_EQ(array.strings(), names);
  expect_input_error([&] { array.as<double>(); }, {"names.npz", "array 'names'", "text"});
}

TEST_F(NpzTest, StringsOfBytesAndOfTheOtherByteOrderAreRead) {
  EXPECT_EQ(read(npy("|S3", "2,", std::string("coob\0\0", 6))).strings(),
            (std::vector<std::string>{"coo", "b"}));
  EXPECT_EQ(read(npy(">U2", "1,", raw_bytes<std::uint32_t>({0x41, 0xE9}, true))).strings(),
            (std::vector<std::string>{"Aé"}));
  expect_input_error([&] { read(npy_of<double>("<f8", "1,", {1})).strings(); }, {"array 'a'", "text"});
}

TEST_F(NpzTest, HalfPrecisionKeepsSubnormalsSignsAndInfinities) {
  const std::vector<std::uint16_t> bits = {0x0001, 0xC000, 0x7BFF, 0x7C00, 0x7E00, 0x3555};
  const auto values = read(npy_of("<f2", "6,", bits)).as<double>();
  EXPECT_EQ(values[0], std::ldexp(1.0, -24));
  EXPECT_EQ(values[1], -2.0);
  EXPECT_EQ(values[2], 65504.0);
  EXPECT_EQ(values[3], INFINITY);
  EXPECT_TRUE(std::isnan(values[4]));
  EXPECT_EQ(values[5], 0.333251953125);
}

TEST_F(NpzTest, FortranOrderIsDeliveredRowMajor) {
  // Element (i, j, k) = 100 i + 10 j + k of a 2×3×2 array, first index fastest.
  std::vector<std::int32_t> stored, expected;
  for (int k = 0; k < 2; ++k) {
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 2; ++i) stored.push_back(100 * i + 10 * j + k);
    }
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k) expected.push_back(100 * i + 10 * j + k);
    }
  }
  EXPECT_EQ(read(npy("<i4", "2, 3, 2", raw_bytes(stored), true)).as<std::int32_t>(), expected);
  EXPECT_EQ(read(npy("<i4", "12,", raw_bytes(stored), true)).as<std::int32_t>(), stored);
}

TEST_F(NpzTest, HeadersOfVersionsOneToThreeAndOfPythonTwoAreRead) {
  const std::string data = raw_bytes(std::vector<std::int64_t>{4, 5});
  for (const int version : {1, 2, 3}) {
    const auto array =
        read(raw_npy("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }\n", data, version));
    EXPECT_EQ(array.as<std::int64_t>(), (std::vector<std::int64_t>{4, 5})) << version;
  }
  EXPECT_EQ(read(raw_npy("{\"shape\":(2L,),\"descr\":\"<i8\",\"fortran_order\":False}", data)).size(), 2);
  expect_bad(raw_npy("{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }\n", data, 4), {"version 4"});
}

TEST_F(NpzTest, ScalarsAndEmptyArraysAreRead) {
  EXPECT_EQ(read(npy_of("<f8", "", std::vector<double>{2.5})).as<double>().at(0), 2.5);
  EXPECT_TRUE(read(npy("<f8", "0, 3", "")).as<double>().empty());
  EXPECT_TRUE(read(npy("<f8", "4611686018427387904, 0, 8", "", true)).as<double>().empty());
}

TEST_F(NpzTest, IntegersMustBeHitExactly) {
  const auto half = npy_of("<f8", "2, 2", std::vector<double>{0, 1, 1.5, 2});
  expect_input_error([&] { read(half).as<std::int64_t>(); }, {"a.npz", "'a'", "[1, 0]", "1.5", "integer"});
  const auto nan = npy_of("<f4", "1,", std::vector<float>{NAN});
  expect_input_error([&] { read(nan).as<std::int32_t>(); }, {"[0]", "nan"});
  const auto large = npy_of("<i8", "1,", std::vector<std::int64_t>{std::int64_t{1} << 31});
  expect_input_error([&] { read(large).as<std::int32_t>(); }, {"2147483648"});
  const auto huge = npy_of("<u8", "1,", std::vector<std::uint64_t>{std::uint64_t{1} << 63});
  expect_input_error([&] { read(huge).as<std::int64_t>(); }, {"9223372036854775808"});
  const auto edge = npy_of("<f8", "1,", std::vector<double>{9223372036854775808.0});
  expect_input_error([&] { read(edge).as<std::int64_t>(); }, {"integer"});
  const auto wide = npy_of("<f8", "2,", std::vector<double>{1e300, -1e300});
  EXPECT_EQ(read(wide).as<float>(), (std::vector<float>{INFINITY, -INFINITY}));
}

TEST_F(NpzTest, LyingShapesAreRefusedWithoutAllocating) {
  const std::string data = raw_bytes(std::vector<float>{1, 2, 3});
  expect_bad(npy("<f4", "4,", data), {"(4,)", "16 bytes", "has 12"});
  expect_bad(npy("<f4", "2,", data), {"8 bytes", "has 12"});
  expect_bad(npy("<f4", "1099511627776,", data), {"has 12"});
  expect_bad(npy("<f4", "4611686018427387904, 4611686018427387904", data), {"does not fit into memory"});
  expect_bad(npy("<f4", "9223372036854775807,", data), {"does not fit into memory"});
  expect_bad(npy("<f4", "99999999999999999999,", data), {"header"});
  expect_bad(npy("<f4", "-3,", data), {"header"});
}

TEST_F(NpzTest, ArraysThatAreNotNumbersAreRefused) {
  expect_bad(npy("|O", "1,", "12345678"), {"object", "pickled"});
  expect_input_error([&] { read(npy("<U4", "1,", std::string(16, '\0'))).as<double>(); },
                     {"array 'a'", "text"});
  expect_bad(npy("<c8", "1,", std::string(8, 'x')), {"'<c8'"});
  expect_bad(npy("", "1,", "x"), {"element type ''"});
  expect_bad(raw_npy("{'descr': [('x', '<i4')], 'fortran_order': False, 'shape': (1,), }", "1234"),
             {"structured"});
}

TEST_F(NpzTest, BrokenHeadersAreRefused) {
  expect_bad("not an array at all", {".npy", "magic"});
  expect_bad("", {"cut short"});
  expect_bad("\x93NUMPY", {"cut short"});
  expect_bad(raw_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "").substr(0, 30),
             {"cut short"});
  expect_bad(raw_npy("{'descr': '<f4', 'shape': (1,), }", "1234"), {"header"});
  expect_bad(raw_npy("{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }", "1234"), {"header"});
  expect_bad(raw_npy("{'descr': '<f4", ""), {"header"});
  expect_bad(npy("<f\n4", "1,", "1234"), {"header"});
}

TEST_F(NpzTest, DamagedArchivesAreRefused) {
  const auto path = folder / "a.npz";
  const auto open = [&] { NpzReader(path).read("a"); };
  expect_input_error(open, {"a.npz", "no such file"});
  expect_input_error([&] { NpzReader(folder.path()); }, {"folder"});
  const std::string good = raw_zip({{"a.npy", npy_of("<f4", "3,", std::vector<float>{1, 2, 3})}});
  testing::write_bytes(path, "");
  expect_input_error(open, {"a.npz"});
  for (const std::size_t length : {std::size_t{10}, good.size() / 2, good.size() - 5}) {
    testing::write_bytes(path, good.substr(0, length));
    expect_input_error(open, {"a.npz", "cut short"});
  }
  std::string flipped = good;
  flipped[flipped.find("\x93NUMPY") + 70] ^= 1;  // in the data: only the checksum can tell
  testing::write_bytes(path, flipped);
  expect_input_error(open, {"a.npz", "'a'", "CRC", "damaged"});
  testing::write_bytes(path, raw_zip({{"a.npy", npy("<f4", "1000000000,", "1234"), 4000000000u - 4u}}));
  expect_input_error(open, {"a.npz", "'a'", "damaged"});
}

TEST_F(NpzTest, MembersAreListedAndMissingOnesNamed) {
  const auto one = npy_of("<f4", "1,", std::vector<float>{1});
  testing::write_bytes(folder / "a.npz", raw_zip({{"b.npy", one}, {"readme.txt", "hello"}, {"a.npy", one}}));
  const NpzReader archive(folder / "a.npz");
  EXPECT_EQ(archive.names(), (std::vector<std::string>{"b", "a"}));
  EXPECT_TRUE(archive.contains("a"));
  EXPECT_FALSE(archive.contains("readme"));
  EXPECT_EQ(archive.header("b").shape, (std::vector<std::int64_t>{1}));
  expect_input_error([&] { archive.read("c"); }, {"a.npz", "'c'", "missing"});
}

TEST_F(NpzTest, WhatIsWrittenIsReadBack) {
  const auto path = folder / "out.npz";
  const std::vector<double> doubles = {1.5, -0.0, 1e-300, INFINITY};
  const auto write = [&] {
    NpzWriter writer;
    writer.add("doubles", {2, 2}, doubles);
    writer.add("floats", {1}, std::vector<float>{0.1f});
    writer.add("ints", {0, 2}, std::vector<std::int32_t>{});
    writer.add("longs", {}, std::vector<std::int64_t>{std::numeric_limits<std::int64_t>::min()});
    writer.add_bools("bools", {3}, {1, 0, 1});
    writer.write(path);
    return testing::read_bytes(path);
  };
  EXPECT_EQ(write(), write()) << "the same arrays must give the same bytes";
  const NpzReader archive(path);
  EXPECT_EQ(archive.names(), (std::vector<std::string>{"doubles", "floats", "ints", "longs", "bools"}));
  EXPECT_EQ(archive.read("doubles").as<double>(), doubles);
  EXPECT_EQ(archive.read("doubles").shape(), (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(archive.read("floats").as<float>(), std::vector<float>{0.1f});
  EXPECT_EQ(archive.read("ints").shape(), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(archive.read("longs").as<std::int64_t>().at(0), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(archive.header("bools").descr, "|b1");
  EXPECT_EQ(archive.read("bools").as<std::uint8_t>(), (std::vector<std::uint8_t>{1, 0, 1}));
}

TEST_F(NpzTest, ConstantArraysCompressAndInflateAgain) {
  NpzWriter writer;
  writer.add("zeros", {1000, 1000}, std::vector<double>(1000000, 0.0));
  writer.write(folder / "zeros.npz");
  EXPECT_LT(std::filesystem::file_size(folder / "zeros.npz"), 80000u);
  EXPECT_EQ(NpzReader(folder / "zeros.npz").read("zeros").as<double>(), std::vector<double>(1000000, 0.0));
}

TEST(NpzGoldenTest, FilesWrittenByNumpyAreRead) {
  const auto folder = testing::shared_folder() / "golden";
  if (!std::filesystem::is_directory(folder)) GTEST_SKIP() << folder << " is not there";
  int arrays = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".npz") continue;
    const NpzReader archive(entry.path());
    for (const auto& name : archive.names()) {
      const NpyArray array = archive.read(name);
      const auto size = array.header.is_text() ? array.strings().size() : array.as<double>().size();
      EXPECT_EQ(static_cast<std::int64_t>(size), array.size()) << entry.path() << name;
      ++arrays;
    }
  }
  EXPECT_GT(arrays, 0);
  const NpzReader kernels(folder / "kernels.npz");
  EXPECT_EQ(kernels.read("cka").shape().size(), 0u);
  EXPECT_GT(kernels.read("cka").as<double>().at(0), 0.0);
}

}  // namespace
}  // namespace gdkm
