#include <gtest/gtest.h>

#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/models/network.hpp"
#include "tests/golden.hpp"

namespace gdkm {
namespace {

using testing::Golden;

/// Raw parameter of a lower-triangular matrix with positive diagonal.
std::vector<double> raw_of(std::vector<double> l, Index m) {
  for (Index j = 0; j < m; ++j) l[j * m + j] = std::log(l[j * m + j]);
  return l;
}

double norm(const std::vector<double>& a) {
  double sum = 0;
  for (const double v : a) sum += v * v;
  return std::sqrt(sum);
}

void expect_close(const std::vector<double>& got, const std::vector<double>& want, double tolerance,
                  const std::string& what) {
  ASSERT_EQ(got.size(), want.size()) << what;
  double largest = 0;
  for (const double v : want) largest = std::max(largest, std::fabs(v));
  for (std::size_t k = 0; k < got.size(); ++k) {
    ASSERT_NEAR(got[k], want[k], tolerance * std::max(1.0, largest)) << what << " entry " << k;
  }
}

template <class T>
std::vector<T> cast(const std::vector<double>& a) {
  return std::vector<T>(a.begin(), a.end());
}

/// The relations of a case; those without a list mix with Â_λ alone.
Relations relations_of(Golden& golden, ModelConfig& config) {
  if (!golden.has("relations"))
    return normalised_adjacency(golden.adjacency(), golden.has("lam") ? golden.number("lam") : 0.0);
  for (const std::string& name : golden.texts("relations")) {
    const auto one = parse_relations(name);
    config.relations.insert(config.relations.end(), one.begin(), one.end());
  }
  return make_relations(golden.directed_graph(), config.relations, 0);
}

/// A golden case laid out as a network with its parameters, in the precision T.
template <class T>
struct Case {
  explicit Case(const std::string& name, int threads = 2)
      : golden(name), backend(threads), parameters(backend) {
    const auto shape = golden.shape("X_i");
    config.inducing = shape[0];
    config.nu = {golden.number("nu")};
    config.layers = 2;
    if (name == "sparse_resid") {
      config.arch = Architecture::resid;
      config.layers = 3;
    } else if (name == "sparse_platonov") {
      config.arch = Architecture::platonov;
      config.layers = 1;
    }
    config.center = name == "sparse_center";
    config.scheme = name == "sparse_intra" ? Scheme::intra : Scheme::inter;
    config.learned_scale = false;
    config.jitter = 0;
    config.sampling = Sampling::weights;
    const auto eps_shape = golden.shape("eps");
    config.samples = eps_shape[0];
    classes = eps_shape[2];
    std::vector<std::int32_t> inducing_nodes;
    if (config.scheme == Scheme::intra) inducing_nodes = golden.integers("inducing_nodes");
    inputs = make_inputs<T>(backend, relations_of(golden, config), golden.features(), inducing_nodes,
                            config.mixes_inputs());
    if (golden.has("w")) {
      config.layers = static_cast<int>(golden.shape("w")[0]);
      config.inducing *= config.relation_count();
    }
    network.emplace(backend, inputs, parameters, config, classes, true);
    build(*network, config.arch);
    parameters.allocate();
    parameters.set("X_i", cast<T>(golden.array("X_i")));
    for (const std::string& layer : grams()) {
      parameters.set("gram" + layer + ".L",
                     cast<T>(raw_of(golden.array("L_" + layer), golden.shape("L_" + layer)[0])));
    }
    for (std::size_t layer = 0; golden.has("w") && layer < grams().size(); ++layer)
      parameters.set("mix" + grams()[layer] + ".w", cast<T>(log_weights(layer)));
    parameters.set("readout.mu", cast<T>(golden.array("mu")));
    parameters.set("readout.L_sigma", cast<T>(raw_of(golden.array("L_sigma"), config.inducing)));

    // eps is (sample, m, class); the readout wants (m, sample·class).
    const auto eps = golden.array("eps");
    std::vector<T> noise(eps.size());
    const Index samples = config.samples, m = config.inducing;
    for (Index s = 0; s < samples; ++s) {
      for (Index j = 0; j < m; ++j) {
        for (Index c = 0; c < classes; ++c) {
          noise[(j * samples + s) * classes + c] = static_cast<T>(eps[(s * m + j) * classes + c]);
        }
      }
    }
    const Matrix<T> noise_matrix(backend, m, samples * classes, noise);
    const auto train = golden.integers("train"), all = golden.integers("y");
    std::vector<std::int32_t> y;
    for (const auto r : train) y.push_back(all[r]);
    const Labels labels{Buffer<std::int32_t>(backend, train), Buffer<std::int32_t>(backend, y)};
    network->forward();
    network->backward(labels, Stream{}, T(1), noise_matrix);
  }

  /// The Gram layers, by number.
  std::vector<std::string> grams() const {
    std::vector<std::string> out;
    while (golden.has("L_" + std::to_string(out.size() + 1))) out.push_back(std::to_string(out.size() + 1));
    return out;
  }

  /// Those of a layer. They add up to 1, so that their softmax has them again.
  std::vector<double> log_weights(std::size_t layer) {
    const auto count = static_cast<std::size_t>(golden.shape("w")[1]);
    const auto w = golden.array("w");
    std::vector<double> out;
    for (std::size_t r = 0; r < count; ++r) out.push_back(std::log(w[layer * count + r]));
    return out;
  }
  /// The gradient of a softmax's input that the golden gradient of free weights gives.
  std::vector<double> golden_gradient_of_weights(std::size_t layer) {
    const auto w = log_weights(layer);
    const auto all = golden.array("grad_w");
    std::vector<double> out;
    double mean = 0;
    for (std::size_t r = 0; r < w.size(); ++r) mean += std::exp(w[r]) * all[layer * w.size() + r];
    for (std::size_t r = 0; r < w.size(); ++r)
      out.push_back(std::exp(w[r]) * (all[layer * w.size() + r] - mean));
    return out;
  }

