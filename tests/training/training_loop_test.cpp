#include <gtest/gtest.h>

#include <numeric>

#include "gdkm/dataset/shuffle.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/gcn_trainable.hpp"
#include "gdkm/training/trainer.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

/// What any model promises of its training; `Config` says which.
template <class Config>
class TrainingLoop : public ::testing::Test {
 protected:
  TrainingLoop() {
    config_.layers = 2;
    options_.epochs = 20;
    options_.patience = 0;
    options_.batches.graphs = 6;
    if constexpr (std::is_same_v<Config, GcnConfig>) {
      config_.width = 16;
      config_.batch_norm = true;  // its running moments are part of the state
      options_.schedule = constant_rate;
    } else {
      config_.inducing = 12;
      config_.center = true;
    }
  }

  /// Twenty-five graphs of six nodes in place of one graph.
  void use_graphs() {
    problem_.task = Task::graph;
    problem_.graph_start = {0};
    problem_.label.clear();
    split_ = {};
    Graph graph;
    graph.nodes = problem_.nodes();
    for (std::int32_t g = 0; g < 25; ++g) {
      for (std::int32_t k = 0; k < (g % 3 == 0 ? 6 : 5); ++k)
        graph.edges.push_back({6 * g + k, 6 * g + (k + 1) % 6});
      problem_.graph_start.push_back(6 * (g + 1));
      problem_.label.push_back(g % 3);
      (g < 20 ? split_.train : split_.val).push_back(g);
    }
    problem_.relations = normalised_adjacency(graph, 0);
  }

  std::unique_ptr<Trainer<float>> trainer() {
    models_.push_back(make_model(backend_, config_, problem_));
    return std::make_unique<Trainer<float>>(*models_.back(), problem_, split_, options_);
  }
  /// Everything that the last model has learned, or some earlier one.
  std::vector<float> values(std::size_t model) {
    const View<float> v = models_[model]->parameters().values();
    return std::vector<float>(v.data, v.data + v.size());
  }

  CpuBackend<float> backend_{2};
  Dataset data_ = testing::small_dataset("signal=2");
  Problem problem_ = prepare(data_, Preprocessing{}, 0);
  Split split_ = data_.splits.at("public")[0];
  Config config_;
  TrainOptions options_;
  using Model = typename decltype(make_model(std::declval<Backend<float>&>(), std::declval<const Config&>(),
                                             std::declval<const Problem&>()))::element_type;
  std::vector<std::unique_ptr<Model>> models_;
};

struct ConfigNames {
  template <class Config>
  static std::string GetName(int) {
    return std::is_same_v<Config, GcnConfig> ? "gcn" : "dkm";
  }
};
using Configs = ::testing::Types<ModelConfig, GcnConfig>;
TYPED_TEST_SUITE(TrainingLoop, Configs, ConfigNames);

TYPED_TEST(TrainingLoop, LossesFall) {
  const auto trainer = this->trainer();
  while (!trainer->finished()) trainer->step();
  ASSERT_EQ(trainer->history().loss.size(), 20u);
  EXPECT_LT(trainer->history().loss.back(), trainer->history().loss.front());
}

TYPED_TEST(TrainingLoop, LossesFallInBatchesOfNodes) {
  this->options_.batches.batches = 3;
  const auto trainer = this->trainer();
  EXPECT_EQ(trainer->batches(), 3u);
  while (!trainer->finished()) trainer->step();
  EXPECT_LT(trainer->history().loss.back(), trainer->history().loss.front());
}

TYPED_TEST(TrainingLoop, SameSeedSameResultAndAnotherSeedAnother) {
  for (const std::uint64_t seed : {1, 1, 2}) {
    this->options_.seed = seed;
    const auto trainer = this->trainer();
    for (int k = 0; k < 8; ++k) trainer->step();
    trainer->settle();
  }
  EXPECT_EQ(this->values(0), this->values(1));
  EXPECT_NE(this->values(0), this->values(2));
}

TYPED_TEST(TrainingLoop, ResumesToTheSameBits) {
  for (const bool graphs : {false, true}) {
    if (graphs) this->use_graphs();
    this->models_.clear();
    const auto whole = this->trainer(), before = this->trainer(), after = this->trainer();
    while (!whole->finished()) whole->step();
    for (int k = 0; k < 11; ++k) before->step();
    after->restore_state(before->save_state(), "state");
    EXPECT_EQ(after->epoch(), 11);
    while (!after->finished()) after->step();
    EXPECT_EQ(this->values(0), this->values(2));
    EXPECT_EQ(whole->history().loss, after->history().loss);
    EXPECT_EQ(whole->history().val_loss, after->history().val_loss);
    EXPECT_EQ(whole->history().val_accuracy, after->history().val_accuracy);
    EXPECT_EQ(whole->history().best_epoch(), after->history().best_epoch());
    EXPECT_EQ(whole->history().jitter, after->history().jitter);
  }
}

