#include "gdkm/training/learner.hpp"

#include <algorithm>
#include <type_traits>

#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/exact_learner.hpp"
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

template <class T>
std::vector<double> predict_gcn(Gcn<T>& model, const Settings& settings, const Problem& problem) {
  return predict(model, problem, settings.training.batches);
}

template <class T>
std::unique_ptr<Learner> make_learner(Backend<T>& backend, const Settings& settings, const Dataset& dataset,
                                      const Problem& problem, const Split& split, std::uint64_t seed) {
  if (settings.exact && settings.model != "gcn") return make_exact_learner(settings, dataset, problem, split);
  TrainOptions options = settings.training;
  options.seed = seed;
  if (settings.model != "gcn") return train(backend, settings.config, problem, split, options);
  options.patience = settings.patience;
  options.schedule = constant_rate;
  return train(backend, settings.gcn, problem, split, options);
}

int epochs_of(const Settings& settings) {
  return settings.exact && settings.model == "nngp" ? 1 : settings.training.epochs;
}

template std::unique_ptr<Learner> make_learner(Backend<float>&, const Settings&, const Dataset&,
                                               const Problem&, const Split&, std::uint64_t);
template std::unique_ptr<Learner> make_learner(Backend<double>&, const Settings&, const Dataset&,
                                               const Problem&, const Split&, std::uint64_t);
template std::vector<double> predict_gcn(Gcn<float>&, const Settings&, const Problem&);
template std::vector<double> predict_gcn(Gcn<double>&, const Settings&, const Problem&);

}  // namespace gdkm
