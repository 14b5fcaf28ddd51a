#include "gdkm/training/trainer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "gdkm/data/shuffle.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/schedule.hpp"

namespace gdkm {

namespace {
ModelConfig with_task(ModelConfig config, const Problem& problem) {
  config.regression = problem.is_regression();
  return config;
}
}  // namespace

template <class T>
Trainer<T>::Trainer(Backend<T>& backend, const Problem& problem, const std::vector<std::int32_t>& train,
                    const ModelConfig& config, const TrainOptions& options)
    : options_(options),
      model_(backend, with_task(config, problem), problem.features.cols, problem.outputs()),
      n_train_(static_cast<double>(train.size())) {
  const InducingPoints points =
      choose_inducing_points(problem.mixing, problem.features, config, options.init, options.seed);
  BatchOptions how = options.batches;
  how.only_within_reach = how.only_within_reach && !config.center;  // the mean is over all nodes
  if (problem.is_regression()) standardise_targets(problem, train);
  const std::size_t before = backend.bytes_in_use();
  for (const Batch& batch : make_batches(problem, train, points.nodes, config.layers, how, options.seed))
    batches_.push_back(upload(problem, batch, points));
  input_bytes_ = backend.bytes_in_use() - before;

  network_ = model_.network(batches_.front().inputs, true);
  model_.initialise(points);
  if (problem.is_regression()) {
    const auto as_t = [](const std::vector<double>& values) {
      return std::vector<T>(values.begin(), values.end());
    };
    model_.parameters().set("readout.target_mean", as_t(target_mean_));
    model_.parameters().set("readout.target_scale", as_t(target_scale_));
  }
  if (batches_.size() > 1) network_.reset();
  optimiser_ = std::make_unique<Optimiser<T>>(backend, model_.parameters());
  history_.loss.reserve(static_cast<std::size_t>(options.epochs));
}

template <class T>
void Trainer<T>::standardise_targets(const Problem& problem, const std::vector<std::int32_t>& train) {
  const auto k = static_cast<std::size_t>(problem.targets);
  const double count = std::max(1.0, static_cast<double>(train.size()));
  target_mean_.assign(k, 0.0);
  target_scale_.assign(k, 0.0);
  const auto target = [&](std::int32_t item, std::size_t c) {
    return static_cast<double>(problem.target[static_cast<std::size_t>(item) * k + c]);
  };
  for (std::size_t c = 0; c < k; ++c) {
    for (const auto item : train) target_mean_[c] += target(item, c) / count;
    for (const auto item : train) target_scale_[c] += std::pow(target(item, c) - target_mean_[c], 2) / count;
    target_scale_[c] = target_scale_[c] > 0 ? std::sqrt(target_scale_[c]) : 1.0;
  }
}

template <class T>
auto Trainer<T>::upload(const Problem& problem, const Batch& batch, const InducingPoints& points)
    -> DeviceBatch {
  Backend<T>& backend = model_.backend();
  const ModelConfig& config = model_.config();
  const Part& part = batch.part;
  DeviceBatch out;
  out.inputs = make_inputs<T>(backend, part.mixing, part.features, part.numbers_of(points.nodes),
                              config.mixes_inputs());
  if (!part.graph_start.empty())
    out.inputs.pool = Sparse<T>(backend, pooling_matrix(part.graph_start, config.pooling));
  if (!problem.is_regression()) {
    out.labels = {Buffer<std::int32_t>(backend, batch.item), Buffer<std::int32_t>(backend, batch.label)};
    return out;
  }
  std::vector<T> values;
  for (const auto item : batch.whole) {
    for (std::size_t c = 0; c < target_mean_.size(); ++c) {
      const double y =
          static_cast<double>(problem.target[static_cast<std::size_t>(item) * target_mean_.size() + c]);
      values.push_back(static_cast<T>((y - target_mean_[c]) / target_scale_[c]));
    }
  }
  out.targets = {Buffer<std::int32_t>(backend, batch.item),
                 Matrix<T>(backend, static_cast<Index>(batch.item.size()), problem.targets, values)};
  return out;
}

template <class T>
Index Trainer<T>::nodes_in_use() const {
  Index most = 0;
  for (const DeviceBatch& batch : batches_) most = std::max(most, batch.inputs.nodes);
  return most;
}

template <class T>
double Trainer<T>::step() {
  double loss = 0;
  if (batches_.size() == 1) {
    loss = step(*network_, batches_.front(), 0, 1);
  } else {
    std::vector<std::size_t> order(batches_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(Stream{options_.seed, Purpose::shuffle, static_cast<std::uint32_t>(epoch()) + 2});
    shuffle(order, random);
    double seen = 0;
    for (std::size_t turn = 0; turn < order.size(); ++turn) {
      const DeviceBatch& batch = batches_[order[turn]];
      const auto nodes = static_cast<double>(batch.inputs.nodes);
      seen += nodes;
      const auto network = model_.network(batch.inputs, true);
      const double share = static_cast<double>(batch.count()) / n_train_;
      loss += share * step(*network, batch, turn, nodes / seen);
    }
  }
  history_.loss.push_back(loss);
  return loss;
}

template <class T>
double Trainer<T>::step(Network<T>& network, const DeviceBatch& batch, std::size_t turn, double weight) {
  const auto count = static_cast<std::uint32_t>(batches_.size());
  const Stream stream{options_.seed, Purpose::sampling,
                      static_cast<std::uint32_t>(epoch()) * count + static_cast<std::uint32_t>(turn)};
  const double repeats = n_train_ / static_cast<double>(batch.count());
  network.forward(weight);
  const T scale = static_cast<T>(-1.0 / n_train_);
  if (batch.targets.count() > 0) {
    network.backward(batch.targets, scale, repeats);
  } else {
    network.backward(batch.labels, stream, scale, {}, repeats);
  }
  const Objective objective = network.objective();
  const Factorisations factorisations = network.factorisations();
  try {
    factorisations.check();
  } catch (const NumericalError& error) {
    throw NumericalError(fmt::format("epoch {}: {}", epoch(), error.what()));
  }
  const double loss = -objective.elbo / n_train_;
  if (!std::isfinite(loss)) {
    throw NumericalError(
        fmt::format("epoch {}: the loss is not finite (expected log-likelihood {}, KL of the weights {}); "
                    "try --precision float64 or a smaller --lr",
                    epoch(), objective.expected_log_likelihood, objective.kl_weights));
  }
  optimiser_->step(learning_rate(epoch(), options_.epochs, options_.rate));
  // 1e-5 in float32 is 9.99999975e-06: report what was asked for.
  history_.jitter = std::max(history_.jitter, std::stod(fmt::format("{:.6g}", factorisations.jitter)));
  return loss;
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace gdkm
