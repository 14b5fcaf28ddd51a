#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "gdkm/data/generators/generators.hpp"
#include "gdkm/fitting/exact_learner.hpp"
#include "gdkm/fitting/prepared_data.hpp"
#include "gdkm/linalg/dense_factors.hpp"
#include "gdkm/support/error.hpp"

// Exact models whose matrices are on a device, compared with those whose matrices are on the host. The same
// bodies test the CPU's backend, as if it were a device, and CUDA's.

namespace gdkm::testing {

/// `change` departs from an exact NNGP with the GCN's kernel.
struct ExactCase {
  const char* name;
  const char* data;
  void (*change)(Settings&);
};

inline constexpr const char* exact_graph = "csbm:n=150,classes=3,homophily=0.8,features=40,degree=6";

inline const ExactCase exact_cases[] = {
    {"gcn", exact_graph, [](Settings&) {}},
    {"gcn_rbf", exact_graph, [](Settings& s) { s.config.kernel = KernelKind::rbf; }},
    {"gcn_linear", exact_graph, [](Settings& s) { s.config.kernel = KernelKind::linear; }},
    {"deep", exact_graph, [](Settings& s) { s.config.layers = 5; }},
    {"lambda", exact_graph, [](Settings& s) { s.config.lambda = 0.4; }},
    {"sage", exact_graph, [](Settings& s) { s.network = ExactNetwork::sage; }},
    {"gin", exact_graph, [](Settings& s) { s.network = ExactNetwork::gin; }},
    {"gcnii", exact_graph,
     [](Settings& s) {
       s.network = ExactNetwork::gcnii;
       s.config.layers = 3;
     }},
    {"mixhop", exact_graph, [](Settings& s) { s.network = ExactNetwork::mixhop; }},
    {"h2gcn", exact_graph, [](Settings& s) { s.network = ExactNetwork::h2gcn; }},
    {"gpr", exact_graph, [](Settings& s) { s.network = ExactNetwork::gpr; }},
    {"relations", exact_graph,
     [](Settings& s) { s.config.relations = parse_relations("self,und:row,hop2"); }},
    {"rbf", exact_graph, [](Settings& s) { s.network = ExactNetwork::rbf; }},
    {"linear_singular", "csbm:n=150,classes=3,homophily=0.8,features=7,degree=6",
     [](Settings& s) { s.network = ExactNetwork::linear; }},
    // More training nodes than have an eigendecomposition on the host.
    {"large", "csbm:n=1150,classes=3,homophily=0.8,features=40,degree=6", [](Settings&) {}},
    {"full_rank", exact_graph, [](Settings& s) { s.model = ModelKind::dkm; }},
    {"full_rank_of_a_fixed_layer", exact_graph,
     [](Settings& s) {
       s.model = ModelKind::dkm;
       s.config.layers = 3;
       s.config.nu = {0.5, INFINITY, 2};
     }},
    {"full_rank_rbf", exact_graph,
     [](Settings& s) {
       s.model = ModelKind::dkm;
       s.config.kernel = KernelKind::rbf;
     }},
    // More nodes than a block of the factorisation.
    {"full_rank_large", "csbm:n=600,classes=3,homophily=0.8,features=40,degree=6",
     [](Settings& s) {
       s.model = ModelKind::dkm;
       s.training.epochs = 2;
     }},
};

inline Settings exact_settings(const ExactCase& one) {
  Settings out;
  out.model = ModelKind::nngp;
  out.exact = true;
  out.config.nu = {1};
  out.training.epochs = 8;
  out.device.threads = 1;
  one.change(out);
  return out;
}

inline std::unique_ptr<ExactLearner> exact_learner(Backend<double>* device, const PreparedData& data,
                                                   const Split& split) {
  return std::visit(
      [&]<class Config>(const Config& config) -> std::unique_ptr<ExactLearner> {
        if constexpr (std::is_same_v<Config, ExactNngpConfig> || std::is_same_v<Config, FullRankConfig>)
          return make_exact_learner(device, config, data.settings.training, data, split);
        throw std::logic_error("expected an exact model");
      },
      model_choice(data.settings));
}

inline void expect_near(const std::vector<double>& got, const std::vector<double>& want, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  double largest = 0, off = 0;
  for (std::size_t k = 0; k < want.size(); ++k) {
    ASSERT_TRUE(std::isfinite(got[k])) << what << ", " << k;
    largest = std::max(largest, std::fabs(want[k]));
    off = std::max(off, std::fabs(got[k] - want[k]));
  }
  EXPECT_LE(off, tolerance * largest) << what;
}

/// Every step has the same loss, and predictions and kernels are equal, with and without validation nodes.
inline void expect_same_model(Backend<double>& device, const ExactCase& one, bool with_validation) {
  const PreparedData data = prepare(generate(one.data), exact_settings(one));
  Split split = data.dataset.splits.at("public").front();
  if (!with_validation) split.val.clear();
  const auto here = exact_learner(nullptr, data, split), there = exact_learner(&device, data, split);
  while (!here->finished()) {
    ASSERT_FALSE(there->finished());
    const double loss = here->step();
    EXPECT_NEAR(there->step(), loss, 1e-9 * std::max(1.0, std::fabs(loss))) << one.name;
  }
  EXPECT_TRUE(there->finished());
  expect_near(there->predict(), here->predict(), 1e-9, std::string(one.name) + ", predictions");
  expect_near(there->kernel().value, here->kernel().value, 1e-9, std::string(one.name) + ", kernel");
  EXPECT_EQ(there->jitter(), here->jitter()) << one.name;
}

/// A training goes on elsewhere from where it was saved.
inline void expect_same_after_restoring(Backend<double>& device) {
  const ExactCase one{"restored", exact_graph, [](Settings& s) { s.model = ModelKind::dkm; }};
  const PreparedData data = prepare(generate(one.data), exact_settings(one));
  const Split split = data.dataset.splits.at("public").front();
  const auto whole = exact_learner(nullptr, data, split), first = exact_learner(&device, data, split),
             second = exact_learner(&device, data, split);
  for (int k = 0; k < 4; ++k) first->step();
  second->restore_state(first->save_state(), "checkpoint");
  while (!whole->finished()) whole->step();
  while (!second->finished()) second->step();
  expect_near(second->predict(), whole->predict(), 1e-9, "restored");
}

/// K = F Fᵀ of n rows and n/2 columns is singular; so is 0.
inline void expect_jitter_as_on_the_host(Backend<double>& device) {
  for (const Index n : {40, 700}) {
    Dense f(n, n / 2);
    for (Index r = 0; r < n; ++r) {
      for (Index c = 0; c < f.cols; ++c) f(r, c) = std::sin(static_cast<double>(1 + r * 7 + c * c));
    }
    const Dense k = gram(f), there(n, n, &device);
    const Cholesky host = cholesky(k, 1e-8, "K"), got = cholesky(beside(there, k), 1e-8, "K");
    EXPECT_NEAR(got.jitter, host.jitter, 1e-12 * host.jitter) << n;
    expect_near(to_host(got.factor).value, host.factor.value, 1e-6, "factor");
    const Cholesky raised = cholesky(beside(there, k), 0, "K");
    EXPECT_GT(raised.jitter, 0) << n;
    Dense again = gram(to_host(raised.factor));
    add_to_diagonal(-raised.jitter, again);
    expect_near(again.value, k.value, 1e-11, "H Hᵀ");
    EXPECT_GT(cholesky(there, 0, "K").jitter, 0);

    Dense negative = k, broken = k;
    add_to_diagonal(-1e9, negative);
    EXPECT_THROW(cholesky(beside(there, negative), 0, "K"), NumericalError) << n;
    broken(n - 1, 3) = NAN;
    EXPECT_THROW(cholesky(beside(there, broken), 0, "K"), NumericalError) << n;
  }
}

/// Sizes on both sides of a block: products with triangles, inverses, submatrices and their like.
inline void expect_same_algebra(Backend<double>& device) {
  for (const Index n : {1, 7, 130, 1100}) {
    Dense a(n, n), b(n, 5);
    for (Index r = 0; r < n; ++r) {
      for (Index c = 0; c < n; ++c) a(r, c) = std::cos(static_cast<double>(3 * r * r + 5 * c));
      for (Index c = 0; c < 5; ++c) b(r, c) = std::cos(static_cast<double>(r + 2 * c));
    }
    const std::string what = std::to_string(n);
    const Dense on_device(0, 0, &device);
    const auto there = [&](const Dense& m) { return beside(on_device, m); };
    const auto expect = [&](const Dense& got, const Dense& want, const char* name) {
      ASSERT_EQ(got.device(), &device) << name;
      expect_near(to_host(got).value, want.value, 1e-11, what + " " + name);
    };
    Dense l = a;
    keep_lower(l);
    for (const Op op : {Op::none, Op::transpose}) {
      expect(lower_times(op, there(l), there(b)), lower_times(op, l, b), "op(L) B");
      expect(times_lower(there(transpose(b)), op, there(l)), times_lower(transpose(b), op, l), "B op(L)");
      expect(multiply(there(a), there(b), op), multiply(a, b, op), "op(A) B");
    }
    expect(gram(there(b)), gram(b), "B B'");
    Dense spd = gram(a);
    add_to_diagonal(static_cast<double>(n), spd);
    const Cholesky here = cholesky(spd, 0, "K"), far = cholesky(there(spd), 0, "K");
    expect(far.factor, here.factor, "H");
    expect(far.inverse(), here.inverse(), "inverse");
    expect(far.solve(there(b)), here.solve(b), "solution");
    EXPECT_NEAR(far.log_det(), here.log_det(), 1e-10 * std::fabs(here.log_det()));
    std::vector<std::int32_t> nodes;
    for (Index r = n - 1; r >= 0; r -= 3) nodes.push_back(static_cast<std::int32_t>(r));
    const std::vector<std::int32_t> few(nodes.begin(),
                                        nodes.begin() + (static_cast<Index>(nodes.size()) + 1) / 2);
    expect(submatrix(there(a), nodes, few), submatrix(a, nodes, few), "submatrix");
    const Dense some = submatrix(spd, nodes, nodes);
    expect(spread(there(some), nodes, n), spread(some, nodes, n), "spread");
    expect_near(column_squares(there(a)), column_squares(a), 1e-12, what + " column squares");
    expect_near(diagonal(there(a)), diagonal(a), 0, what + " diagonal");
    const auto changed = [&](const char* name, const auto& change) {
      Dense moved = there(spd), stayed = spd;
      change(moved);
      change(stayed);
      expect(moved, stayed, name);
    };
    const std::vector<double> x = diagonal(a), y = diagonal(spd);
    changed("scale", [](Dense& k) { scale(-3, k); });
    changed("add to all", [](Dense& k) { add_to_all(0.7, k); });
    changed("add to the diagonal", [](Dense& k) { add_to_diagonal(0.7, k); });
    changed("outer product", [&](Dense& k) { add_outer(0.3, x, y, k); });
    changed("mirror", [](Dense& k) { mirror_lower(k); });
    Dense copy = there(a);
    const Dense kept = copy;
    scale(0, copy);
    expect(kept, a, "copies are apart");
  }
}

}  // namespace gdkm::testing
