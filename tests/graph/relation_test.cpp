#include "gdkm/graph/relation.hpp"

#include <gtest/gtest.h>

#include "gdkm/support/error.hpp"
#include "tests/golden.hpp"

namespace gdkm {
namespace {

using testing::Golden;

std::vector<double> dense(const Csr& a) {
  std::vector<double> out(static_cast<std::size_t>(a.rows * a.cols), 0.0);
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) out[r * a.cols + a.col[k]] = a.value[k];
  }
  return out;
}

TEST(Relations, MatricesAreThoseOfTheGoldenCase) {
  Golden golden("relations_exact");
  const Graph graph = golden.directed_graph();
  for (const std::string name : {"self", "und", "in", "out", "hop2", "gcn"}) {
    for (const std::string scaling : {"sym", "row", "sum"}) {
      if (name == "gcn" && scaling != "sym") continue;
      const std::string array = name == "gcn" ? "P_gcn" : "P_" + name + "_" + scaling;
      const Relations got = make_relations(graph, parse_relations(name + ":" + scaling), 0);
      ASSERT_EQ(got.count(), 1);
      const auto want = golden.array(array), have = dense(got.first());
      ASSERT_EQ(have.size(), want.size());
      for (std::size_t k = 0; k < want.size(); ++k) ASSERT_NEAR(have[k], want[k], 1e-12) << array << " " << k;
    }
  }
}

/// 0 → 1 → 2 → 3, and 0 → 2 of another type; node 4 is by itself.
Graph small() {
  Graph out;
  out.nodes = 5;
  out.directed = true;
  out.edges = {{0, 1}, {1, 2}, {2, 3}, {0, 2}};
  out.type = {0, 0, 0, 1};
  out.type_names = {"path", "leap"};
  return out;
}

TEST(Relations, TypesMakeOneRelationEach) {
  const Relations got = make_relations(small(), parse_relations("self,types:sum"), 0);
  ASSERT_EQ(got.count(), 3);
  EXPECT_EQ(got.each[1].name, "type path");
  EXPECT_EQ(got.each[1].matrix.nonzeros(), 6);
  EXPECT_EQ(got.each[2].name, "type leap");
  EXPECT_EQ(got.each[2].matrix.nonzeros(), 2);
  EXPECT_EQ(count_relations(parse_relations("self,types:sum"), 2), 3);
}

TEST(Relations, SquareOfAHatAndGinHaveTheirOwnMatrices) {
  const Csr a_hat = make_relations(small(), parse_relations("gcn"), 0.2).first();
  EXPECT_EQ(dense(make_relations(small(), parse_relations("gcn2"), 0.2).first()),
            dense(multiply(a_hat, a_hat)));
  const Csr gin = make_relations(small(), parse_relations("gin"), 0).first();
  const auto d = dense(gin);
  EXPECT_EQ(d[0 * 5 + 0], 1);
  EXPECT_EQ(d[0 * 5 + 1], 1);
  EXPECT_EQ(d[0 * 5 + 3], 0);
  EXPECT_EQ(gin.nonzeros(), 8 + 5);
}

TEST(Relations, NeighbourhoodFollowsEveryRelation) {
  const Relations in = make_relations(small(), parse_relations("in"), 0);
  EXPECT_EQ(neighbourhood(in, {2}, 1), (std::vector<std::int32_t>{0, 1, 2}));
  const Relations both = make_relations(small(), parse_relations("in,out"), 0);
  EXPECT_EQ(neighbourhood(both, {2}, 1), (std::vector<std::int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(neighbourhood(both, {4}, 3), (std::vector<std::int32_t>{4}));
}

TEST(Relations, AreWrittenAsTheyAreRead) {
  for (const std::string text : {"gcn", "self,in,out:row", "und:sum,hop2", "poly:4", "self,types:row"})
    EXPECT_EQ(to_string(parse_relations(text)), text);
  EXPECT_EQ(to_string(parse_relations("self:row,in:sym")), "self,in");
}

TEST(Relations, WrongListsAreRefusedWithWhatToDo) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      parse_relations(text);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("selff").find("no relation 'selff'; use gcn, gcn2"), std::string::npos);
  EXPECT_NE(message("in:left").find("no scaling 'left'; use sym, row or sum"), std::string::npos);
  EXPECT_NE(message("gcn:row").find("no other scaling"), std::string::npos);
  EXPECT_NE(message("in,out,in").find("'in' comes twice"), std::string::npos);
  EXPECT_NE(message("poly").find("write poly:3"), std::string::npos);
  EXPECT_NE(message("poly:17").find("from 1 to 16"), std::string::npos);
  EXPECT_NE(message("self,poly:2").find("stands alone"), std::string::npos);
  EXPECT_NE(message("").find("empty"), std::string::npos);
}

TEST(Relations, OnesThatTheGraphLacksAreRefused) {
  Graph plain = small();
  plain.directed = false;
  plain.type.clear();
  plain.type_names.clear();
  EXPECT_THROW(make_relations(plain, parse_relations("in"), 0), OptionError);
  EXPECT_THROW(make_relations(plain, parse_relations("self,types"), 0), OptionError);
}

}  // namespace
}  // namespace gdkm
