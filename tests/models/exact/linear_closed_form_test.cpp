#include "gdkm/models/exact/linear_closed_form.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/linalg/dense_factors.hpp"
#include "gdkm/models/exact/full_rank_training.hpp"
#include "gdkm/models/exact/gp_regression.hpp"
#include "gdkm/models/exact/wide_network_kernels.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/cka.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

Dense random_matrix(Random& random, Index rows, Index cols) {
  Dense out(rows, cols);
  for (double& v : out.value) v = random.normal();
  return out;
}

/// Vᵀ diag(values) V.
Dense with_spectrum(const Dense& vectors, const std::vector<double>& values) {
  Dense scaled = vectors;
  for (Index r = 0; r < scaled.rows; ++r) {
    for (Index c = 0; c < scaled.cols; ++c) scaled(r, c) *= values[r];
  }
  Dense out = multiply(vectors, scaled, Op::transpose);
  symmetrise(out);
  return out;
}

Csr sparse(const Dense& a) {
  std::vector<Triplet> entries;
  for (std::int32_t r = 0; r < a.rows; ++r) {
    for (std::int32_t c = 0; c < a.cols; ++c) entries.push_back({r, c, a(r, c)});
  }
  return csr_from_triplets(a.rows, a.cols, entries);
}

double relative_distance(Dense a, const Dense& b) {
  add(1, a, -1, b);
  return std::sqrt(inner_product(a, a) / inner_product(b, b));
}

/// −Σ KL of a chain of Gram matrices, by its definition.
double chain_objective(const Csr& mixing, const std::vector<Dense>& chain) {
  double sum = 0;
  for (std::size_t k = 1; k < chain.size(); ++k) {
    Dense m = chain[k - 1];
    mix_both_sides(mixing, m);
    sum -= GramDivergence(chain[k]).value(cholesky(m, 0, "M"));
  }
  return sum;
}

TEST(LinearClosedForm, AnyDepthIsAMaximumOfTheObjectiveItReports) {
  Random random(Stream{3, Purpose::generator, 0});
  const Index n = 9;
  Dense adjacency = gram(random_matrix(random, n, n));
  const Csr mixing = sparse(adjacency);
  const Dense g_0 = gram(random_matrix(random, n, 2 * n)), g_p = gram(random_matrix(random, n, 2 * n));
  for (const int layers : {1, 2, 5}) {
    const auto solution = linear_closed_form(mixing, g_0, g_p, layers);
    std::vector<Dense> chain{g_0};
    chain.insert(chain.end(), solution.grams.begin(), solution.grams.end());
    chain.push_back(g_p);
    EXPECT_NEAR(chain_objective(mixing, chain), solution.objective, 1e-6 * std::fabs(solution.objective));
    for (std::size_t layer = 1; layer + 1 < chain.size(); ++layer) {
      for (const double step : {1e-3, -1e-3}) {
        auto moved = chain;
        for (double& v : moved[layer].value) v *= 1 + step;
        EXPECT_LT(chain_objective(mixing, moved), chain_objective(mixing, chain)) << layers << ' ' << layer;
      }
    }
  }
}

TEST(LinearClosedForm, SurvivesIllConditionedInputs) {
  // All matrices have the same eigenvectors, so that the answer is known: g_l = g_0^(1 - l/p) g_p^(l/p),
  // whatever the eigenvalues of Â. Those of Â^p R span a factor of 10^11 with two layers, 10^20 with five.
  Random random(Stream{4, Purpose::generator, 0});
  const Index n = 20;
  const Dense vectors = symmetric_eigen(gram(random_matrix(random, n, n))).vectors;
  for (const int layers : {2, 5}) {
    const double p = layers + 1;
    std::vector<double> of_mixing, of_input, of_output, of_first;
    double objective = 0;
    for (Index k = 0; k < n; ++k) {
      const double part = static_cast<double>(k) / static_cast<double>(n - 1);
      of_mixing.push_back(std::pow(10.0, -3 * part));
      of_input.push_back(std::pow(10.0, -4 * part));
      of_output.push_back(1 + part);
      of_first.push_back(std::pow(of_input[k], 1 - 1 / p) * std::pow(of_output[k], 1 / p));
      const double sigma = std::pow(of_mixing[k], p) * std::sqrt(of_input[k] / of_output[k]);
      objective -= 0.5 * (p * std::pow(sigma, -2 / p) + 2 * std::log(sigma) - p);
    }
    const auto got =
        linear_closed_form(sparse(with_spectrum(vectors, of_mixing)), with_spectrum(vectors, of_input),
                           with_spectrum(vectors, of_output), layers);
    EXPECT_GT(got.sweeps, 0);
    EXPECT_LT(relative_distance(got.grams[0], with_spectrum(vectors, of_first)), 1e-8);
    EXPECT_NEAR(symmetric_eigen(got.grams[0]).values.front(), of_first.back(), 1e-6 * of_first.back());
    EXPECT_NEAR(got.objective, objective, 1e-6 * std::fabs(objective));
  }
}

