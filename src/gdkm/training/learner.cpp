#include "gdkm/training/learner.hpp"

#include <algorithm>

#include "gdkm/training/checkpoint.hpp"
#include "gdkm/training/exact_learner.hpp"
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

GcnTrainOptions gcn_options(const Settings& settings, std::uint64_t seed) {
  GcnTrainOptions out;
  out.epochs = settings.training.epochs;
  out.patience = settings.patience;
  out.rate = settings.training.rate;
  out.seed = seed;
  return out;
}

template <class T>
std::vector<GcnBatch<T>> graph_batches(Backend<T>& backend, const Settings& settings, const Problem& problem,
                                       const std::vector<std::int32_t>& graphs) {
  std::vector<GcnBatch<T>> out;
  const auto size = static_cast<std::size_t>(settings.training.batches.graphs);
  for (std::size_t first = 0; first < graphs.size(); first += size) {
    const std::vector<std::int32_t> some(
        graphs.begin() + static_cast<std::ptrdiff_t>(first),
        graphs.begin() + static_cast<std::ptrdiff_t>(std::min(graphs.size(), first + size)));
    out.push_back(graph_batch<T>(backend, settings.gcn, problem.mixing, problem.features, problem.graph_start,
                                 problem.label, some));
  }
  return out;
}

template <class T>
class GcnLearner final : public Learner {
 public:
  GcnLearner(Backend<T>& backend, const Settings& settings, const Problem& problem, const Split& split,
             std::uint64_t seed)
      : settings_(settings), problem_(problem) {
    const GcnTrainOptions options = gcn_options(settings, seed);
    if (problem.task == Task::node) {
      trainer_ = std::make_unique<GcnTrainer<T>>(backend, problem, split, settings.gcn, options);
    } else {
      trainer_ = std::make_unique<GcnTrainer<T>>(backend, problem.features.cols, problem.classes,
                                                 graph_batches(backend, settings, problem, split.train),
                                                 graph_batches(backend, settings, problem, split.val),
                                                 settings.gcn, options);
    }
  }

  bool finished() const override { return trainer_->finished(); }
  int epoch() const override { return trainer_->epoch(); }
  double step() override { return trainer_->step(); }
  const std::vector<double>& losses() const override { return trainer_->history().loss; }
  std::vector<double> predict() override { return predict_gcn(trainer_->model(), settings_, problem_); }
  TensorFile model_file(const ModelCard& card) override { return to_tensors(trainer_->model(), card); }
  TensorFile save_state() override { return trainer_->save_state(); }
  void restore_state(const TensorFile& state, const std::filesystem::path& path) override {
    trainer_->restore_state(state, path);
  }

 private:
  const Settings& settings_;
  const Problem& problem_;
  std::unique_ptr<GcnTrainer<T>> trainer_;
};

}  // namespace

template <class T>
std::vector<double> predict_gcn(Gcn<T>& model, const Settings& settings, const Problem& problem) {
  if (problem.task == Task::node) return predict(model, problem);
  std::vector<double> out;
  const Index size = settings.training.batches.graphs;
  for (Index first = 0; first < problem.items(); first += size) {
    std::vector<std::int32_t> graphs;
    for (Index g = first; g < std::min(problem.items(), first + size); ++g)
      graphs.push_back(static_cast<std::int32_t>(g));
    const Part part = some_graphs(problem, graphs);
    const Csr pool = pooling_matrix(part.graph_start, model.config().pooling);
    const auto inputs =
        make_gcn_inputs<T>(model.backend(), model.config(), part.mixing, part.features, &pool);
    const auto rows = class_probabilities(model, inputs);
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

template <class T>
std::unique_ptr<Learner> make_learner(Backend<T>& backend, const Settings& settings, const Dataset& dataset,
                                      const Problem& problem, const Split& split, std::uint64_t seed) {
  if (settings.model == "gcn")
    return std::make_unique<GcnLearner<T>>(backend, settings, problem, split, seed);
  if (settings.exact) return make_exact_learner(settings, dataset, problem, split);
  TrainOptions options = settings.training;
  options.seed = seed;
  return std::make_unique<DkmLearner<T>>(backend, problem, split, settings.config, options);
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
