#include "gdkm/training/natural_inference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/dense_factors.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/predictor.hpp"
#include "gdkm/training/trainer.hpp"
#include "tests/training/readout_optimum.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

struct Trained {
  CpuBackend<double> backend{2};
  std::unique_ptr<Dkm<double>> model;
  std::unique_ptr<Trainer<double>> trainer;

  Trained(const Problem& problem, const Split& split, const ModelConfig& config, const TrainOptions& options)
      : model(make_model(backend, config, problem)) {
    trainer = std::make_unique<Trainer<double>>(*model, problem, split, options);
    while (!trainer->finished()) trainer->step();
  }
  Dense parameter(const std::string& name) {
    const Parameters<double>& all = model->parameters();
    const View<double> view = all.value(all.find(name));
    Dense out(view.rows, view.cols);
    out.value = all.get(name);
    return out;
  }
};

/// σU of some nodes.
Dense scaled_features(Trained& trained, const Problem& problem, const std::vector<std::int32_t>& nodes) {
  const NodeFeatures all = features(*trained.model, problem);
  const double scale = std::exp(0.5 * trained.parameter("readout.log_scale").value[0]);
  Dense out(static_cast<Index>(nodes.size()), all.width);
  for (Index r = 0; r < out.rows; ++r) {
    for (Index c = 0; c < out.cols; ++c)
      out(r, c) =
          scale * all.values[static_cast<std::size_t>(nodes[static_cast<std::size_t>(r)] * all.width + c)];
  }
  return out;
}

Dense lower_of(const Dense& raw) {
  Dense out(raw.rows, raw.cols);
  for (Index r = 0; r < raw.rows; ++r) {
    for (Index c = 0; c <= r; ++c) out(r, c) = r == c ? std::exp(raw(r, c)) : raw(r, c);
  }
  return out;
}

/// How far q(W) is from the optimum given the rest, in shares of the ELBO: what updates with exact
/// expectations, which do not use the program's, still gain.
double distance_from_optimum(Trained& trained, const Problem& problem,
                             const std::vector<std::int32_t>& train) {
  const Dense u = scaled_features(trained, problem, train);
  std::vector<std::int32_t> label;
  for (const auto node : train) label.push_back(problem.label[static_cast<std::size_t>(node)]);
  const testing::ReadoutPosterior q{trained.parameter("readout.mu"),
                                    lower_of(trained.parameter("readout.L_sigma"))};
  const double elbo = testing::elbo_of_readout(q, u, label);
  const double best = testing::elbo_of_readout(testing::improved(q, u, label, 5), u, label);
  return (best - elbo) / std::abs(best);
}

/// With everything as it is by default, falling rates included: σ² grows to e^7.5 here, where draws would
/// leave q(W) 3 % away at ν = 1.
TEST(NaturalInference, ADefaultRunEndsWithTheReadoutAtItsOptimum) {
  const Dataset data = testing::small_dataset("signal=2");
  const Problem problem = prepare(data, Preprocessing{}, 0);
  const Split& split = data.splits.at("public")[0];
  for (const double nu : {1.0, static_cast<double>(INFINITY)}) {
    ModelConfig config;
    config.inducing = 15;
    config.nu = {nu};
    Trained trained(problem, split, config, TrainOptions{});
    EXPECT_GT(trained.parameter("readout.log_scale").value[0], 5) << "too easy: nu " << nu;
    EXPECT_LT(distance_from_optimum(trained, problem, split.train), 5e-4) << "nu " << nu;
  }
}

/// The same where nodes are cut into batches, whose layers exist only while they are visited.
TEST(NaturalInference, ARunInBatchesEndsWithTheReadoutAtItsOptimum) {
  const Dataset data = testing::small_dataset("signal=2");
  Problem problem = prepare(data, Preprocessing{}, 0);
  const Split& split = data.splits.at("public")[0];
  // Without edges a batch sees what the whole sees.
  problem.relations = csr_from_triplets(150, 150, [] {
    std::vector<Triplet> loops;
    for (std::int32_t i = 0; i < 150; ++i) loops.push_back({i, i, 1.0});
    return loops;
  }());
  ModelConfig config;
  config.inducing = 15;
  TrainOptions options;
  options.batches.batches = 3;
  Trained trained(problem, split, config, options);
  EXPECT_EQ(trained.trainer->batches(), 3u);
  EXPECT_LT(distance_from_optimum(trained, problem, split.train), 1e-3);
}

/// Fitted items have next to no curvature. Steps that believed it ended at losses of thousands of nats here.
TEST(NaturalInference, TheLossStaysLowWhereClassesAreEasilyToldApart) {
  const Dataset data = generate("csbm:n=300,classes=3,signal=8");
  const Problem problem = prepare(data, Preprocessing{}, 0);
  for (const double nu : {0.01, 1.0, static_cast<double>(INFINITY)}) {
    ModelConfig config;
    config.inducing = 30;
    config.nu = {nu};
    const Trained trained(problem, data.splits.at("public")[0], config, TrainOptions{});
    const std::vector<double>& loss = trained.trainer->history().loss;
    EXPECT_LT(*std::max_element(loss.begin(), loss.end()), loss.front() + 0.1) << "nu " << nu;
    EXPECT_LT(loss.back(), loss.front()) << "nu " << nu;
  }
}

