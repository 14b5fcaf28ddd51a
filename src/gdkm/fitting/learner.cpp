#include "gdkm/fitting/learner.hpp"

#include <algorithm>

#include "gdkm/fitting/committee.hpp"
#include "gdkm/fitting/exact_learner.hpp"
#include "gdkm/fitting/landmark_learner.hpp"
#include "gdkm/fitting/model_tensors.hpp"
#include "gdkm/fitting/nu_search.hpp"
#include "gdkm/fitting/trained_models.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/own_items.hpp"
#include "gdkm/training/trainer.hpp"

namespace gdkm {
namespace {

/// A model that Trainer trains.
template <class T, class Config>
class TrainedLearner final : public Learner {
 public:
  TrainedLearner(Backend<T>& backend, const Config& config, const Problem& problem, const Split& split,
                 const TrainOptions& options)
      : shared_(shared_out(backend, problem, split, options)),
        problem_(shared_ ? *shared_ : problem),
        options_(options),
        model_(make_model(backend, config, problem_)),
        trainer_(*model_, problem_, split, options) {}

  bool finished() const override { return trainer_.finished(); }
  int epoch() const override { return trainer_.epoch(); }
  double step() override { return trainer_.step(); }
  void stop() override { trainer_.stop(); }
  const std::vector<double>& losses() const override { return trainer_.history().loss; }
  TrainingHistory history() const override { return trainer_.history(); }
  bool converged() const override { return trainer_.history().converged; }
  int best_epoch() const override {
    return trainer_.history().best < 0 ? trainer_.epoch() : trainer_.history().best_epoch();
  }
  std::optional<Calibration> calibration() const override { return trainer_.calibration(); }
  MixingWeights mixing() const override {
    return {mixing_names(problem_.relations, *model_), mixing_weights(*model_)};
  }
  double jitter() const override { return std::max(trainer_.history().jitter, jitter_); }
  std::vector<double> predict() override {
    trainer_.let_go();  // predictions take as much memory again
    return TrainedModel<Config>::predict(*model_, problem_, options_, trainer_.calibration(), &jitter_);
  }
  TensorFile model_file(const ModelCard& card) override { return to_tensors(*model_, card); }
  TensorFile save_state() override { return trainer_.save_state(); }
  void restore_state(const TensorFile& state, const std::filesystem::path& path) override {
    trainer_.restore_state(state, path);
  }

 private:
  static std::optional<Problem> shared_out(Backend<T>& backend, const Problem& problem, const Split& split,
                                           const TrainOptions& options) {
    if (backend.ranks() == nullptr) return std::nullopt;
    // Batches are cut out of the whole graph, which every rank then has.
    const bool own_rows_alone = options.batches.batches == 1;
    return share_out(problem, labelled(problem, split.train), *backend.ranks(), own_rows_alone);
  }

  std::optional<Problem> shared_;  // where ranks share it
  const Problem& problem_;
  TrainOptions options_;
  std::unique_ptr<typename TrainedModel<Config>::template Type<T>> model_;
  Trainer<T> trainer_;
  double jitter_ = 0;
};

std::unique_ptr<Learner> learner_of(const Settings& settings, ComputeDevice& device, const PreparedData& data,
                                    const Split& split, std::uint64_t seed) {
  TrainOptions options = settings.training;
  options.seed = seed;
  return std::visit(
      [&]<class Config>(const Config& config) -> std::unique_ptr<Learner> {
        if (settings.device.ranks && !std::is_same_v<Config, ModelConfig>)
          throw InputError(
              "ranks share the graph of sparse models (dkm and nngp with inducing points) alone; start one "
              "process for this model");
        if constexpr (std::is_same_v<Config, LandmarkConfig>) {
          return device.visit([&](auto& backend) -> std::unique_ptr<Learner> {
            return make_landmark_learner(backend, config, options, data, split);
          });
        } else if constexpr (HasTrainedModel<Config>) {
          options.schedule = options.inference == Inference::paper ? paper_schedule : constant_rate;
          return device.visit([&]<class T>(Backend<T>& backend) -> std::unique_ptr<Learner> {
            return std::make_unique<TrainedLearner<T, Config>>(backend, config, data.problem, split, options);
          });
        } else {
          return device.visit([&]<class T>(Backend<T>& backend) -> std::unique_ptr<Learner> {
            if constexpr (std::is_same_v<T, double>) {
              return make_exact_learner(backend.is_host() ? nullptr : &backend, config, options, data, split);
            } else {
              throw std::logic_error("[make_learner] exact models need a device that computes in float64");
            }
          });
        }
      },
      model_choice(settings));
}

}  // namespace

std::unique_ptr<Learner> make_learner(ComputeDevice& device, const PreparedData& data, const Split& split,
                                      std::uint64_t seed) {
  if (!data.members.empty()) {
    if (data.settings.device.ranks)
      throw OptionError("members", to_string(data.settings.members), "ranks share the graph of one model",
                        "train the members one by one, or start one process");
    const auto member = [&device, &split, seed](const PreparedData& of_member) {
      return make_learner(device, of_member, split, seed);
    };
    return std::make_unique<Committee>(member, data, split, seed);
  }
  if (!data.settings.chooses_nu()) return learner_of(data.settings, device, data, split, seed);
  const auto with_nu = [&device, &data, &split, seed](double nu) {
    Settings settings = data.settings;
    settings.config.nu = {nu};
    return learner_of(settings, device, data, split, seed);
  };
  return std::make_unique<NuSearch>(with_nu, data, split);
}

int epochs_of(const Settings& settings) {
  if (!settings.members.empty()) {
    int sum = 0;
    for (const Settings& member : member_settings(settings)) sum += epochs_of(member);
    return sum;
  }
  if (settings.uses_dense() && settings.model == ModelKind::nngp) return 1;
  const int each = settings.training.epochs > 0 ? settings.training.epochs : most_epochs_until_converged;
  return settings.chooses_nu() ? each * static_cast<int>(std::size(nu_candidates)) : each;
}

}  // namespace gdkm
