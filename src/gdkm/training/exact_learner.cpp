#include "gdkm/training/exact_learner.hpp"

#include <cmath>

#include "gdkm/models/exact/full_rank_adam.hpp"
#include "gdkm/models/exact/full_rank_training.hpp"
#include "gdkm/models/exact/graph_kernels.hpp"
#include "gdkm/models/exact/nugget.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/schedule.hpp"

namespace gdkm {
namespace {

std::vector<double> rows_of(const Dense& a) {
  return a.value;
}

/// What both have in common: nothing to save, nothing to go on from.
class ExactLearner : public Learner {
 public:
  const std::vector<double>& losses() const override { return losses_; }
  int epoch() const override { return static_cast<int>(losses_.size()); }
  TensorFile model_file(const ModelCard& /*card*/) override {
    throw InputError(
        "--save: an exact model is nothing apart from its data; leave --save or --exact out, or ask for the "
        "results with --json");
  }

 protected:
  std::vector<double> losses_;
};

/// The kernel over all nodes that the settings name.
Dense exact_kernel(const Settings& settings, const Dataset& dataset, const Problem& problem) {
  const int layers = settings.config.layers;
  const KernelKind kind = settings.config.kernel;
  const auto adjacency_matrix = [&] { return adjacency(dataset.graph, settings.preprocessing.adjacency); };
  switch (settings.network) {
    case ExactNetwork::gcn:
      return gcn_kernel(problem.mixing, problem.features, layers, kind);
    case ExactNetwork::sage:
      return sage_kernel(adjacency_matrix(), problem.features, layers, kind);
    case ExactNetwork::gin:
      return gin_kernel(adjacency_matrix(), problem.features, layers, 0, kind);
    case ExactNetwork::gcnii:
      return gcnii_kernel(problem.mixing, problem.features, layers, {}, kind);
    case ExactNetwork::rbf:
      return rbf_kernel(problem.features);
    case ExactNetwork::linear:
      return linear_kernel(problem.features);
  }
  return {};
}

class ExactNngp final : public ExactLearner {
 public:
  ExactNngp(const Settings& settings, const Dataset& dataset, const Problem& problem, const Split& split)
      : settings_(settings), dataset_(dataset), problem_(problem), split_(split) {}

  bool finished() const override { return !losses_.empty(); }
  double step() override {
    const DenseThreads threads(settings_.threads);
    const KernelBlocks blocks = kernel_blocks(exact_kernel(settings_, dataset_, problem_), split_.train);
    const Dense targets = one_hot(problem_.label, split_.train, problem_.classes);
    // Without validation nodes the training nodes' own density decides: it is not fooled by a small nugget.
    const bool has_val = !split_.val.empty();
    const auto& judges = has_val ? split_.val : split_.train;
    const NuggetChoice choice =
        choose_nugget(blocks, targets, judges, one_hot(problem_.label, judges, problem_.classes),
                      has_val ? NuggetScore::accuracy : NuggetScore::density);
    probabilities_ = rows_of(class_probabilities(posterior(blocks, targets, choice.nugget)));
    losses_.push_back(-choice.score);
    return losses_.back();
  }
  std::vector<double> predict() override { return probabilities_; }
  TensorFile save_state() override { return {}; }  // it is done in one epoch
  void restore_state(const TensorFile& /*state*/, const std::filesystem::path& /*path*/) override {}

 private:
  const Settings& settings_;
  const Dataset& dataset_;
  const Problem& problem_;
  const Split& split_;
  std::vector<double> probabilities_;
};

FullRankModel full_rank_model(const Settings& settings, const Problem& problem) {
  FullRankModel out;
  out.mixing = problem.mixing;
  out.input = linear_kernel(problem.features);  // features come divided by √d: see prepare
  for (int layer = 0; layer < settings.config.layers; ++layer) out.nu.push_back(settings.config.nu_of(layer));
  out.kernel = settings.config.kernel;
  double mean_diagonal = 0;
  for (const double value : diagonal(out.input)) mean_diagonal += value / static_cast<double>(out.input.rows);
  out.jitter = settings.config.jitter * (mean_diagonal > 0 ? mean_diagonal : 1.0);
  return out;
}

class FullRankLearner final : public ExactLearner {
 public:
  FullRankLearner(const Settings& settings, const Problem& problem, const Split& split)
      : options_(settings.training),
        threads_(settings.threads),
        n_train_(static_cast<double>(split.train.size())),
        dkm_(full_rank_model(settings, problem)),
        top_(split.train, one_hot(problem.label, split.train, problem.classes), settings.noise),
        optimiser_(dkm_, top_) {}

  bool finished() const override { return epoch() >= options_.epochs; }
  double step() override {
    const DenseThreads threads(threads_);
    const FullRankValue value = optimiser_.step(learning_rate(epoch(), options_.epochs, options_.rate));
    losses_.push_back(-value.objective / n_train_);
    return losses_.back();
  }
  double jitter() const override { return dkm_.extra_jitter(); }
  std::vector<double> predict() override {
    const DenseThreads threads(threads_);
    dkm_.evaluate(top_, false);
    return rows_of(class_probabilities(gdkm::predict(dkm_, top_)));
  }
  TensorFile save_state() override {
    TensorFile out = optimiser_.save();
    out.tensors["loss"] =
        Tensor::make<double>({static_cast<std::int64_t>(losses_.size())}, std::span<const double>(losses_));
    return out;
  }
  void restore_state(const TensorFile& state, const std::filesystem::path& path) override {
    const auto at = state.tensors.find("loss");
    if (at == state.tensors.end())
      throw InputError(path.string() + ": 'loss' is missing; the checkpoint is damaged");
    losses_ = at->second.as<double>();
    optimiser_.restore(state, path);
  }

 private:
  TrainOptions options_;
  int threads_;
  double n_train_;
  FullRankDkm dkm_;
  GaussianTop top_;
  FullRankAdam optimiser_;
};

}  // namespace

std::unique_ptr<Learner> make_exact_learner(const Settings& settings, const Dataset& dataset,
                                            const Problem& problem, const Split& split) {
  if (problem.task == Task::graph) {
    throw InputError("--exact: exact models classify the nodes of one graph; leave it out for many graphs");
  }
  if (settings.model == "nngp") return std::make_unique<ExactNngp>(settings, dataset, problem, split);
  return std::make_unique<FullRankLearner>(settings, problem, split);
}

}  // namespace gdkm
