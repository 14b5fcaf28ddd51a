#include "gdkm/data/formats/matlab/mat5.hpp"

#include <gtest/gtest.h>

#include "raw_mat.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;
using testing::RawMat;

void expect_bad(const Text& text, const std::string& name, std::vector<std::string> words) {
  words.push_back("small.mat");
  expect_input_error(
      [&] {
        const MatFile file(text);
        file.sparse(name);
      },
      words);
}

/// Both byte orders, plain and compressed.
struct Form {
  bool big_endian, compressed;
};
class Mat5Test : public ::testing::TestWithParam<Form> {
 protected:
  RawMat raw{GetParam().big_endian};
  std::string packed(const std::string& element) const {
    return GetParam().compressed ? raw.compressed(element) : element;
  }
};

TEST_P(Mat5Test, SparseMatricesBecomeRows) {
  // 1 0 2
  // 0 0 3
  const Text text = raw.file(packed(raw.sparse("S", 2, 3, {0, 0, 1}, {0, 1, 1, 3}, {1, 2, 3})));
  const MatFile file(text);
  EXPECT_EQ(file.names(), std::vector<std::string>{"S"});
  EXPECT_EQ(file.shape("S").rows, 2);
  EXPECT_EQ(file.shape("S").cols, 3);
  const Csr s = file.sparse("S");
  EXPECT_EQ(s.rows, 2);
  EXPECT_EQ(s.cols, 3);
  EXPECT_EQ(s.row_start, (std::vector<Index>{0, 2, 3}));
  EXPECT_EQ(s.col, (std::vector<std::int32_t>{0, 2, 2}));
  EXPECT_EQ(s.value, (std::vector<double>{1, 2, 3}));
}

TEST_P(Mat5Test, FullMatricesAreReadByColumnsFromAnyType) {
  const auto data = [&](auto zero) {
    using T = decltype(zero);
    return raw.numbers(std::vector<T>{1, 2, 3, 4, 5, 6});
  };
  const std::vector<std::pair<std::uint32_t, std::string>> types = {
      {1, data(std::int8_t{})},   {2, data(std::uint8_t{})}, {3, data(std::int16_t{})},
      {4, data(std::uint16_t{})}, {5, data(std::int32_t{})}, {6, data(std::uint32_t{})},
      {7, data(float{})},         {9, data(double{})},       {12, data(std::int64_t{})},
      {13, data(std::uint64_t{})}};
  for (const auto& [type, bytes] : types) {
    const Text text = raw.file(packed(raw.matrix(6, {3, 2}, "Matrix", raw.element(type, bytes))));
    const MatMatrix out = MatFile(text).dense("Matrix");
    EXPECT_EQ(out.rows, 3);
    EXPECT_EQ(out.cols, 2);
    EXPECT_EQ(out.value, (std::vector<double>{1, 4, 2, 5, 3, 6})) << type;
  }
}

TEST_P(Mat5Test, VariablesAreFoundAmongOthers) {
  const std::string text_variable = raw.matrix(4, {1, 2}, "words", raw.small(16, "ab"));
  const std::string opaque = raw.element(14, raw.element(6, raw.numbers<std::uint32_t>({17, 0})));
  const Text text = raw.file(packed(text_variable) + packed(opaque) + packed(raw.full("a", 1, 3, {7, 0, 9})) +
                             packed(raw.full("later", 2, 2, {1, 2, 3, 4})));
  const MatFile file(text);
  EXPECT_EQ(file.names(), (std::vector<std::string>{"words", "a", "later"}));
  EXPECT_TRUE(file.contains("later"));
  EXPECT_FALSE(file.contains("none"));
  EXPECT_EQ(file.dense("later").value, (std::vector<double>{1, 3, 2, 4}));
  EXPECT_EQ(file.sparse("a").col, (std::vector<std::int32_t>{0, 2})) << "a full matrix, without its zero";
  expect_bad(text, "words", {"'words'", "not a numeric matrix"});
  expect_bad(text, "none", {"'none'", "missing", "words, a, later"});
}

