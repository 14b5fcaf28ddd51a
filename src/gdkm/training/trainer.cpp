#include "gdkm/training/trainer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "gdkm/dataset/shuffle.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/schedule.hpp"

namespace gdkm {

namespace {
/// How far the device may be behind.
constexpr std::size_t most_in_flight = 32;

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
  for (const Batch& batch : make_batches(problem, train, points.nodes, config.layers, how, options.seed)) {
    runs_.emplace_back();
    runs_.back().batch = upload(problem, batch, points);
  }
  input_bytes_ = backend.bytes_in_use() - before;

  keeps_networks_ = runs_.size() == 1 || problem.task == Task::graph;
  build(runs_.front());
  model_.initialise(points);
  if (problem.is_regression()) {
    const auto as_t = [](const std::vector<double>& values) {
      return std::vector<T>(values.begin(), values.end());
    };
    model_.parameters().set("readout.target_mean", as_t(target_mean_));
    model_.parameters().set("readout.target_scale", as_t(target_scale_));
  }
  clock_ = Buffer<Clock>(backend, 1);
  optimiser_ = std::make_unique<Optimiser<T>>(backend, model_.parameters());
  for (std::size_t k = 0; k < most_in_flight; ++k) {
    flights_.emplace_back();
    flights_.back().numbers =
        backend.make_readback(static_cast<std::size_t>(runs_.front().network->numbers().cols) * sizeof(T));
  }
  for (Run& run : runs_) keeps_networks_ ? build(run) : forget(run);
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
  for (const Run& run : runs_) most = std::max(most, run.batch.inputs.nodes);
  return most;
}

template <class T>
void Trainer<T>::build(Run& run) {
  if (run.network) return;
  run.network = model_.network(run.batch.inputs, true);
  run.recording = model_.backend().record([this, &run] { compute(run); });
}

template <class T>
void Trainer<T>::forget(Run& run) {
  run.recording.reset();
  run.network.reset();
}

template <class T>
void Trainer<T>::compute(Run& run) {
  const Stream stream{options_.seed, Purpose::sampling, 0, &clock_.data()->turn};
  const double repeats = n_train_ / static_cast<double>(run.batch.count());
  const T scale = static_cast<T>(-1.0 / n_train_);
  run.network->forward();
  if (run.batch.targets.count() > 0) {
    run.network->backward(run.batch.targets, scale, repeats);
  } else {
    run.network->backward(run.batch.labels, stream, scale, {}, repeats);
  }
  optimiser_->step(clock_.data());
}

template <class T>
double Trainer<T>::step() {
  if (runs_.size() == 1) {
    begin(runs_.front(), 0, 1, true);
  } else {
    std::vector<std::size_t> order(runs_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Random random(Stream{options_.seed, Purpose::shuffle, static_cast<std::uint32_t>(epoch()) + 2});
    shuffle(order, random);
    double seen = 0;
    for (std::size_t turn = 0; turn < order.size(); ++turn) {
      Run& run = runs_[order[turn]];
      const auto nodes = static_cast<double>(run.batch.inputs.nodes);
      seen += nodes;
      begin(run, turn, nodes / seen, turn + 1 == order.size());
    }
  }
  ++epochs_in_flight_;
  collect(finished() || !keeps_networks_ ? 0 : most_in_flight - 1);
  return history_.loss.empty() ? std::numeric_limits<double>::quiet_NaN() : history_.loss.back();
}

template <class T>
void Trainer<T>::begin(Run& run, std::size_t turn, double weight, bool last_of_epoch) {
  collect(most_in_flight - 1);
  build(run);
  const auto count = static_cast<std::uint32_t>(runs_.size());
  Clock now;
  now.rate = learning_rate(epoch(), options_.epochs, options_.rate);
  now.count = optimiser_->count_one();
  now.turn = static_cast<std::uint32_t>(epoch()) * count + static_cast<std::uint32_t>(turn);
  model_.backend().set_clock(now, clock_.data());
  if (runs_.size() > 1) run.network->set_mean_weight(weight);
  run.recording->replay();
  Flight& flight = flights_[(first_flight_ + in_flight_++) % flights_.size()];
  flight.numbers->start(run.network->numbers().data);
  flight.run = &run;
  flight.epoch = epoch();
  flight.last_of_epoch = last_of_epoch;
  if (keeps_networks_) return;
  collect(0);
  forget(run);
}

template <class T>
void Trainer<T>::collect(std::size_t most) {
  while (in_flight_ > 0 && (in_flight_ > most || flights_[first_flight_].numbers->ready())) {
    const Flight& flight = flights_[first_flight_];
    first_flight_ = (first_flight_ + 1) % flights_.size();
    --in_flight_;
    take_in(flight);
  }
}

template <class T>
void Trainer<T>::take_in(const Flight& flight) {
  const Network<T>& network = *flight.run->network;
  const std::span<const T> numbers(static_cast<const T*>(flight.numbers->wait()),
                                   static_cast<std::size_t>(network.numbers().cols));
  const Objective objective = network.objective(numbers);
  const Factorisations factorisations = network.factorisations(numbers);
  try {
    factorisations.check();
  } catch (const NumericalError& error) {
    throw NumericalError(fmt::format("epoch {}: {}", flight.epoch, error.what()));
  }
  const double loss = -objective.elbo / n_train_;
  if (!std::isfinite(loss)) {
    throw NumericalError(
        fmt::format("epoch {}: the loss is not finite (expected log-likelihood {}, KL of the weights {}); "
                    "try --precision float64 or a smaller --lr",
                    flight.epoch, objective.expected_log_likelihood, objective.kl_weights));
  }
  // 1e-5 in float32 is 9.99999975e-06: report what was asked for.
  if (factorisations.jitter > history_.jitter)
    history_.jitter = std::max(history_.jitter, std::stod(fmt::format("{:.6g}", factorisations.jitter)));
  epoch_loss_ += static_cast<double>(flight.run->batch.count()) / n_train_ * loss;
  if (!flight.last_of_epoch) return;
  history_.loss.push_back(epoch_loss_);
  epoch_loss_ = 0;
  --epochs_in_flight_;
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace gdkm