TEST(NaturalInference, RegressionEndsAtTheClosedFormOfBayesianLinearRegression) {
  Dataset data = testing::small_dataset();
  for (std::size_t i = 0; i < data.label.size(); ++i)
    data.target.push_back(static_cast<float>(data.label[i]) + 0.1f * static_cast<float>(i % 7));
  data.targets = 1;
  data.label.assign(data.label.size(), -1);
  const Problem problem = prepare(data, Preprocessing{}, 0);
  const Split& split = data.splits.at("public")[0];
  ModelConfig config;
  config.inducing = 12;
  TrainOptions options;
  options.epochs = 25;
  Trained trained(problem, split, config, options);
  const Dense u = scaled_features(trained, problem, split.train), mu = trained.parameter("readout.mu");
  const double noise = std::exp(trained.parameter("readout.log_noise").value[0]),
               bias = trained.parameter("readout.bias").value[0],
               shift = trained.parameter("readout.target_mean").value[0],
               scale = trained.parameter("readout.target_scale").value[0];
  Dense target(u.rows, 1);
  for (Index t = 0; t < u.rows; ++t)
    target(t, 0) = (static_cast<double>(
                        problem.target[static_cast<std::size_t>(split.train[static_cast<std::size_t>(t)])]) -
                    shift) /
                       scale -
                   bias;
  // (UᵀU + noise I) μ = Uᵀ y
  Dense left = multiply(u, u, Op::transpose, Op::none);
  for (Index j = 0; j < u.cols; ++j) left(j, j) += noise;
  const Dense lhs = multiply(left, mu), rhs = multiply(u, target, Op::transpose, Op::none);
  for (std::size_t k = 0; k < rhs.value.size(); ++k) EXPECT_NEAR(lhs.value[k], rhs.value[k], 1e-5);
}

/// With q(W) fixed, gradients are those of the ELBO. The derivative by the deviation is that of the
/// expectation, not of the draws, so there are many of these.
void expect_gradients_of_finite_differences(const std::vector<WeightRun>& weights) {
  const Dataset data = testing::small_dataset("signal=2");
  const Problem problem = prepare(data, Preprocessing{}, 0);
  CpuBackend<double> backend(2);
  ModelConfig config;
  config.inducing = 8;
  config.nu = {INFINITY};
  config.samples = 4000;
  config.bias = true;
  const auto model = make_model(backend, config, problem);
  std::vector<std::int32_t> items, label;
  for (std::int32_t i = 0; i < 40; ++i) {
    items.push_back(i);
    label.push_back(problem.label[static_cast<std::size_t>(i)]);
  }
  const Labels labels{Buffer<std::int32_t>(backend, items), Buffer<std::int32_t>(backend, label), weights};
  const auto inputs = make_inputs<double>(backend, problem.relations, problem.features, {}, true);
  model->declare_parameters();
  model->initialise(choose_inducing_points(problem.relations, problem.features, config, Init::kmeans, 0));
  NaturalInference<double> natural(*model);
  const int batch = natural.declare(static_cast<Index>(items.size()));
  Sites<double> sites = natural.sites(batch);
  const auto network = model->network(inputs, true);
  const Stream stream{3, Purpose::sampling, 0};
  network->forward();
  network->start_sites(labels, sites);
  for (int round = 0; round < 5; ++round) {
    network->solve(labels, sites, natural.posterior());
    network->update(labels, stream, 50, 1, sites);
  }
  network->solve(labels, sites, natural.posterior());
  network->backward(labels, stream, 1.0, 1.0, sites);
  Parameters<double>& parameters = model->parameters();
  for (const std::string name : {"X_i", "readout.log_scale", "readout.bias"}) {
    const auto gradient = parameters.get_gradient(name);
    double largest = 0;
    for (const double g : gradient) largest = std::max(largest, std::abs(g));
    for (std::size_t k = 0; k < gradient.size(); k += std::max<std::size_t>(1, gradient.size() / 12)) {
      const auto at = [&](double moved) {
        auto values = parameters.get(name);
        const double old = values[k];
        values[k] += moved;
        parameters.set(name, values);
        network->forward();
        network->update(labels, stream, config.samples, 0, sites);
        values[k] = old;
        parameters.set(name, values);
        return network->objective().elbo;
      };
      const double step = 1e-5, difference = (at(step) - at(-step)) / (2 * step);
      EXPECT_NEAR(gradient[k], difference, 0.02 * largest) << name << " " << k;
    }
  }
}

TEST(NaturalInference, GradientsAgreeWithFiniteDifferences) {
  expect_gradients_of_finite_differences({});
}
TEST(NaturalInference, GradientsAgreeWithFiniteDifferencesWhereItemsHaveWeights) {
  expect_gradients_of_finite_differences({{15, 0.4}, {25, 1.8}});
}

