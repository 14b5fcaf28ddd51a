#include "gdkm/training/trainer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "gdkm/support/error.hpp"
#include "gdkm/training/schedule.hpp"

namespace gdkm {

template <class T>
Trainer<T>::Trainer(Backend<T>& backend, const Problem& problem, const std::vector<std::int32_t>& train,
                    const ModelConfig& config, const TrainOptions& options)
    : options_(options), model_(backend, config, problem.features.cols, problem.classes) {
  const InducingPoints points =
      choose_inducing_points(problem.mixing, problem.features, config, options.init, options.seed);

  std::vector<std::int32_t> seeds = train;
  seeds.insert(seeds.end(), points.nodes.begin(), points.nodes.end());
  if (!options.only_within_reach) {
    seeds.resize(static_cast<std::size_t>(problem.adjacency.rows));
    std::iota(seeds.begin(), seeds.end(), 0);
  }
  const Part part = within_reach(problem, seeds, config.layers);
  const std::size_t before = backend.bytes_in_use();
  inputs_ = make_inputs<T>(backend, part.mixing, part.features, part.numbers_of(points.nodes));

  std::vector<std::int32_t> label;
  for (const auto node : train) label.push_back(problem.label[node]);
  labels_ = {Buffer<std::int32_t>(backend, part.numbers_of(train)), Buffer<std::int32_t>(backend, label)};

  input_bytes_ = backend.bytes_in_use() - before;

  network_ = model_.network(inputs_, true);
  model_.initialise(points);
  optimiser_ = std::make_unique<Optimiser<T>>(backend, model_.parameters());
  history_.loss.reserve(static_cast<std::size_t>(options.epochs));
}

template <class T>
double Trainer<T>::step() {
  const auto n_train = static_cast<double>(labels_.count());
  const Stream stream{options_.seed, Purpose::sampling, static_cast<std::uint32_t>(epoch())};
  network_->forward();
  network_->backward(labels_, stream, static_cast<T>(-1.0 / n_train));
  const Objective objective = network_->objective();
  const Factorisations factorisations = network_->factorisations();
  try {
    factorisations.check();
  } catch (const NumericalError& error) {
    throw NumericalError(fmt::format("epoch {}: {}", epoch(), error.what()));
  }
  const double loss = -objective.elbo / n_train;
  if (!std::isfinite(loss)) {
    throw NumericalError(
        fmt::format("epoch {}: the loss is not finite (expected log-likelihood {}, KL of the weights {}); "
                    "try --precision float64 "
                    "or a smaller --lr",
                    epoch(), objective.expected_log_likelihood, objective.kl_weights));
  }
  optimiser_->step(learning_rate(epoch(), options_.epochs, options_.rate));
  history_.loss.push_back(loss);
  // 1e-5 in float32 is 9.99999975e-06: report what was asked for.
  history_.jitter = std::max(history_.jitter, std::stod(fmt::format("{:.6g}", factorisations.jitter)));
  return loss;
}

template class Trainer<float>;
template class Trainer<double>;

}  // namespace gdkm