TYPED_TEST(TrainingLoop, RefusesADamagedState) {
  const auto trainer = this->trainer();
  trainer->step();
  const TensorFile good = trainer->save_state();
  for (const auto& [name, tensor] : good.tensors) {
    TensorFile bad = good;
    bad.tensors.erase(name);
    EXPECT_THROW(trainer->restore_state(bad, "state"), InputError) << name;
  }
}

TYPED_TEST(TrainingLoop, ReplayedStepsAreTheStepsComputedDirectly) {
  this->use_graphs();
  this->options_.inference = Inference::paper;
  const auto trainer = this->trainer();
  ASSERT_GT(trainer->batches(), 2u);
  const std::size_t batches = trainer->batches();
  while (!trainer->finished()) trainer->step();

  // The same by hand: nothing recorded, a clock of our own.
  const auto model = make_model(this->backend_, this->config_, this->problem_);
  const auto trainable = make_trainable(*model, this->problem_, this->split_.train, this->options_);
  std::vector<std::unique_ptr<TrainingBatch<float>>> uploaded;
  for (const Batch& batch :
       make_batches(this->problem_, this->split_.train, {}, 2, this->options_.batches, this->options_.seed)) {
    uploaded.push_back(trainable->upload(this->problem_, batch));
    uploaded.back()->build();
  }
  ASSERT_EQ(uploaded.size(), batches);
  Optimiser<float> optimiser(this->backend_, model->parameters());
  for (int epoch = 0; epoch < this->options_.epochs; ++epoch) {
    std::vector<std::size_t> order(batches);
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(Stream{this->options_.seed, Purpose::shuffle, static_cast<std::uint32_t>(epoch) + 2});
    shuffle(order, random);
    double loss = 0, nodes = 0;
    for (std::size_t turn = 0; turn < batches; ++turn) {
      TrainingBatch<float>& batch = *uploaded[order[turn]];
      nodes += static_cast<double>(batch.nodes());
      batch.set_mean_weight(static_cast<double>(batch.nodes()) / nodes);
      const auto now = static_cast<std::uint32_t>(static_cast<std::size_t>(epoch) * batches + turn);
      batch.compute_gradients(&now);
      const View<float> numbers = batch.numbers();
      loss += static_cast<double>(batch.items()) / static_cast<double>(this->split_.train.size()) *
              batch.report({numbers.data, static_cast<std::size_t>(numbers.cols)}).loss;
      optimiser.step(
          learning_rate(epoch, this->options_.epochs, this->options_.rate, this->options_.schedule));
    }
    EXPECT_EQ(trainer->history().loss[static_cast<std::size_t>(epoch)], loss) << "epoch " << epoch;
  }
}

TYPED_TEST(TrainingLoop, AllocatesNothingOnTheDeviceAfterTheConstructor) {
  for (const bool graphs : {false, true}) {
    if (graphs) this->use_graphs();
    const auto trainer = this->trainer();
    const std::size_t before = this->backend_.bytes_in_use();
    for (int k = 0; k < 5; ++k) trainer->step();
    EXPECT_EQ(this->backend_.bytes_in_use(), before);
  }
}

TYPED_TEST(TrainingLoop, SaysTheEpochAndARemedyWhenTheLossIsLost) {
  this->split_.val.clear();  // with a validated epoch it ends with that
  this->options_.rate = 1e30;
  this->options_.epochs = 200;
  const auto trainer = this->trainer();
  try {
    while (!trainer->finished()) trainer->step();
    ADD_FAILURE() << "it survived";
  } catch (const NumericalError& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("epoch ")) << error.what();
    EXPECT_NE(std::string(error.what()).find("smaller"), std::string::npos) << error.what();
  }
}

TYPED_TEST(TrainingLoop, RefusesASplitWithoutTrainingLabels) {
  for (const auto item : this->split_.train) this->problem_.label[static_cast<std::size_t>(item)] = -1;
  EXPECT_THROW(this->trainer(), InputError);
}

}  // namespace
}  // namespace gdkm
