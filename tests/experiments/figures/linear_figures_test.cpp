#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "gdkm/data/generators/erdos_renyi.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/experiments/figures/er_lambda.hpp"
#include "gdkm/experiments/figures/linear_check.hpp"
#include "gdkm/experiments/kernel_picture.hpp"
#include "gdkm/linalg/dense_factors.hpp"
#include "gdkm/models/exact/gram_divergence.hpp"
#include "gdkm/support/error.hpp"
#include "tests/experiments/figures/heat_map_reader.hpp"

namespace gdkm {
namespace {

Dense dense(const Csr& a) {
  Dense out(a.rows, a.cols);
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) out(r, a.col[k]) = a.value[k];
  }
  return out;
}

/// Aᵖ of a positive definite A.
Dense power(const Dense& a, double p) {
  const SymmetricEigen eigen = symmetric_eigen(a);
  Dense scaled = eigen.vectors;
  for (Index r = 0; r < scaled.rows; ++r) {
    for (Index c = 0; c < scaled.cols; ++c) scaled(r, c) *= std::pow(eigen.values[r], p);
  }
  return multiply(eigen.vectors, scaled, Op::transpose);
}

Dense product(const std::vector<Dense>& factors) {
  Dense out = factors.at(0);
  for (std::size_t k = 1; k < factors.size(); ++k) out = multiply(out, factors[k]);
  return out;
}

Dense inverse(const Dense& a) {  // of a symmetric one
  const SymmetricEigen eigen = symmetric_eigen(a);
  Dense scaled = eigen.vectors;
  for (Index r = 0; r < scaled.rows; ++r) {
    for (Index c = 0; c < scaled.cols; ++c) scaled(r, c) /= eigen.values[r];
  }
  return multiply(eigen.vectors, scaled, Op::transpose);
}

double distance(const Dense& a, const Dense& b) {
  double difference = 0, size = 0;
  for (std::size_t k = 0; k < a.value.size(); ++k) {
    difference += (a.value[k] - b.value[k]) * (a.value[k] - b.value[k]);
    size += b.value[k] * b.value[k];
  }
  return std::sqrt(difference / size);
}

/// By the definition, with centred matrices.
double plain_cka(const Dense& a, const Dense& b) {
  Dense centre = identity(a.rows);
  for (double& value : centre.value) value -= 1 / static_cast<double>(a.rows);
  const Dense x = product({centre, a, centre}), y = product({centre, b, centre});
  return inner_product(x, y) / std::sqrt(inner_product(x, x) * inner_product(y, y));
}

TEST(ErLambdaFigure, KernelsAreThoseOfThePapersFormulas) {
  ErLambdaOptions options;
  options.nodes = options.features = 14;
  options.p = 0.2;
  options.lambda = {0.6, 1};
  options.seed = 5;
  const ErLambda got = er_lambda(options);

  ErdosRenyi generator;
  generator.nodes = generator.features = 14;
  generator.p = 0.2;
  generator.signal = 0;
  generator.splits.seed = 5;
  const Dataset graph = generator.generate();
  const auto nodes = sampled_nodes(graph.label, 14, 5);
  Dense x(14, 14), labels(14, 14);
  for (Index r = 0; r < 14; ++r) {
    for (Index c = 0; c < 14; ++c) {
      x(r, c) = static_cast<double>(graph.features.dense.at(static_cast<std::size_t>(nodes[r] * 14 + c))) /
                std::sqrt(14.0);
      labels(r, c) = graph.label[nodes[r]] == graph.label[nodes[c]] ? 1 : -1;
    }
  }
  Dense target = labels;
  add_to_diagonal(options.nugget, target);
  EXPECT_EQ(got.labels.value, labels.value);
  ASSERT_EQ(got.columns.size(), 2u);
  for (const auto& column : got.columns) {
    const Dense a =
        dense(normalised_adjacency(submatrix(adjacency(graph.graph), nodes, nodes), column.lambda));
    const Dense back = inverse(a), input = gram(x);
    // G_2 = A ((A⁻² G_3 A⁻²)(A G_0 A)⁻¹)^(2/3) (A G_0 A) A, where (P B⁻¹)ᵗ B = B^½ (B^-½ P B^-½)ᵗ B^½.
    const Dense b = product({a, input, a}), p = product({back, back, target, back, back});
    const Dense root = power(b, 0.5), half = power(b, -0.5);
    Dense inner = product({half, p, half});
    symmetrise(inner);
    const Dense expected = product({a, root, power(inner, 2.0 / 3), root, a});
    EXPECT_LT(distance(column.dkm, expected), 1e-5) << column.lambda;
    EXPECT_LT(distance(column.nngp, product({a, a, input, a, a})), 1e-12) << column.lambda;
    EXPECT_NEAR(column.dkm_cka, plain_cka(expected, labels), 1e-5);
    EXPECT_NEAR(column.nngp_cka, plain_cka(column.nngp, labels), 1e-12);
  }
}