/// Twice the likelihood and twice the KL divergence of the weights have the same optimum.
TEST(NaturalInference, AWeightOfAllClassesIsATemperatureOfThePrior) {
  const Dataset data = testing::small_dataset("signal=2");
  const Problem problem = prepare(data, Preprocessing{}, 0);
  const Split& split = data.splits.at("public")[0];
  std::vector<Dense> mu, sigma;
  for (const double weight : {1.0, 2.0}) {
    ModelConfig config;
    config.inducing = 12;
    config.nu = {INFINITY};
    config.temper = weight;
    config.learned_scale = false;
    TrainOptions options;
    options.epochs = 1;
    options.fixed_inducing = true;
    options.select = Select::elbo;
    if (weight != 1) options.class_weights = {false, {weight, weight, weight}};
    Trained trained(problem, split, config, options);
    mu.push_back(trained.parameter("readout.mu"));
    sigma.push_back(lower_of(trained.parameter("readout.L_sigma")));
  }
  for (std::size_t k = 0; k < mu[0].value.size(); ++k) EXPECT_NEAR(mu[1].value[k], mu[0].value[k], 1e-8) << k;
  for (std::size_t k = 0; k < sigma[0].value.size(); ++k)
    EXPECT_NEAR(sigma[1].value[k], sigma[0].value[k], 1e-8) << k;
}

/// Sums over batches make q(W), however the graphs are cut.
TEST(NaturalInference, BatchesOfGraphsGiveTheSameReadoutAsOne) {
  const Dataset data = generate("csbm:n=240,classes=2,homophily=0.9,features=20,degree=3");
  Problem problem = prepare(data, Preprocessing{}, 0);
  Split split;
  problem.task = Task::graph;  // forty graphs of six nodes; edges between them are cut
  problem.label.clear();
  for (std::int32_t g = 0; g < 40; ++g) {
    problem.graph_start.push_back(6 * g);
    problem.label.push_back(data.label[static_cast<std::size_t>(6 * g)]);
    split.train.push_back(g);
  }
  problem.graph_start.push_back(240);
  std::vector<Triplet> inside;
  for (Index r = 0; r < problem.relations.each[0].matrix.rows; ++r) {
    for (Index k = problem.relations.each[0].matrix.row_start[r];
         k < problem.relations.each[0].matrix.row_start[r + 1]; ++k) {
      if (problem.relations.each[0].matrix.col[k] / 6 == r / 6)
        inside.push_back({static_cast<std::int32_t>(r), problem.relations.each[0].matrix.col[k],
                          problem.relations.each[0].matrix.value[k]});
    }
  }
  problem.relations = csr_from_triplets(240, 240, inside);
  ModelConfig config;
  config.inducing = 10;
  TrainOptions options;
  options.epochs = 1;
  options.rate = 1e-9;
  std::vector<Dense> mu;
  for (const Index graphs : {40, 7}) {
    options.batches.graphs = graphs;
    Trained trained(problem, split, config, options);
    EXPECT_EQ(trained.trainer->batches(), graphs == 40 ? 1u : 6u);
    mu.push_back(trained.parameter("readout.mu"));
  }
  double largest = 0;
  for (const double x : mu[0].value) largest = std::max(largest, std::abs(x));
  // The draws differ, so the optima differ by their error.
  for (std::size_t k = 0; k < mu[0].value.size(); ++k)
    EXPECT_NEAR(mu[1].value[k], mu[0].value[k], 0.05 * largest) << k;
}

TEST(NaturalInference, FixedInducingPointsStayWhereTheyStart) {
  const Dataset data = testing::small_dataset();
  const Problem problem = prepare(data, Preprocessing{}, 0);
  const Split& split = data.splits.at("public")[0];
  for (const Inference inference : {Inference::natural, Inference::paper}) {
    ModelConfig config;
    config.inducing = 10;
    TrainOptions options;
    options.epochs = 8;
    options.inference = inference;
    options.select = Select::elbo;
    const auto start =
        choose_inducing_points(problem.relations, problem.features, config, options.init, options.seed)
            .inputs;
    for (const bool fixed : {true, false}) {
      options.fixed_inducing = fixed;
      Trained trained(problem, split, config, options);
      EXPECT_EQ(trained.parameter("X_i").value == start, fixed) << name_of(inference);
    }
  }
}

TEST(NaturalInference, StartsNearTheOptimumNotAtTwentyNats) {
  const Dataset data = testing::small_dataset("signal=2");
  const Problem problem = prepare(data, Preprocessing{}, 0);
  ModelConfig config;
  config.inducing = 20;
  TrainOptions options;
  options.epochs = 2;
  Trained trained(problem, data.splits.at("public")[0], config, options);
  EXPECT_LT(trained.trainer->history().loss.front(), std::log(3.0));
}

}  // namespace
}  // namespace gdkm
