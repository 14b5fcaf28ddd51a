#include "gdkm/fitting/learner.hpp"

#include <algorithm>
#include <type_traits>

#include "gdkm/fitting/exact_learner.hpp"
#include "gdkm/fitting/model_file.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/gcn_trainable.hpp"
#include "gdkm/training/predictor.hpp"
#include "gdkm/training/trainer.hpp"

namespace gdkm {
namespace {

/// A model that Trainer trains.
template <class T, class Model>
class TrainedLearner final : public Learner {
 public:
  TrainedLearner(std::unique_ptr<Model> model, const Problem& problem, const Split& split,
                 const TrainOptions& options)
      : problem_(problem),
        options_(options),
        model_(std::move(model)),
        trainer_(*model_, problem, split, options) {}

  bool finished() const override { return trainer_.finished(); }
  int epoch() const override { return trainer_.epoch(); }
  double step() override { return trainer_.step(); }
  void stop() override { trainer_.stop(); }
  const std::vector<double>& losses() const override { return trainer_.history().loss; }
  double jitter() const override { return std::max(trainer_.history().jitter, jitter_); }
  std::vector<double> predict() override {
    if constexpr (std::is_same_v<Model, Dkm<T>>) {
      return gdkm::predict(*model_, problem_, options_.seed, &jitter_, options_.batches);
    } else {
      return gdkm::predict(*model_, problem_, options_.batches);
    }
  }
  TensorFile model_file(const ModelCard& card) override { return to_tensors(*model_, card); }
  TensorFile save_state() override { return trainer_.save_state(); }
  void restore_state(const TensorFile& state, const std::filesystem::path& path) override {
    trainer_.restore_state(state, path);
  }

 private:
  const Problem& problem_;
  TrainOptions options_;
  std::unique_ptr<Model> model_;
  Trainer<T> trainer_;
  double jitter_ = 0;
};

template <class T, class Config>
std::unique_ptr<Learner> train(Backend<T>& backend, const Config& config, const Problem& problem,
                               const Split& split, const TrainOptions& options) {
  auto model = make_model(backend, config, problem);
  using Model = typename decltype(model)::element_type;
  return std::make_unique<TrainedLearner<T, Model>>(std::move(model), problem, split, options);
}

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
    if (const auto* config = std::get_if<ModelConfig>(&choice))
      return train(backend, *config, data.problem, split, options);
    options.schedule = constant_rate;
    return train(backend, std::get<GcnConfig>(choice), data.problem, split, options);
  });
}

int epochs_of(const Settings& settings) {
  return settings.exact && settings.model == ModelKind::nngp ? 1 : settings.training.epochs;
}

}  // namespace gdkm
