#include "gdkm/fitting/learner.hpp"

#include <algorithm>

#include "gdkm/fitting/checkpoint.hpp"
#include "gdkm/fitting/exact_learner.hpp"
#include "gdkm/fitting/model_file.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/training/gcn_trainer.hpp"
#include "gdkm/training/predictor.hpp"
#include "gdkm/training/trainer.hpp"

namespace gdkm {
namespace {

template <class T>
class DkmLearner final : public Learner {
 public:
  DkmLearner(Backend<T>& backend, const Problem& problem, const Split& split, const ModelConfig& config,
             const TrainOptions& options)
      : problem_(problem), options_(options), trainer_(backend, problem, split.train, config, options) {}

  bool finished() const override { return trainer_.finished(); }
  int epoch() const override { return trainer_.epoch(); }
  double step() override { return trainer_.step(); }
  const std::vector<double>& losses() const override { return trainer_.history().loss; }
  double jitter() const override { return std::max(trainer_.history().jitter, jitter_); }
  std::vector<double> predict() override {
    return gdkm::predict(trainer_.model(), problem_, options_.seed, &jitter_, options_.batches);
  }
  TensorFile model_file(const ModelCard& card) override { return to_tensors(trainer_.model(), card); }
  TensorFile save_state() override { return gdkm::save_state(trainer_); }
  void restore_state(const TensorFile& state, const std::filesystem::path& path) override {
    gdkm::restore_state(trainer_, state, path);
  }

 private:
  const Problem& problem_;
  TrainOptions options_;
  Trainer<T> trainer_;
  double jitter_ = 0;
};

GcnTrainOptions gcn_options(const TrainOptions& options) {
  GcnTrainOptions out;
  out.epochs = options.epochs;
  out.patience = options.patience;
  out.rate = options.rate;
  out.seed = options.seed;
  out.graphs = options.batches.graphs;
  return out;
}

template <class T>
class GcnLearner final : public Learner {
 public:
  GcnLearner(Backend<T>& backend, const Problem& problem, const Split& split, const GcnConfig& config,
             const TrainOptions& options)
      : problem_(problem),
        options_(options),
        trainer_(std::make_unique<GcnTrainer<T>>(backend, problem, split, config, gcn_options(options))) {}

  bool finished() const override { return trainer_->finished(); }
  int epoch() const override { return trainer_->epoch(); }
  double step() override { return trainer_->step(); }
  const std::vector<double>& losses() const override { return trainer_->history().loss; }
  std::vector<double> predict() override {
    return gdkm::predict(trainer_->model(), problem_, options_.batches);
  }
  TensorFile model_file(const ModelCard& card) override { return to_tensors(trainer_->model(), card); }
  TensorFile save_state() override { return trainer_->save_state(); }
  void restore_state(const TensorFile& state, const std::filesystem::path& path) override {
    trainer_->restore_state(state, path);
  }

 private:
  const Problem& problem_;
  TrainOptions options_;
  std::unique_ptr<GcnTrainer<T>> trainer_;
};

}  // namespace

std::unique_ptr<Learner> make_learner(ComputeDevice& device, const PreparedData& data, const Split& split,
                                      std::uint64_t seed) {
  TrainOptions options = data.settings.training;
  options.seed = seed;
  const ModelChoice choice = model_choice(data.settings);
  if (const auto* config = std::get_if<ExactNngpConfig>(&choice))
    return make_exact_learner(*config, data, split);
  if (const auto* config = std::get_if<FullRankConfig>(&choice))
    return make_exact_learner(*config, options, data, split);
  return device.visit([&]<class T>(Backend<T>& backend) -> std::unique_ptr<Learner> {
    if (const auto* config = std::get_if<GcnConfig>(&choice))
      return std::make_unique<GcnLearner<T>>(backend, data.problem, split, *config, options);
    return std::make_unique<DkmLearner<T>>(backend, data.problem, split, std::get<ModelConfig>(choice),
                                           options);
  });
}

int epochs_of(const Settings& settings) {
  return settings.exact && settings.model == ModelKind::nngp ? 1 : settings.training.epochs;
}

}  // namespace gdkm
