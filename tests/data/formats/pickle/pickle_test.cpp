#include "gdkm/data/formats/pickle/pickle.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/data/formats/matlab/facebook100.hpp"
#include "gdkm/data/formats/pickle/pickled_array.hpp"
#include "pickle_samples.hpp"
#include "raw_pickle.hpp"

namespace gdkm {
namespace {

using namespace testing;

Pickle read(const std::string& bytes) {
  return read_pickle({"some.file", bytes});
}

void expect_refused(const std::string& bytes, std::vector<std::string> words) {
  words.emplace_back("some.file");
  expect_input_error([&] { read(bytes); }, words);
}

std::vector<std::int64_t> integers(const Pickle& pickle, const std::vector<PickleId>& items) {
  std::vector<std::int64_t> out;
  for (const PickleId id : items) out.push_back(*pickle.get<std::int64_t>(id));
  return out;
}

TEST(PickleTest, PlainValuesAreRead) {
  const Pickle pickle = read(values_4);
  const auto* list = pickle.get<PickleList>(pickle.root());
  ASSERT_NE(list, nullptr);
  const auto& items = list->items;
  ASSERT_EQ(items.size(), 12u);
  EXPECT_NE(pickle.get<PickleNone>(items[0]), nullptr);
  EXPECT_TRUE(*pickle.get<bool>(items[1]));
  EXPECT_FALSE(*pickle.get<bool>(items[2]));
  EXPECT_EQ(*pickle.get<std::int64_t>(items[3]), -5);
  EXPECT_EQ(*pickle.get<std::int64_t>(items[4]), std::int64_t{1} << 40);
  EXPECT_EQ(*pickle.get<std::int64_t>(items[5]), -(std::int64_t{1} << 40));
  EXPECT_EQ(*pickle.get<double>(items[6]), 2.5);
  EXPECT_EQ(pickle.get<PickleText>(items[7])->view, "text");
  EXPECT_EQ(pickle.get<PickleBytes>(items[8])->view, "bytes");
  EXPECT_TRUE(pickle.get<PickleTuple>(items[9])->items.empty());
  EXPECT_EQ(integers(pickle, pickle.get<PickleTuple>(items[10])->items), std::vector<std::int64_t>{1});
  const auto* dict = pickle.get<PickleDict>(items[11]);
  ASSERT_TRUE(pickle.find(*dict, "k"));
  EXPECT_TRUE(pickle.get<PickleList>(*pickle.find(*dict, "k"))->items.empty());
  EXPECT_FALSE(pickle.find(*dict, "other"));
}

TEST(PickleTest, MatricesOfEveryProtocolAreRead) {
  const RawCsr python_2{{2, 3}, {0, 1, 3}, {1, 0, 2}, {1.5f, 2, -1}};
  for (const std::string& bytes : {csr_2, csr_3, csr_4, csr_5, pickle_of(python_2.body())}) {
    const Csr csr = pickled_csr(read(bytes));
    EXPECT_EQ(csr.rows, 2);
    EXPECT_EQ(csr.cols, 3);
    EXPECT_EQ(csr.row_start, (std::vector<Index>{0, 1, 3}));
    EXPECT_EQ(csr.col, (std::vector<std::int32_t>{1, 0, 2}));
    EXPECT_EQ(csr.value, (std::vector<double>{1.5, 2, -1}));
  }
}

TEST(PickleTest, ArraysOfEveryOrderAreRead) {
  for (const std::string& bytes :
       {longs_2, longs_5, pickle_of(pickled_array_of<std::int64_t>("<i8", {2, 3}, {1, -2, 300, 4, 5, 6}))}) {
    const Pickle pickle = read(bytes);
    const NpyArray array = pickled_array(pickle, pickle.root(), "here");
    EXPECT_EQ(array.shape(), (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(array.as<std::int64_t>(), (std::vector<std::int64_t>{1, -2, 300, 4, 5, 6}));
  }
  for (const std::string& bytes : {fortran_2, fortran_5}) {
    const Pickle pickle = read(bytes);
    EXPECT_EQ(pickled_array(pickle, pickle.root(), "here").as<double>(), (std::vector<double>{1, 2, 3, 4}));
  }
  const Pickle empty = read(empty_2);
  EXPECT_EQ(pickled_array(empty, empty.root(), "here").shape(), (std::vector<std::int64_t>{0, 3}));
}

TEST(PickleTest, DictsOfListsAreRead) {
  for (const std::string& bytes :
       {graph_2, graph_4, pickle_of(pickled_graph({{0, {1, 2}}, {1, {0}}, {2, {0, 70000}}}))}) {
    const Pickle pickle = read(bytes);
    const auto* dict = pickle.get<PickleDict>(pickle.root());
    ASSERT_NE(dict, nullptr);
    ASSERT_EQ(dict->items.size(), 3u);
    EXPECT_EQ(*pickle.get<std::int64_t>(dict->items[2].first), 2);
    EXPECT_EQ(integers(pickle, pickle.get<PickleList>(dict->items[2].second)->items),
              (std::vector<std::int64_t>{0, 70000}));
  }
}

TEST(PickleTest, RepeatedEntriesAreAddedAndZerosDropped) {
  const Csr csr = pickled_csr(
      read(pickle_of(RawCsr{{3, 3}, {0, 4, 6, 7}, {2, 0, 2, 1, 1, 1, 2}, {1, 5, 2, 0, 3, -3, 4}}.body())));
  EXPECT_EQ(csr.row_start, (std::vector<Index>{0, 2, 2, 3}));
  EXPECT_EQ(csr.col, (std::vector<std::int32_t>{0, 2, 2}));
  EXPECT_EQ(csr.value, (std::vector<double>{5, 3, 4}));
}

TEST(PickleTest, EveryCutIsRefused) {
  for (const std::string& whole : {csr_2, csr_5, graph_4, values_4}) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      EXPECT_THROW(read(whole.substr(0, length)), InputError) << length;
    }
  }
}

TEST(PickleTest, UnknownOpcodesAreNamedWithTheirByte) {
  expect_refused(pickle_of("K\x05(ios\nsystem\n"), {"byte 5", "INST (0x69)", "not supported"});
  expect_refused(pickle_of("N\xff"), {"byte 3", "0xff"});
  expect_refused(pickle_of("Ptoken\n"), {"byte 2", "PERSID"});
}

TEST(PickleTest, UnknownClassesAreNamedWithTheirByteAndNeverRun) {
  const std::string command = pickled_string("touch hacked") + "\x85R";
  expect_refused(pickle_of("Ncposix\nsystem\n" + command), {"byte 3", "posix.system", "not supported"});
  expect_refused(pickle_of(pickled_string("builtins") + pickled_string("eval") + "\x93" + command),
                 {"byte 24", "builtins.eval"});
  expect_refused(pickle_of("cscipy.sparse.csr\ncsc_matrix\n"), {"scipy.sparse.csr.csc_matrix"});
  expect_refused(pickle_of("cbad\x1b[31m\nx\n"), {"bad?[31m.x"});
}

TEST(PickleTest, NoPickleIsRefused) {
  expect_refused("", {"not a Python pickle"});
  expect_refused("some text", {"not a Python pickle"});
  expect_refused("(lp0\n.", {"protocol 2 to 5"});
  expect_refused("\x80\x06N.", {"protocol 2 to 5"});
}

TEST(PickleTest, BrokenStacksAreRefused) {
  expect_refused(pickle_of(""), {"stack"});
  expect_refused(pickle_of("NN"), {"left over"});
  expect_refused(pickle_of("(N"), {"left over"});
  expect_refused(pickle_of("N") + "N", {"data follows"});
  expect_refused(pickle_of("t"), {"mark"});
  expect_refused(pickle_of("N(\x85"), {"byte 4", "stack"});
  expect_refused(pickle_of("NNa"), {"a list"});
  expect_refused(pickle_of("}(NNNu"), {"no value"});
  expect_refused(pickle_of("NN\x93"), {"a name"});
  expect_refused(pickle_of("NNR"), {"an object"});
  expect_refused(pickle_of("N)b"), {"an object"});
}

TEST(PickleTest, ClaimedSizesAreNotBelieved) {
  expect_refused(pickle_of("T\xff\xff\xff\x7f"), {"byte 2", "ends within"});
  expect_refused(pickle_of("\x8e\xff\xff\xff\xff\xff\xff\xff\xff"), {"ends within"});
  expect_refused(pickle_of("Nr\xff\xff\xff\xff"), {"byte 3", "memo"});
  expect_refused(pickle_of("h\x07"), {"memo", "7"});
  expect_refused(pickle_of("\x8a\x09") + std::string(9, 'x'), {"64 bits"});
}

TEST(PickleTest, NestingAndCyclesAreHarmless) {
  std::string deep;
  for (int k = 0; k < 200000; ++k) deep += "]";
  for (int k = 1; k < 200000; ++k) deep += "a";
  const Pickle nested = read(pickle_of(deep));
  EXPECT_EQ(nested.get<PickleList>(nested.root())->items.size(), 1u);
  const Pickle cycle = read(pickle_of(std::string("]q\0h\0a", 6)));
  EXPECT_EQ(cycle.get<PickleList>(cycle.root())->items.front(), cycle.root());
  // Each tuple holds the one before it three times: as a tree it would have 3^1000 leaves.
  std::string shared = ")q\x01";
  for (int k = 0; k < 1000; ++k) shared += "h\x01h\x01\x87q\x01";
  const Pickle pickle = read(pickle_of(shared));
  EXPECT_EQ(pickle.get<PickleTuple>(pickle.root())->items.size(), 3u);
}

TEST(PickledArrayTest, LiesAreRefused) {
  const auto expect = [](const std::string& body, const std::vector<std::string>& words) {
    expect_input_error(
        [&] {
          const Pickle pickle = read(pickle_of(body));
          pickled_array(pickle, pickle.root(), "here");
        },
        words);
  };
  expect("N", {"here", "not a numpy array"});
  expect("cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n\x85R", {"here", "not a numpy array"});
  expect(pickled_array_of<float>("<f4", {3}, {1, 2}), {"here", "(3,)", "12 bytes", "has 8"});
  expect(pickled_array_of<float>("<f4", {-1}, {1}), {"here", "shape"});
  expect(pickled_array_of<float>("<f4", {2147483647, 2147483647, 2147483647}, {1}), {"here", "shape"});
  expect(pickled_array_of<float>("<c8", {1}, {1, 2}), {"here", "<c8"});
  expect(pickled_array_of<float>("<U4", {1}, {1}), {"here", "expected numbers"});
  expect(pickled_array_of<float>("|O", {1}, {1}), {"here", "|O"});
  expect(pickled_array_of<float>("<\n\n", {1}, {1}), {"here"});
  expect(pickled_array_of<float>("<", {1}, {1}), {"here", "no element type"});
}

TEST(PickledCsrTest, LiesAreRefused) {
  const RawCsr good{{2, 3}, {0, 1, 3}, {1, 0, 2}, {1, 2, 3}};
  const auto expect = [&](auto change, std::vector<std::string> words) {
    RawCsr bad = good;
    change(bad);
    words.emplace_back("some.file");
    expect_input_error([&] { pickled_csr(read(pickle_of(bad.body()))); }, words);
  };
  expect([](RawCsr& x) { x.shape = {2}; }, {"(2,)"});
  expect([](RawCsr& x) { x.shape = {3, 3}; }, {"indptr", "3 entries", "need 4"});
  expect([](RawCsr& x) { x.indptr = {0, 4, 3}; }, {"indptr", "from 4 to 3", "row 1"});
  expect([](RawCsr& x) { x.indptr = {0, 1, 2}; }, {"indptr", "0 to 2", "0 to 3"});
  expect([](RawCsr& x) { x.indptr = {-1, 1, 3}; }, {"indptr", "-1 to 3"});
  expect([](RawCsr& x) { x.indices[2] = 3; }, {"indices", "entry 2", "row 1", "column 3"});
  expect([](RawCsr& x) { x.indices[0] = -1; }, {"indices", "column -1"});
  expect([](RawCsr& x) { x.data.pop_back(); }, {"data", "2 values", "3 columns"});
  expect([](RawCsr& x) { x.data[1] = NAN; }, {"row 1", "column 0", "nan", "finite"});
  expect(
      [](RawCsr& x) {
        x.data = {1, 3e38f, 3e38f}, x.indices = {1, 2, 2}, x.indptr = {0, 3, 3};
      },
      {"row 0"});
  expect_input_error([&] { pickled_csr(read(pickle_of("N"))); }, {"some.file", "csr_matrix"});
  expect_input_error([&] { pickled_csr(read(pickle_of("cscipy.sparse.csr\ncsr_matrix\n)\x81}b"))); },
                     {"some.file", "'_shape'"});
}

TEST(LinkxSplitsTest, SplitsAreReadAndUnlabelledNodesLeftOut) {
  for (const std::string& bytes : {splits_npy_2, splits_npy_4}) {
    const auto splits = read_linkx_splits({"splits.npy", bytes}, {0, 1, -1, 0, 1});
    ASSERT_EQ(splits.size(), 2u);
    EXPECT_EQ(splits[0].train, (std::vector<std::int32_t>{0, 4}));
    EXPECT_EQ(splits[0].val, std::vector<std::int32_t>{1});
    EXPECT_EQ(splits[0].test, std::vector<std::int32_t>{3});
    EXPECT_EQ(splits[1].val, std::vector<std::int32_t>{4});
  }
}

TEST(LinkxSplitsTest, BadSplitsAreRefused) {
  const auto header = [](const std::string& descr) { return npy(descr, "1,", ""); };
  const auto nodes = [](std::vector<std::int64_t> values) {
    return pickled_array_of<std::int64_t>("<i8", {static_cast<std::int64_t>(values.size())}, values);
  };
  const auto objects = [](const std::string& items, std::int64_t count) {
    return "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n\x85R(K\x01" + pickled_tuple({count}) +
           "cnumpy\ndtype\n" + pickled_string("O8") + "\x85R\x89](" + items + "etb";
  };
  const auto dict = [](const std::string& train, const std::string& valid, const std::string& test) {
    return "}(" + pickled_string("train") + train + pickled_string("valid") + valid + pickled_string("test") +
           test + "u";
  };
  const auto expect = [&](const std::string& bytes, std::vector<std::string> words) {
    words.emplace_back("splits.npy");
    expect_input_error([&] { read_linkx_splits({"splits.npy", bytes}, {0, 1, -1}); }, words);
  };
  const auto expect_dict = [&](const std::string& body, const std::vector<std::string>& words) {
    expect(header("|O") + pickle_of(objects(body, 1)), words);
  };
  EXPECT_EQ(read_linkx_splits(
                {"splits.npy", header("|O") + pickle_of(objects(dict(nodes({0}), nodes({1}), nodes({})), 1))},
                {0, 1, -1})
                .size(),
            1u);
  expect("no npy at all", {".npy"});
  expect(header("<i8"), {"<i8", "objects"});
  expect(header("|O") + pickle_of(objects("", 0)), {"0 splits"});
  expect(header("|O") + pickle_of(objects("N", 2)), {"(2,)", "1 objects"});
  expect(header("|O") + pickle_of(nodes({1})), {"expected an array of objects"});
  expect_dict("N", {"split 0", "'train'"});
  expect_dict(dict(nodes({0}), nodes({1}), "N"), {"split 0", "'test'", "not a numpy array"});
  expect_dict(dict(nodes({0}), nodes({3}), nodes({})), {"split 0", "node 3", "0..2"});
  expect_dict(dict(nodes({0}), nodes({-1}), nodes({})), {"split 0", "node -1"});
  expect_dict(dict(nodes({0}), nodes({1}), nodes({0})), {"split 0", "node 0", "'train'", "'test'"});
  expect_dict(dict(nodes({0, 0}), nodes({1}), nodes({})), {"split 0", "node 0", "twice"});
  expect_dict(dict(nodes({2}), nodes({1}), nodes({})), {"split 0", "train on"});
  expect_dict(dict(pickled_array_of<double>("<f8", {1}, {0}), nodes({1}), nodes({})), {"<f8", "integers"});
  std::string many = dict(nodes({0}), nodes({1}), nodes({})) + "q\x01";
  for (int k = 0; k < 1000; ++k) many += "h\x01";
  expect(header("|O") + pickle_of(objects(many, 1001)), {"1001 splits"});
}

}  // namespace
}  // namespace gdkm