TEST(ErLambdaFigure, TheDkmIsAlignedAndTheNngpIsNot) {
  const ErLambda kernels = er_lambda({});
  ASSERT_EQ(kernels.columns.size(), 4u);
  double before = 0;
  for (const auto& column : kernels.columns) {
    EXPECT_GT(column.dkm_cka, before) << "the larger lambda, the nearer the labels";
    EXPECT_LT(column.nngp_cka, 0.2);
    before = column.dkm_cka;
  }
  EXPECT_GT(before, 0.95);
  const Figure figure = er_lambda_figure(kernels);
  const auto& numbers = figure.numbers.at(0).table;
  ASSERT_EQ(numbers.rows(), 8u);
  EXPECT_EQ(numbers.columns[2].values[2].get<double>(), kernels.columns[1].dkm_cka);
  EXPECT_EQ(testing::heat_maps_in(figure.pictures.at(0).svg).size(), 9u) << "and the labels once";
}

LinearCheckOptions small_check() {
  LinearCheckOptions out;
  out.nodes = 24;
  out.steps = 2000;
  return out;
}

TEST(LinearCheckFigure, TrainedAndAnalyticGramMatricesDifferByLessThanOnePercent) {
  const Dataset graph = generate("csbm:n=120,classes=3,degree=4,features=60,signal=2");
  std::int64_t last = 0;
  ExperimentObserver observer;
  observer.progress = [&](std::int64_t done, const std::string&) { last = done; };
  const auto check = linear_check(graph, small_check(), observer);
  ASSERT_TRUE(check);
  EXPECT_EQ(last, 2000);
  EXPECT_LT(check->worst(), 0.01);
  for (std::size_t layer = 0; layer < 2; ++layer) {
    EXPECT_NEAR(check->distance[layer], distance(check->trained[layer], check->analytic[layer]), 1e-12);
    EXPECT_GT(distance(check->initial[layer], check->analytic[layer]), 0.2) << "training starts elsewhere";
  }

  // The loss is the sum of divergences along the chain, whoever computes it.
  const auto nodes = sampled_nodes(graph.label, 24, 0);
  const Csr mixing = normalised_adjacency(submatrix(adjacency(graph.graph), nodes, nodes), 0.5);
  const auto chain_loss = [&](const std::vector<Dense>& grams) {
    const std::vector<Dense> chain{check->input, grams[0], grams[1], check->target};
    double sum = 0;
    for (std::size_t k = 1; k < chain.size(); ++k) {
      Dense proposal = chain[k - 1];
      mix_both_sides(mixing, proposal);
      sum += GramDivergence(chain[k]).value(cholesky(proposal, 0, "M"));
    }
    return sum;
  };
  EXPECT_NEAR(check->analytic_loss, chain_loss(check->analytic), 1e-6 * check->analytic_loss);
  EXPECT_NEAR(check->loss.front(), chain_loss(check->initial), 1e-6 * check->loss.front());
  EXPECT_NEAR(check->loss.back(), check->analytic_loss, 1e-3 * check->analytic_loss);

  const Figure figure = linear_check_figure(*check);
  const auto& loss = figure.numbers.at(1).table;
  ASSERT_EQ(loss.rows(), 2001u);
  EXPECT_EQ(loss.columns[1].values[17].get<double>(), check->loss[17]);
  const auto maps = testing::heat_maps_in(figure.pictures.at(0).svg);
  ASSERT_EQ(maps.size(), 8u);
  const auto& table = figure.numbers.at(0).table;
  EXPECT_EQ(table.columns[0].values[24 * 7], "trained G2");
  const double cosine =
      check->trained[1](2, 5) / std::sqrt(check->trained[1](2, 2) * check->trained[1](5, 5));
  EXPECT_NEAR(table.columns[3 + 5].values[24 * 7 + 2].get<double>(), cosine, 1e-4);
  EXPECT_NEAR(2 * maps[7].part(24, 2, 5) - 1, cosine, 0.01);
}

TEST(LinearCheckFigure, StopsWhenInterrupted) {
  ExperimentObserver observer;
  observer.interrupted = [] { return true; };
  EXPECT_FALSE(linear_check(generate("csbm:n=60"), small_check(), observer));
}

TEST(LinearCheckFigure, ManyGraphsAreRefused) {
  Dataset graphs = generate("csbm:n=60");
  graphs.task = Task::graph;
  EXPECT_THROW(linear_check(graphs, small_check(), {}), InputError);
}

}  // namespace
}  // namespace gdkm