TEST(LinearClosedForm, SingularEndsAreNamed) {
  const Csr mixing = sparse(identity(3));
  Dense singular(3, 3);
  for (double& v : singular.value) v = 1;
  EXPECT_THROW(linear_closed_form(mixing, identity(3), singular, 2), NumericalError);
  EXPECT_GT(linear_closed_form(mixing, singular, identity(3), 2).jitter, 0);
  EXPECT_THROW(linear_closed_form(sparse(singular), identity(3), identity(3), 2), NumericalError);
}

TEST(LinearClosedFormSlow, AdamReachesItOnCora) {
  const auto file = testing::shared_folder() / "datasets" / "cora" / "cora.npz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  const Dataset cora = read_graph_npz(file);
  Random random(Stream{0, Purpose::generator, 0});
  std::vector<std::int32_t> nodes(static_cast<std::size_t>(cora.graph.nodes));
  for (std::size_t k = 0; k < nodes.size(); ++k) nodes[k] = static_cast<std::int32_t>(k);
  const std::size_t count = std::getenv("GDKM_LONG_TESTS") == nullptr ? 60 : 200;  // 200 take some minutes
  for (std::size_t k = 0; k < count; ++k) std::swap(nodes[k], nodes[k + random.below(nodes.size() - k)]);
  nodes.resize(count);
  std::sort(nodes.begin(), nodes.end());

  FullRankModel model;
  model.mixing = normalised_adjacency(submatrix(adjacency(cora.graph), nodes, nodes), 0.5);
  model.input = linear_kernel(normalise(select_rows(cora.features, nodes), Normalisation::l2));

  model.nu = {1, 1};
  model.kernel = KernelKind::linear;
  model.jitter = 0;
  Dense target = gram(one_hot(cora.label, nodes, cora.classes));
  add_to_diagonal(1e-2, target);
  const auto exact = linear_closed_form(model.mixing, model.input, target, 2);
  ASSERT_EQ(exact.jitter, 0);

  const blas::Threads alone(1);  // matrices this small gain nothing from more
  FullRankDkm dkm(model);
  FixedGramTop top(model.mixing, target);
  FullRankTraining training;
  training.steps = 10000;
  training.after_step = [](std::int64_t step, const FullRankValue& value) {
    if (step % 1000 == 0) std::printf("step %5d: %.6f\n", static_cast<int>(step), value.objective);
    return true;
  };
  const auto start = std::chrono::steady_clock::now();
  const double reached = train(dkm, top, training).objective;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("Adam: %.8f, closed form: %.8f, %.0f s\n", reached, exact.objective, seconds);
  EXPECT_NEAR(reached, exact.objective, 1e-6 * std::fabs(exact.objective));
  EXPECT_LE(reached, exact.objective + 1e-9 * std::fabs(exact.objective));
  std::vector<std::int32_t> rows(nodes.size());
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<std::int32_t>(k);
  for (int layer = 0; layer < 2; ++layer) {
    EXPECT_LT(relative_distance(dkm.gram(layer), exact.grams[layer]), 0.01);
    EXPECT_GT(cka(dkm.gram(layer).value, exact.grams[layer].value, static_cast<Index>(count), rows), 0.9999);
  }
}

}  // namespace
}  // namespace gdkm
