#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <sstream>

#include "gdkm/data/formats/tu/tu.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::TemporaryFolder;
using Numbers = std::vector<std::int32_t>;

struct TuRow {
  const char* name;
  std::vector<std::string> class_names;
  std::vector<std::int64_t> per_class;
  Index nodes, edges, node_labels, attributes;
  double homophily;
  std::int64_t in_no_fold;
  bool folds_are_made, has_errica;
};

void PrintTo(const TuRow& row, std::ostream* out) {
  *out << row.name;
}

/// The table of the shared data sets' README.
const TuRow tu_table[] = {
    {"MUTAG", {"-1", "1"}, {63, 125}, 3371, 3721, 7, 0, 0.7210, 0, true, false},
    {"PROTEINS", {"1", "2"}, {663, 450}, 43471, 81044, 3, 1, 0.6568, 3, false, true},
    {"NCI1", {"0", "1"}, {2053, 2057}, 122747, 132753, 37, 0, 0.6309, 0, false, true},
    {"NCI109", {"0", "1"}, {2048, 2079}, 122494, 132604, 38, 0, 0.6297, 7, false, false},
    {"Mutagenicity", {"0", "1"}, {2401, 1936}, 131488, 133447, 14, 0, 0.3882, 0, true, false},
};

class PublishedTuTest : public ::testing::TestWithParam<TuRow> {
 protected:
  void SetUp() override {
    source = testing::shared_folder() / "datasets" / GetParam().name;
    if (!std::filesystem::is_directory(source)) GTEST_SKIP() << source << " is not there";
  }
  std::filesystem::path source;
  ThreadPool pool{2};
};

/// The node labels back from the one-hots, which stand in the first columns.
Numbers node_labels(const Features& x, Index count) {
  Numbers out;
  for (Index r = 0; r < x.rows; ++r) {
    if (x.is_sparse) {
      out.push_back(x.sparse.col[x.sparse.row_start[r]]);
    } else {
      const auto begin = x.dense.begin() + r * x.cols;
      out.push_back(static_cast<std::int32_t>(std::find(begin, begin + count, 1.0f) - begin));
    }
  }
  return out;
}

TEST_P(PublishedTuTest, CountsMatchTheTable) {
  const TuRow& row = GetParam();
  const Dataset data = read_tu(FileTree(source), row.name, pool);
  EXPECT_EQ(data.class_names, row.class_names);
  for (std::size_t c = 0; c < row.per_class.size(); ++c) {
    EXPECT_EQ(std::count(data.label.begin(), data.label.end(), c), row.per_class[c]);
  }
  EXPECT_EQ(data.items(), row.per_class[0] + row.per_class[1]);
  EXPECT_EQ(data.graph_start.size(), data.label.size() + 1);
  EXPECT_EQ(data.graph_start.back(), row.nodes);
  EXPECT_EQ(data.graph.nodes, row.nodes);
  EXPECT_EQ(data.features.rows, row.nodes);
  EXPECT_EQ(data.features.cols, row.node_labels + row.attributes);
  EXPECT_EQ(data.features.is_sparse, 10 < row.node_labels);
  EXPECT_EQ(data.node_kind, node_labels(data.features, row.node_labels));
  const Csr a = adjacency(data.graph);
  EXPECT_EQ(a.nonzeros(), 2 * row.edges);
  EXPECT_NEAR(edge_homophily(a, data.node_kind), row.homophily, 5.1e-5);
}

TEST_P(PublishedTuTest, EdgeLabelsAreTypesWhereTheyArePublished) {
  const FileTree files(source);
  const std::string name = GetParam().name;
  const Graph graph = read_tu(files, name, pool).graph;
  std::vector<std::int64_t> rows(static_cast<std::size_t>(graph.types()), 0);
  for (const auto type : graph.type) ++rows[static_cast<std::size_t>(type)];
  const std::map<std::string, std::vector<std::int64_t>> published{{"MUTAG", {4708, 2008, 724, 2}},
                                                                   {"Mutagenicity", {221000, 45674, 220}}};
  const auto expected = published.find(name);
  EXPECT_EQ(rows, expected == published.end() ? std::vector<std::int64_t>{} : expected->second);
}

TEST_P(PublishedTuTest, SplitsAreThoseOfTheFolds) {
  const TuRow& row = GetParam();
  const FileTree files(source);
  const Dataset data = read_tu(files, row.name, pool);
  Numbers fold_of;
  std::istringstream text(files.read_required(std::string(row.name) + "_folds10.txt").bytes);
  for (std::int32_t fold = 0; text >> fold;) fold_of.push_back(fold);
  EXPECT_EQ(std::count(fold_of.begin(), fold_of.end(), -1), row.in_no_fold);
  const auto& splits = data.splits.at("public");
  ASSERT_EQ(splits.size(), 10u);
  for (int k = 0; k < 10; ++k) {
    const Split& split = splits[k];
    EXPECT_EQ(split.train.size() + split.val.size() + split.test.size(), data.label.size());
    for (const auto g : split.test) EXPECT_EQ(fold_of[g], k);
    for (const auto g : split.val) EXPECT_EQ(fold_of[g], (k + 1) % 10);
    for (const auto g : split.train) EXPECT_TRUE(fold_of[g] != k && fold_of[g] != (k + 1) % 10);
  }
  EXPECT_EQ(data.splits.count("errica"), row.has_errica ? 1u : 0u);
  if (!row.has_errica) return;
  EXPECT_EQ(data.splits.at("errica").size(), 10u);
}

TEST_P(PublishedTuTest, FoldsAreFoundWithoutTheirFile) {
  const TuRow& row = GetParam();
  TemporaryFolder copy;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(source)) {
    const auto target = copy / entry.path().lexically_relative(source).string();
    if (entry.is_directory()) std::filesystem::create_directories(target);
    if (!entry.is_regular_file() || entry.path().string().ends_with("_folds10.txt")) continue;
    std::filesystem::create_symlink(entry.path(), target);
  }
  const Dataset with = read_tu(FileTree(source), row.name, pool);
  const FileTree files(copy.path());
  EXPECT_EQ(files.find("10fold_idx/test_idx-1.txt").has_value(), !row.folds_are_made);
  const Dataset without = read_tu(files, row.name, pool);
  for (std::size_t k = 0; k < 10; ++k) {
    EXPECT_EQ(with.splits.at("public")[k].test, without.splits.at("public")[k].test) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(All, PublishedTuTest, ::testing::ValuesIn(tu_table),
                         [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace gdkm