TEST_P(Mat5Test, CutFilesAreRefusedWhereverTheyEnd) {
  const std::string element = packed(raw.sparse("S", 2, 3, {0, 0, 1}, {0, 1, 1, 3}, {1, 2, 3}));
  const Text whole = raw.file(element);
  for (std::size_t size = 0; size < whole.bytes.size(); ++size) {
    if (size == 128) continue;  // no variable at all
    expect_bad({"small.mat", whole.bytes.substr(0, size)}, "S", {});
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, Mat5Test,
                         ::testing::Values(Form{false, false}, Form{false, true}, Form{true, false},
                                           Form{true, true}),
                         [](const auto& form) {
                           return std::string(form.param.big_endian ? "Big" : "Little") + "Endian" +
                                  (form.param.compressed ? "Compressed" : "Plain");
                         });

const RawMat raw;

TEST(Mat5ErrorsTest, OtherFilesAreRecognised) {
  expect_bad({"small.mat", ""}, "S", {"not a MATLAB 5 file"});
  expect_bad({"small.mat", std::string(300, 'x')}, "S", {"not a MATLAB 5 file"});
  expect_bad({"small.mat", std::string(300, '\0')}, "S", {"MATLAB 4", "-v7"});
  expect_bad({"small.mat", "MATLAB 7.3 MAT-file, Platform"}, "S", {"7.3", "HDF5", "-v7"});
  expect_bad({"small.mat", "\x89HDF\r\n"}, "S", {"HDF5", "-v7"});
  expect_bad(raw.file("", 0x0200), "S", {"version 2", "-v7"});
}

TEST(Mat5ErrorsTest, DamagedSparseMatricesAreRefused) {
  const auto bad = [](const std::string& element, std::vector<std::string> words) {
    words.push_back("'S'");
    expect_bad(raw.file(element), "S", std::move(words));
  };
  bad(raw.sparse("S", 2, 3, {0, 0, 2}, {0, 1, 1, 3}, {1, 2, 3}), {"entry 2", "row 2 of 2"});
  bad(raw.sparse("S", 2, 3, {0, -1, 1}, {0, 1, 1, 3}, {1, 2, 3}), {"entry 1", "row -1"});
  bad(raw.sparse("S", 2, 3, {0, 0, 1}, {0, 1, 1, 4}, {1, 2, 3}), {"0 to 4 of 3"});
  bad(raw.sparse("S", 2, 3, {0, 0, 1}, {0, 1, 1, 3}, {1, 2}), {"of 2 entries"});
  bad(raw.sparse("S", 2, 3, {0, 0, 1}, {0, 2, 1, 3}, {1, 2, 3}), {"column 2", "from 2 to 1"});
  bad(raw.sparse("S", 2, 3, {0, 0, 1}, {0, 9, 1, 3}, {1, 2, 3}), {"column 1", "from 0 to 9"});
  bad(raw.sparse("S", 2, 3, {0, 0, 1}, {1, 1, 1, 3}, {1, 2, 3}), {"1 to 3"});
  bad(raw.sparse("S", 2, 3, {0, 0, 1}, {0, 1, 3}, {1, 2, 3}), {"3 columns have 3 starts"});
  bad(raw.sparse("S", 2, 1, {1, 1}, {0, 2}, {1, 2}), {"row 2, column 1", "twice"});
  bad(raw.sparse("S", 2000000000, 1, {1}, {0, 1}, {1}), {"states 2000000000 rows"});
  bad(raw.full("S", 2000000000, 0, {}), {"states 2000000000 rows"});
  expect_bad(raw.file(raw.sparse("S", -2, 3, {0, 0, 1}, {0, 1, 1, 3}, {1, 2, 3})), "S",
             {"variable number 1", "size -2"});
}

TEST(Mat5ErrorsTest, UnsortedRowsAndZerosOfOtherWritersAreMended) {
  const Text text = raw.file(raw.sparse("S", 3, 2, {2, 0, 1}, {0, 2, 3}, {1, 2, 0}));
  const Csr s = MatFile(text).sparse("S");
  EXPECT_EQ(s.row_start, (std::vector<Index>{0, 1, 1, 2}));
  EXPECT_EQ(s.value, (std::vector<double>{2, 1}));
}

TEST(Mat5ErrorsTest, MatricesOfOtherKindsAreRefused) {
  const std::string data = raw.element(9, raw.numbers<double>({1, 2}));
  expect_bad(raw.file(raw.matrix(6 | 0x800, {1, 2}, "S", data + data)), "S", {"complex", "real part"});
  expect_bad(raw.file(raw.matrix(6, {1, 2, 1}, "S", data)), "S", {"3 dimensions"});
  expect_bad(raw.file(raw.matrix(6, {2, 2}, "S", data)), "S", {"2 x 2", "has 2"});
  expect_bad(raw.file(raw.matrix(6, {2147483647, 2147483647}, "S", data)), "S", {"2147483647"});
  expect_bad(raw.file(raw.matrix(6, {1, 2}, "S", raw.element(14, ""))), "S", {"type 14"});
  expect_bad(raw.file(raw.matrix(6, {1, 2}, "S", raw.element(9, "12345678abc"))), "S", {"11 bytes"});
  expect_bad(raw.file(raw.matrix(6, {1, 2}, "S", raw.element(9, "", 1u << 30))), "S", {"cut short"});
  const Text sparse = raw.file(raw.sparse("S", 1, 1, {0}, {0, 1}, {1}));
  expect_input_error([&] { MatFile(sparse).dense("S"); }, {"is sparse", "full(S)"});
  const std::string half =
      raw.element(5, raw.numbers<std::int32_t>({0})) + raw.element(9, raw.numbers<double>({0, 0.5})) + data;
  expect_bad(raw.file(raw.matrix(5, {1, 1}, "S", half)), "S", {"element [1]", "got 0.5", "integers"});
}

TEST(Mat5ErrorsTest, ANameOfSeveralLinesIsShownOnOne) {
  expect_bad(raw.file(raw.matrix(4, {1, 1}, "odd\nname", "")), "odd\nname", {"'odd?name'", "not a numeric"});
  const Text sparse = raw.file(raw.sparse("odd\nname", 1, 1, {0}, {0, 1}, {1}));
  expect_input_error([&] { MatFile(sparse).dense("odd\nname"); }, {"full(odd?name)"});
}

TEST(Mat5ErrorsTest, DamagedCompressionIsNoticed) {
  const std::string good = raw.compressed(raw.full("S", 1, 8, {1, 2, 3, 4, 5, 6, 7, 8}));
  const Text whole = raw.file(good);
  ASSERT_EQ(MatFile(whole).sparse("S").nonzeros(), 8);
  int refused = 0;
  for (std::size_t at = 8; at < good.size(); ++at) {
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    const Text text = raw.file(damaged);
    try {  // some bits of the stream mean nothing
      EXPECT_EQ(MatFile(text).dense("S").value, (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8})) << at;
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GE(refused, static_cast<int>(good.size()) - 10);
}

TEST(Mat5ErrorsTest, ALieAboutTheUnpackedSizeCostsNoMemory) {
  std::string inner = raw.full("S", 1, 8, {1, 2, 3, 4, 5, 6, 7, 8});
  const std::string body = inner.substr(8);
  const auto claim = [&](std::uint32_t size) {
    return raw.file(raw.compressed(raw.numbers<std::uint32_t>({14, size}) + body));
  };
  const auto size = static_cast<std::uint32_t>(body.size());
  expect_bad(claim(0xFFFFFFFFu), "S", {"would unpack to 4096 MiB"});
  expect_bad(claim(60u << 20), "S", {"less than"});
  expect_bad(claim(size - 8), "S", {"more than"});
}

}  // namespace
}  // namespace gdkm