  /// Gradient with respect to L itself rather than to the logarithm of its diagonal.
  std::vector<double> gradient_of_lower(const std::string& name, const std::string& golden_name) {
    const auto host = parameters.get_gradient(name);
    std::vector<double> g(host.begin(), host.end());
    const auto l = golden.array(golden_name);
    const Index m = golden.shape(golden_name)[0];
    for (Index j = 0; j < m; ++j) g[j * m + j] /= l[j * m + j];
    return g;
  }

  Golden golden;
  CpuBackend<T> backend;
  ModelConfig config;
  Index classes = 0;
  GraphInputs<T> inputs;
  Parameters<T> parameters;
  std::optional<Network<T>> network;
};

class GoldenNetwork : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenNetwork, ValuesAgreeInFloat64) {
  Case<double> c(GetParam());
  const Objective got = c.network->objective();
  EXPECT_NEAR(got.expected_log_likelihood, c.golden.number("expected_log_lik"), 1e-9);
  EXPECT_NEAR(got.kl_weights, c.golden.number("kl_W"), 1e-9);
  EXPECT_NEAR(got.elbo, c.golden.number("elbo"), 1e-9);
  expect_close(got.kl_gram, c.golden.array("kl_gram"), 1e-9, "kl_gram");
  const View<double> u = c.network->features().f_t();
  expect_close({u.data, u.data + u.size()}, c.golden.array("U"), 1e-9, "U");
}

class GoldenFirstLayer : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenFirstLayer, GramMatricesAgree) {
  Case<double> c(GetParam());
  DenseFeatures<double>& f = *c.network->gram_features().front();
  const Index m = f.inducing(), n = c.network->nodes();
  std::vector<double> g_ii(m * m), g_ti(n * m), g_t(n);
  c.backend.gemm(1, Op::none, f.f_i(), Op::transpose, f.f_i(), 0, View<double>(g_ii.data(), m, m));
  c.backend.gemm(1, Op::none, f.f_t(), Op::transpose, f.f_i(), 0, View<double>(g_ti.data(), n, m));
  for (Index r = 0; r < n; ++r) g_t[r] = f.s_t().data[r] * f.s_t().data[r];
  expect_close(g_ii, c.golden.array("G_ii_1"), 1e-9, "G_ii_1");
  expect_close(g_ti, c.golden.array("G_ti_1"), 1e-9, "G_ti_1");
  expect_close(g_t, c.golden.array("g_t_1"), 1e-9, "g_t_1");
}

TEST_P(GoldenNetwork, GradientsAgreeInFloat64) {
  Case<double> c(GetParam());
  expect_close(c.parameters.get_gradient("X_i"), c.golden.array("grad_X_i"), 1e-7, "X_i");
  expect_close(c.parameters.get_gradient("readout.mu"), c.golden.array("grad_mu"), 1e-7, "mu");
  expect_close(c.gradient_of_lower("readout.L_sigma", "L_sigma"), c.golden.array("grad_L_sigma"), 1e-7,
               "L_sigma");
  for (const std::string& layer : c.grams()) {
    const std::string name = "L_" + layer;
    expect_close(c.gradient_of_lower("gram" + layer + ".L", name), c.golden.array("grad_" + name), 1e-7,
                 name);
  }
}

class GoldenRelations : public ::testing::TestWithParam<std::string> {};

TEST_P(GoldenRelations, GradientsOfWeightsAgree) {
  Case<double> c(GetParam());
  for (std::size_t layer = 0; layer < c.grams().size(); ++layer) {
    const std::string name = "mix" + c.grams()[layer] + ".w";
    expect_close(c.parameters.get_gradient(name), c.golden_gradient_of_weights(layer), 1e-7, name);
  }
}

TEST_P(GoldenNetwork, Float32AgreesWithFloat64) {
  Case<double> exact(GetParam());
  Case<float> single(GetParam());
  const double elbo = exact.network->objective().elbo;
  EXPECT_NEAR(single.network->objective().elbo, elbo, 1e-3 * std::fabs(elbo));
  for (const auto& entry : exact.parameters.entries()) {
    auto difference = exact.parameters.get_gradient(entry.name);
    const double size = norm(difference);
    const auto other = single.parameters.get_gradient(entry.name);
    for (std::size_t k = 0; k < difference.size(); ++k) difference[k] -= other[k];
    EXPECT_LE(norm(difference), 1e-3 * size) << entry.name;
  }
}

TEST_P(GoldenNetwork, ThreadsDoNotChangeTheResult) {
  Case<double> one(GetParam(), 1), three(GetParam(), 3);
  EXPECT_NEAR(one.network->objective().elbo, three.network->objective().elbo, 1e-11);
  for (const auto& entry : one.parameters.entries()) {
    expect_close(three.parameters.get_gradient(entry.name), one.parameters.get_gradient(entry.name), 1e-10,
                 entry.name);
  }
}

INSTANTIATE_TEST_SUITE_P(Sparse, GoldenRelations,
                         ::testing::Values("sparse_relations_2", "sparse_relations_3"),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Sparse, GoldenFirstLayer, ::testing::Values("sparse_inter", "sparse_intra"),
                         [](const auto& info) { return info.param; });
INSTANTIATE_TEST_SUITE_P(Sparse, GoldenNetwork,
                         ::testing::Values("sparse_inter", "sparse_intra", "sparse_feature_space",
                                           "sparse_center", "sparse_resid", "sparse_platonov",
                                           "sparse_relations_2", "sparse_relations_3"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gdkm
