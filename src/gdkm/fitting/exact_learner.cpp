#include "gdkm/fitting/exact_learner.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gdkm/fitting/regression_targets.hpp"
#include "gdkm/models/exact/features_gram.hpp"
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

/// The kernel over all nodes that the configuration names.
Dense exact_kernel(const ExactNngpConfig& config, const Problem& problem, Backend<double>* device) {
  return wide_network(name_of(config.network))
      .kernel({problem.relations, problem.features, config.layers, config.kernel, config.degree, device});
}

/// Numbers have a level of their own, which a kernel of products cannot tell: a constant of ten times its
/// mean diagonal stands for one that is not known.
void add_constant(Dense& kernel) {
  double mean = 0;
  for (const double value : diagonal(kernel)) mean += value / static_cast<double>(kernel.rows);
  add_to_all(10 * mean, kernel);
}

TensorFile with_numbers(const std::map<std::string, std::vector<double>>& lists) {
  TensorFile out;
  for (const auto& [name, values] : lists)
    out.tensors[name] =
        Tensor::make<double>({static_cast<std::int64_t>(values.size())}, std::span<const double>(values));
  return out;
}
std::vector<double> numbers_of(const TensorFile& state, const std::string& name,
                               const std::filesystem::path& path) {
  const auto at = state.tensors.find(name);
  if (at == state.tensors.end())
    throw InputError(path.string() + ": '" + name + "' is missing; the checkpoint is damaged");
  return at->second.as<double>();
}

class ExactNngp final : public ExactLearner {
 public:
  ExactNngp(Backend<double>* device, const ExactNngpConfig& config, const TrainOptions& options,
            const PreparedData& data, const Split& split)
      : device_(device),
        config_(config),
        inference_(options.inference),
        data_(data),
        problem_(data.problem),
        split_(split) {}

  bool finished() const override { return !losses_.empty(); }
  double step() override {
    const DenseThreads threads(data_.settings.device.threads);
    const KernelBlocks blocks = kernel_blocks(kernel_on_device(), split_.train);
    Dense targets = targets_of(problem_, split_.train);
    const TargetScale scale = standardise(problem_, false, targets);  // the posterior finds the factor itself
    Dense judged = targets_of(problem_, split_.val);
    shift_columns(scale.shift, -1, judged);
    const NuggetScore score = problem_.is_regression() ? NuggetScore::r_squared : NuggetScore::accuracy;
    const NuggetChoice choice = split_.val.empty()
                                    ? choose_nugget_leaving_one_out(blocks, targets)
                                    : choose_nugget(blocks, targets, split_.val, judged, score);
    prediction_ = prediction(problem_, posterior(blocks, targets, choice.nugget), scale);
    if (const auto labels = calibration_items(inference_, problem_, split_); !labels.empty()) {
      calibration_ = calibrate(prediction_, problem_.classes, problem_.label, labels);
      prediction_ = calibrated(std::move(prediction_), problem_.classes, *calibration_);
    }
    losses_.push_back(-choice.score);
    return losses_.back();
  }
  std::optional<Calibration> calibration() const override { return calibration_; }
  std::vector<double> predict() override { return prediction_; }
  Dense kernel() override { return to_host(kernel_on_device()); }
  TensorFile save_state() override {
    std::map<std::string, std::vector<double>> out{{"loss", losses_}, {"prediction", prediction_}};
    if (calibration_) out["calibration"] = {calibration_->temperature, calibration_->moderation};
    return with_numbers(out);
  }
  void restore_state(const TensorFile& state, const std::filesystem::path& path) override {
    if (state.tensors.empty()) return;  // of versions up to 0.5: it begins again
    losses_ = numbers_of(state, "loss", path);
    prediction_ = numbers_of(state, "prediction", path);
    if (!state.tensors.contains("calibration")) return;
    const auto numbers = numbers_of(state, "calibration", path);
    if (numbers.size() != 2)
      throw InputError(
          fmt::format("{}: 'calibration' holds {} numbers in place of 2; remove the file to begin again",
                      path.string(), numbers.size()));
    calibration_ = Calibration{numbers[0], numbers[1]};
  }

 private:
  Dense kernel_on_device() const {
    Dense out = exact_kernel(config_, problem_, device_);
    if (problem_.is_regression()) add_constant(out);
    return out;
  }

  Backend<double>* device_;
  ExactNngpConfig config_;
  Inference inference_;
  const PreparedData& data_;
  const Problem& problem_;
  const Split& split_;
  std::vector<double> prediction_;
  std::optional<Calibration> calibration_;
};

FullRankModel full_rank_model(Backend<double>* device, const FullRankConfig& config, const Problem& problem) {
  FullRankModel out;
  out.mixing = problem.relations.first();
  const int matrices = device == nullptr ? 1 : FullRankDkm::matrices(static_cast<int>(config.nu.size()));
  out.input = features_gram(problem.features, matrices, device);  // features come divided by √d: see prepare
  out.nu = config.nu;
  out.kernel = config.kernel;
  double mean_diagonal = 0;
  for (const double value : diagonal(out.input)) mean_diagonal += value / static_cast<double>(out.input.rows);
  out.jitter = config.jitter * (mean_diagonal > 0 ? mean_diagonal : 1.0);
  return out;
}

class FullRankLearner final : public ExactLearner {
 public:
  FullRankLearner(Backend<double>* device, const FullRankConfig& config, const TrainOptions& options,
                  const PreparedData& data, const Split& split)
      : problem_(data.problem),
        options_(options),
        threads_(data.settings.device.threads),
        n_train_(static_cast<double>(split.train.size())),
        targets_(targets_of(problem_, split.train)),
        scale_(standardise(problem_, true, targets_)),
        dkm_(full_rank_model(device, config, problem_)),
        top_(split.train, targets_, config.noise),
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
  Dense kernel() override { return to_host(dkm_.output_kernel()); }
  TensorFile save_state() override {
    TensorFile out = optimiser_.save();
    out.tensors.merge(with_numbers({{"loss", losses_}}).tensors);
    return out;
  }
  void restore_state(const TensorFile& state, const std::filesystem::path& path) override {
    losses_ = numbers_of(state, "loss", path);
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

TensorFile ExactLearner::model_file(const ModelCard& /*card*/) {
  throw InputError("exact models are not saved; train with inducing points (without " + option("exact") +
                   ") to predict on new data");
}

std::unique_ptr<ExactLearner> make_exact_learner(Backend<double>* device, const ExactNngpConfig& config,
                                                 const TrainOptions& options, const PreparedData& data,
                                                 const Split& split) {
  return std::make_unique<ExactNngp>(device, config, options, data, split);
}

std::unique_ptr<ExactLearner> make_exact_learner(Backend<double>* device, const FullRankConfig& config,
                                                 const TrainOptions& options, const PreparedData& data,
                                                 const Split& split) {
  return std::make_unique<FullRankLearner>(device, config, options, data, split);
}

}  // namespace gdkm
