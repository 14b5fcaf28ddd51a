#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/own_items.hpp"
#include "gdkm/training/predictor.hpp"
#include "gdkm/training/trainer.hpp"
#include "tests/ranks/shared_problem.hpp"

namespace gdkm::testing {

/// What a training leads to.
struct Trained {
  std::vector<double> loss, val_loss, predictions, features;
  std::optional<Calibration> calibration;
};

/// A small problem and how a model is trained on it, told by a name.
struct TrainingCase {
  std::string name;
  SharedProblem data = {};
  ModelConfig config = {};
  TrainOptions options = {};

  TrainingCase(std::string name_, const std::function<void(TrainingCase&)>& change) : name(std::move(name_)) {
    config.inducing = 9;
    config.nu = {0.5};
    options.epochs = 50;
    // At 0.01 these small problems are chaotic: rounding grows by a factor 10⁶ in 50 steps, with threads too.
    options.rate = 0.001;
    options.patience = 0;
    change(*this);
    if (!config.relations.empty()) data.relations = config.relations;
  }

  Trained train(Backend<double>& backend, const Problem& problem) const {
    const auto model = make_model(backend, config, problem);
    Trainer<double> trainer(*model, problem, data.split(), options);
    while (!trainer.finished()) trainer.step();
    Trained out{trainer.history().loss, trainer.history().val_loss, {}, {}, trainer.calibration()};
    out.predictions = predict(*model, problem, trainer.calibration(), nullptr, options.batches);
    out.features = features(*model, problem).values;
    return out;
  }
  Trained alone(Backend<double>& backend) const { return train(backend, data.make()); }
  /// As one of several ranks, with a backend of theirs.
  Trained shared(Backend<double>& backend) const {
    Communicator& ranks = *backend.ranks();
    Problem problem = data.make();
    if (!data.graphs) problem.owner = data.owners(ranks.size());
    return train(backend, share_out(problem, {}, ranks, options.batches.batches == 1));
  }
};

inline std::vector<TrainingCase> training_cases() {
  const auto relations = [](const char* text) { return parse_relations(text); };
  return {
      {"kipf", [](TrainingCase&) {}},
      {"kipf_paper", [](TrainingCase& c) { c.options.inference = Inference::paper; }},
      {"kipf_sparse_features", [](TrainingCase& c) { c.data.sparse = true, c.data.width = 30; }},
      {"few_features", [](TrainingCase& c) { c.data.width = 6; }},
      {"weights_sampled",
       [](TrainingCase& c) {
         c.options.inference = Inference::paper;
         c.config.sampling = Sampling::weights;
         c.config.bias = true;
       }},
      {"bias_and_class_weights",
       [](TrainingCase& c) {
         c.config.bias = true, c.options.class_weights = {false, {1, 2, 0.5}};
       }},
      {"fixed_kernel", [](TrainingCase& c) { c.config.nu = {INFINITY}; }},
      {"resid", [](TrainingCase& c) { c.config.arch = Architecture::resid, c.data.lambda = 0.3; }},
      {"platonov", [](TrainingCase& c) { c.config.arch = Architecture::platonov; }},
      {"platonov_centred",
       [](TrainingCase& c) {
         c.config.arch = Architecture::platonov, c.config.center = c.config.affine = true;
       }},
      {"algorithm1", [](TrainingCase& c) { c.config.arch = Architecture::algorithm1; }},
      {"centred", [](TrainingCase& c) { c.config.center = true; }},
      {"centred_paper",
       [](TrainingCase& c) {
         c.config.center = c.config.affine = true, c.options.inference = Inference::paper;
       }},
      {"intra", [](TrainingCase& c) { c.config.scheme = Scheme::intra; }},
      {"intra_centred",
       [](TrainingCase& c) { c.config.scheme = Scheme::intra, c.config.center = c.config.affine = true; }},
      {"relations", [&](TrainingCase& c) { c.config.relations = relations("self,in,out"); }},
      {"relations_centred",
       [&](TrainingCase& c) {
         c.config.relations = relations("in,out");
         c.config.center = c.config.affine = true;
         c.options.inference = Inference::paper;
       }},
      {"polynomial", [&](TrainingCase& c) { c.config.relations = relations("poly:2"); }},
      {"regression", [](TrainingCase& c) { c.data.regression = true; }},
      {"regression_paper",
       [](TrainingCase& c) { c.data.regression = true, c.options.inference = Inference::paper; }},
      {"batches_of_nodes",
       [](TrainingCase& c) {
         c.options.batches.batches = 3;
         c.options.batches.partition = Partition::random;
         c.options.epochs = 20;
       }},
      {"graphs",
       [](TrainingCase& c) {
         c.data.graphs = true, c.data.nodes = 270;
         c.config.arch = Architecture::platonov, c.config.center = true;
       }},
      {"graphs_in_batches",
       [](TrainingCase& c) {
         c.data.graphs = true, c.data.nodes = 270;
         c.options.batches.graphs = 6, c.options.epochs = 20;
       }},
  };
}

/// That numbers are the same to a relative difference, or an absolute one below 1.
inline void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance,
                        const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  double worst = 0;
  std::size_t where = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    const double error = std::abs(a[k] - b[k]) / std::max(1.0, std::abs(b[k]));
    if (!(error <= worst)) worst = error, where = k;
  }
  EXPECT_LE(worst, tolerance) << what << " " << where;
}

}  // namespace gdkm::testing
