#include "gdkm/training/exact_learner.hpp"

#include <cmath>

#include "gdkm/models/exact/full_rank_adam.hpp"
#include "gdkm/models/exact/full_rank_training.hpp"
#include "gdkm/models/exact/nugget.hpp"
#include "gdkm/models/exact/wide_network_kernels.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/schedule.hpp"

namespace gdkm {
namespace {

/// How real-valued targets were made to have mean 0 and, where it matters, variance 1; one-hot ones stay.
struct TargetScale {
  std::vector<double> shift, factor;
};

/// The columns of Problem::columns: probabilities, or means and standard deviations.
std::vector<double> prediction(const Problem& problem, const Posterior& posterior, const TargetScale& scale) {
  if (!problem.is_regression()) return class_probabilities(posterior).value;
  std::vector<double> out;
  for (Index r = 0; r < posterior.mean.rows; ++r) {
    for (Index c = 0; c < posterior.mean.cols; ++c)
      out.push_back(posterior.mean(r, c) * scale.factor[c] + scale.shift[c]);
    const double deviation = std::sqrt(std::max(posterior.predictive_variance(r), 1e-300));
    for (Index c = 0; c < posterior.mean.cols; ++c) out.push_back(deviation * scale.factor[c]);
  }
  return out;
}

/// One row per item: its class as 0 and 1, or its numbers.
Dense targets_of(const Problem& problem, const std::vector<std::int32_t>& items) {
  if (!problem.is_regression()) return one_hot(problem.label, items, problem.classes);
  Dense out(static_cast<Index>(items.size()), problem.targets);
  for (std::size_t k = 0; k < items.size(); ++k) {
    for (int c = 0; c < problem.targets; ++c) {
      out(static_cast<Index>(k), c) = static_cast<double>(
          problem.target[static_cast<std::size_t>(items[k]) * static_cast<std::size_t>(problem.targets) +
                         static_cast<std::size_t>(c)]);
    }
  }
  return out;
}

/// Standardises them; `factors` says whether their variance, too.
TargetScale standardise(const Problem& problem, bool factors, Dense& targets) {
  TargetScale out{std::vector<double>(static_cast<std::size_t>(targets.cols), 0.0),
                  std::vector<double>(static_cast<std::size_t>(targets.cols), 1.0)};
  if (!problem.is_regression()) return out;
  out.shift = column_means(targets);
  shift_columns(out.shift, -1, targets);
  if (!factors) return out;
  for (Index c = 0; c < targets.cols; ++c) {
    double square = 0;
    for (Index r = 0; r < targets.rows; ++r) square += targets(r, c) * targets(r, c);
    if (square > 0) out.factor[c] = std::sqrt(square / static_cast<double>(targets.rows));
    for (Index r = 0; r < targets.rows; ++r) targets(r, c) /= out.factor[c];
  }
  return out;
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

/// Numbers have a level of their own, which a kernel of products cannot tell: a constant of ten times its
/// mean diagonal stands for one that is not known.
void add_constant(Dense& kernel) {
  double mean = 0;
  for (const double value : diagonal(kernel)) mean += value / static_cast<double>(kernel.rows);
  for (double& value : kernel.value) value += 10 * mean;
}

class ExactNngp final : public ExactLearner {
 public:
  ExactNngp(const Settings& settings, const Dataset& dataset, const Problem& problem, const Split& split)
      : settings_(settings), dataset_(dataset), problem_(problem), split_(split) {}

  bool finished() const override { return !losses_.empty(); }
  double step() override {
    const DenseThreads threads(settings_.threads);
    Dense kernel = exact_kernel(settings_, dataset_, problem_);
    if (problem_.is_regression()) add_constant(kernel);
    const KernelBlocks blocks = kernel_blocks(kernel, split_.train);
    Dense targets = targets_of(problem_, split_.train);
    const TargetScale scale = standardise(problem_, false, targets);  // the posterior finds the factor itself
    // Without validation nodes the training nodes' own density decides: it is not fooled by a small nugget.
    const bool has_val = !split_.val.empty();
    const auto& judges = has_val ? split_.val : split_.train;
    Dense judged = targets_of(problem_, judges);
    shift_columns(scale.shift, -1, judged);
    const NuggetScore score = !has_val                   ? NuggetScore::density
                              : problem_.is_regression() ? NuggetScore::r_squared
                                                         : NuggetScore::accuracy;
    const NuggetChoice choice = choose_nugget(blocks, targets, judges, judged, score);
    prediction_ = prediction(problem_, posterior(blocks, targets, choice.nugget), scale);
    losses_.push_back(-choice.score);
    return losses_.back();
  }
  std::vector<double> predict() override { return prediction_; }
  TensorFile save_state() override { return {}; }  // it is done in one epoch
  void restore_state(const TensorFile& /*state*/, const std::filesystem::path& /*path*/) override {}

 private:
  const Settings& settings_;
  const Dataset& dataset_;
  const Problem& problem_;
  const Split& split_;
  std::vector<double> prediction_;
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
      : problem_(problem),
        options_(settings.training),
        threads_(settings.threads),
        n_train_(static_cast<double>(split.train.size())),
        targets_(targets_of(problem, split.train)),
        scale_(standardise(problem, true, targets_)),
        dkm_(full_rank_model(settings, problem)),
        top_(split.train, targets_, settings.noise),
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
    return prediction(problem_, gdkm::predict(dkm_, top_), scale_);
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
  const Problem& problem_;
  TrainOptions options_;
  int threads_;
  double n_train_;
  Dense targets_;
  TargetScale scale_;
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
