#include "gdkm/training/dkm_trainable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

/// Numbers to predict are trained on with mean 0 and variance 1.
struct TargetScale {
  std::vector<double> mean, deviation;
};

TargetScale scale_of_targets(const Problem& problem, const std::vector<std::int32_t>& train) {
  const auto k = static_cast<std::size_t>(problem.targets);
  const double count = std::max(1.0, static_cast<double>(train.size()));
  TargetScale out{std::vector<double>(k), std::vector<double>(k)};
  const auto target = [&](std::int32_t item, std::size_t c) {
    return static_cast<double>(problem.target[static_cast<std::size_t>(item) * k + c]);
  };
  for (std::size_t c = 0; c < k; ++c) {
    for (const auto item : train) out.mean[c] += target(item, c) / count;
    for (const auto item : train) out.deviation[c] += std::pow(target(item, c) - out.mean[c], 2) / count;
    out.deviation[c] = out.deviation[c] > 0 ? std::sqrt(out.deviation[c]) : 1.0;
  }
  return out;
}

/// What the steps of all batches share.
struct DkmSteps {
  std::uint64_t seed = 0;
  double n_train = 0;
};

template <class T>
class DkmBatch final : public TrainingBatch<T> {
 public:
  DkmBatch(Dkm<T>& model, const DkmSteps& steps, GraphInputs<T> inputs, Labels labels, Targets<T> targets)
      : model_(model),
        steps_(steps),
        inputs_(std::move(inputs)),
        labels_(std::move(labels)),
        targets_(std::move(targets)) {}

  Index nodes() const override { return inputs_.nodes; }
  Index items() const override { return is_regression() ? targets_.count() : labels_.count(); }
  void build() override { network_ = model_.network(inputs_, true); }
  void release() override { network_.reset(); }
  void set_mean_weight(double weight) override { network_->set_mean_weight(weight); }

  void compute_gradients(const std::uint32_t* turn) override {
    const Stream stream{steps_.seed, Purpose::sampling, 0, turn};
    const double repeats = steps_.n_train / static_cast<double>(items());
    const T scale = static_cast<T>(-1.0 / steps_.n_train);
    network_->forward();
    if (is_regression()) {
      network_->backward(targets_, scale, repeats);
    } else {
      network_->backward(labels_, stream, scale, {}, repeats);
    }
  }

  View<T> numbers() const override { return network_->numbers(); }

  StepReport report(std::span<const T> numbers) const override {
    const Objective objective = network_->objective(numbers);
    const Factorisations factorisations = network_->factorisations(numbers);
    factorisations.check();
    const double loss = -objective.elbo / steps_.n_train;
    if (!std::isfinite(loss)) {
      throw NumericalError(fmt::format(
          "the loss is not finite (expected log-likelihood {}, KL of the weights {}); try {} or a "
          "smaller {}",
          objective.expected_log_likelihood, objective.kl_weights, option("precision", "float64"),
          option("lr")));
    }
    return {loss, factorisations.jitter};
  }

 private:
  bool is_regression() const { return targets_.count() > 0; }

  Dkm<T>& model_;
  DkmSteps steps_;
  GraphInputs<T> inputs_;
  Labels labels_;
  Targets<T> targets_;
  std::unique_ptr<Network<T>> network_;
};

template <class T>
class DkmTrainable final : public Trainable<T> {
 public:
  DkmTrainable(Dkm<T>& model, const Problem& problem, const std::vector<std::int32_t>& train,
               const TrainOptions& options)
      : model_(model), steps_{options.seed, static_cast<double>(train.size())} {
    model.declare_parameters();
    model.initialise(
        choose_inducing_points(problem.mixing, problem.features, model.config(), options.init, options.seed));
    if (!problem.is_regression()) return;
    scale_ = scale_of_targets(problem, train);
    const auto keep = [&](const std::string& name, const std::vector<double>& values) {
      model.parameters().set(name, std::vector<T>(values.begin(), values.end()));
    };
    keep("readout.target_mean", scale_.mean);  // the model predicts on the scale of the targets
    keep("readout.target_scale", scale_.deviation);
  }

  Backend<T>& backend() override { return model_.backend(); }
  Parameters<T>& parameters() override { return model_.parameters(); }
  typename Trainable<T>::Reach reach() const override {
    // Centred kernels subtract the mean over all nodes.
    return {model_.config().layers, model_.inducing_nodes(), model_.config().center};
  }

  std::unique_ptr<TrainingBatch<T>> upload(const Problem& problem, const Batch& batch) override {
    Backend<T>& backend = model_.backend();
    const ModelConfig& config = model_.config();
    const Part& part = batch.part;
    GraphInputs<T> inputs = make_inputs<T>(backend, part.mixing, part.features,
                                           part.numbers_of(model_.inducing_nodes()), config.mixes_inputs());
    if (!part.graph_start.empty())
      inputs.pool = Sparse<T>(backend, pooling_matrix(part.graph_start, config.pooling));
    Labels labels;
    Targets<T> targets;
    if (problem.is_regression()) {
      targets = {Buffer<std::int32_t>(backend, batch.item),
                 Matrix<T>(backend, static_cast<Index>(batch.item.size()), problem.targets,
                           standardised(problem, batch.whole))};
    } else {
      labels = {Buffer<std::int32_t>(backend, batch.item), Buffer<std::int32_t>(backend, batch.label)};
    }
    return std::make_unique<DkmBatch<T>>(model_, steps_, std::move(inputs), std::move(labels),
                                         std::move(targets));
  }

 private:
  std::vector<T> standardised(const Problem& problem, const std::vector<std::int32_t>& items) const {
    std::vector<T> out;
    const std::size_t k = scale_.mean.size();
    for (const auto item : items) {
      for (std::size_t c = 0; c < k; ++c) {
        const auto y = static_cast<double>(problem.target[static_cast<std::size_t>(item) * k + c]);
        out.push_back(static_cast<T>((y - scale_.mean[c]) / scale_.deviation[c]));
      }
    }
    return out;
  }

  Dkm<T>& model_;
  DkmSteps steps_;
  TargetScale scale_;
};

}  // namespace

template <class T>
std::unique_ptr<Dkm<T>> make_model(Backend<T>& backend, const ModelConfig& config, const Problem& problem) {
  ModelConfig with_task = config;
  with_task.regression = problem.is_regression();
  return std::make_unique<Dkm<T>>(backend, with_task, problem.features.cols, problem.outputs());
}

template <class T>
std::unique_ptr<Trainable<T>> make_trainable(Dkm<T>& model, const Problem& problem,
                                             const std::vector<std::int32_t>& train,
                                             const TrainOptions& options) {
  return std::make_unique<DkmTrainable<T>>(model, problem, train, options);
}

#define GDKM_INSTANTIATE(T)                                                                     \
  template std::unique_ptr<Dkm<T>> make_model(Backend<T>&, const ModelConfig&, const Problem&); \
  template std::unique_ptr<Trainable<T>> make_trainable(                                        \
      Dkm<T>&, const Problem&, const std::vector<std::int32_t>&, const TrainOptions&)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
