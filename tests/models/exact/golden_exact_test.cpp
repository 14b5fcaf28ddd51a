#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/models/exact/full_rank_objective.hpp"
#include "gdkm/models/exact/gp_regression.hpp"
#include "gdkm/models/exact/linear_closed_form.hpp"
#include "gdkm/models/exact/wide_network_kernels.hpp"
#include "tests/golden.hpp"
#include "tests/models/exact/algorithm1_exact.hpp"

namespace gdkm {
namespace {

using testing::algorithm1_exact;
using testing::Golden;
using testing::GramBlocks;

Dense matrix(Golden& golden, const std::string& name) {
  const auto shape = golden.shape(name);
  return {shape[0], shape[1], golden.array(name)};
}

/// Largest difference relative to the largest entry (or 1, if that is smaller).
double distance(const std::vector<double>& got, const std::vector<double>& want) {
  if (got.size() != want.size()) return INFINITY;
  double off = 0, size = 1;
  for (std::size_t k = 0; k < got.size(); ++k) {
    off = std::max(off, std::fabs(got[k] - want[k]));
    size = std::max(size, std::fabs(want[k]));
  }
  return off / size;
}

TEST(GoldenExact, NngpKernelAndRegression) {
  Golden golden("nngp_exact");
  const Csr mixing = normalised_adjacency(golden.adjacency(), 0);
  EXPECT_LT(distance(gcn_kernel(mixing, golden.features(), 1).value, golden.array("K_1")), 1e-9);
  const Dense k = gcn_kernel(mixing, golden.features(), 2);
  EXPECT_LT(distance(k.value, golden.array("K_2")), 1e-9);

  const auto train = golden.integers("train");
  const auto at = select_nodes(kernel_blocks(k, train), golden.integers("test"));
  const Posterior got = posterior(at, one_hot(golden.integers("y"), train, 3), golden.number("nugget"));
  EXPECT_LT(distance(got.mean.value, golden.array("mean")), 1e-9);
  EXPECT_LT(distance(got.variance, golden.array("variance")), 1e-9);
}

TEST(GoldenExact, KernelsOfRelations) {
  Golden golden("relations_exact");
  for (const std::string key : {"gcn", "self_sym+und_sym", "in_sym+out_sym", "self_sym+in_row+out_row",
                                "self_sym+und_sym+hop2_sym", "self_sym+und_sum"}) {
    std::string list = key;
    for (char& c : list) c = c == '+' ? ',' : c == '_' ? ':' : c;
    const Relations relations = make_relations(golden.directed_graph(), parse_relations(list), 0);
    const Dense w = matrix(golden, "w_" + key);
    std::vector<std::vector<double>> weights;
    for (Index layer = 0; layer < w.rows; ++layer) {
      weights.emplace_back(w.row(layer), w.row(layer) + w.cols);
      const int layers = static_cast<int>(layer) + 1;
      EXPECT_LT(distance(relation_kernel(relations, weights, golden.features(), layers).value,
                         golden.array("K_" + std::to_string(layers) + "_" + key)),
                1e-9)
          << key << ", " << layers << " layers";
    }
    EXPECT_EQ(w.rows, 3) << key;
  }
}

class GoldenFullRank : public ::testing::TestWithParam<std::pair<const char*, KernelKind>> {};

TEST_P(GoldenFullRank, ObjectiveAndGradients) {
  const auto [name, kind] = GetParam();
  Golden golden(name);
  FullRankModel model;
  model.mixing = normalised_adjacency(golden.adjacency(), golden.number("lam"));
  model.input = matrix(golden, "G_0");
  model.nu = {golden.number("nu"), golden.number("nu")};
  model.kernel = kind;
  model.jitter = golden.number("jitter");
  const Dense targets = matrix(golden, "Y");
  std::vector<std::int32_t> all(static_cast<std::size_t>(targets.rows));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<std::int32_t>(k);
  GaussianTop top(all, targets, golden.number("sigma2"));
  std::vector<Dense> gradient;
  const auto got = full_rank_objective(model, {matrix(golden, "G_1"), matrix(golden, "G_2")}, top, &gradient);
  EXPECT_LT(distance(got.kl, golden.array("kl")), 1e-9);
  EXPECT_NEAR(got.log_likelihood, golden.number("log_lik"), 1e-9 * std::fabs(golden.number("log_lik")));
  EXPECT_NEAR(got.objective, golden.number("objective"), 1e-9 * std::fabs(golden.number("objective")));
  EXPECT_LT(distance(gradient[0].value, golden.array("grad_G_1")), 1e-7);
  EXPECT_LT(distance(gradient[1].value, golden.array("grad_G_2")), 1e-7);
}

INSTANTIATE_TEST_SUITE_P(Kernels, GoldenFullRank,
                         ::testing::Values(std::pair("full_rank_arccos", KernelKind::arccos),
                                           std::pair("full_rank_linear", KernelKind::linear),
                                           std::pair("full_rank_rbf", KernelKind::rbf)),
                         [](const auto& param_info) { return std::string(param_info.param.first); });

TEST(GoldenExact, LinearClosedForm) {
  Golden golden("linear_closed_form");
  const auto got = linear_closed_form(normalised_adjacency(golden.adjacency(), golden.number("lam")),
                                      matrix(golden, "G_0"), matrix(golden, "G_3"), 2);
  EXPECT_NEAR(got.objective, golden.number("objective"), 1e-9 * std::fabs(golden.number("objective")));
  EXPECT_LT(distance(got.grams[0].value, golden.array("G_1")), 1e-9);
  EXPECT_LT(distance(got.grams[1].value, golden.array("G_2")), 1e-9);
  EXPECT_EQ(got.jitter, 0);
}

/// The blocks of a matrix whose first m rows are those of inducing points.
void expect_blocks(const GramBlocks& got, Golden& golden, const std::string& name) {
  const Dense want = matrix(golden, name);
  const Index m = got.ii.rows, n = got.tt.rows;
  double off = 0;
  for (Index r = 0; r < m + n; ++r) {
    for (Index c = 0; c <= r; ++c) {
      const double value = r < m ? got.ii(r, c) : c < m ? got.ti(r - m, c) : got.tt(r - m, c - m);
      off = std::max(off, std::fabs(value - want(r, c)));
    }
  }
  EXPECT_LT(off, 1e-9) << name;
}

TEST(GoldenExact, Algorithm1) {
  Golden golden("algorithm1_exact");
  const auto got = algorithm1_exact(normalised_adjacency(golden.adjacency(), 0), golden.features(),
                                    matrix(golden, "X_i"), {matrix(golden, "L_1"), matrix(golden, "L_2")});
  ASSERT_EQ(got.grams.size(), 2u);
  expect_blocks(got.grams[0], golden, "G_1");
  expect_blocks(got.grams[1], golden, "G_2");
  expect_blocks(got.output, golden, "K_out");
}

}  // namespace
}  // namespace gdkm
