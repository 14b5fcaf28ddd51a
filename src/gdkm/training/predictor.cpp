#include "gdkm/training/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

/// Means and standard deviations of what would be observed, on the scale of the targets.
template <class T>
void append_numbers(Dkm<T>& model, const Matrix<T>& mean, const Matrix<T>& deviation,
                    std::vector<double>& out) {
  const Parameters<T>& parameters = model.parameters();
  const auto shift = parameters.get("readout.target_mean"), scale = parameters.get("readout.target_scale");
  const double noise = std::exp(static_cast<double>(parameters.get("readout.log_noise")[0]));
  const auto means = mean.to_host(), deviations = deviation.to_host();
  const std::size_t outputs = shift.size();
  for (std::size_t r = 0; r < deviations.size(); ++r) {
    const double spread = std::sqrt(std::pow(static_cast<double>(deviations[r]), 2) + noise);
    for (std::size_t c = 0; c < outputs; ++c)
      out.push_back(static_cast<double>(means[r * outputs + c]) * static_cast<double>(scale[c]) +
                    static_cast<double>(shift[c]));
    for (std::size_t c = 0; c < outputs; ++c) out.push_back(spread * static_cast<double>(scale[c]));
  }
}

/// Predictions for the items of one part of the data, appended to `out`.
template <class T>
void predict_inputs(Dkm<T>& model, const GraphInputs<T>& inputs, std::uint64_t seed, double& jitter,
                    std::vector<double>& out) {
  Backend<T>& backend = model.backend();
  const auto network = model.network(inputs, false);
  const Index items = network->items(), classes = model.classes();
  const Matrix<T> mean(backend, items, classes), deviation(backend, 1, items),
      probabilities(backend, items, classes);
  const Matrix<T> noise(backend, prediction_samples, classes);
  backend.normals(Stream{seed, Purpose::prediction, 0}, noise);
  network->forward();
  network->factorisations().check();
  jitter = std::max(jitter, network->factorisations().jitter);
  network->output().marginals(0, mean, deviation);
  if (model.config().regression) return append_numbers(model, mean, deviation, out);
  backend.mean_softmax(mean, deviation, noise, probabilities);
  const auto host = probabilities.to_host();
  if (!std::all_of(host.begin(), host.end(), [](T p) { return std::isfinite(p); })) {
    throw NumericalError("a predicted probability is not finite; try --precision float64 or a smaller --lr");
  }
  out.insert(out.end(), host.begin(), host.end());
}

template <class T>
GraphInputs<T> inputs_of(Dkm<T>& model, const Part& part) {
  Backend<T>& backend = model.backend();
  const ModelConfig& config = model.config();
  GraphInputs<T> out = make_inputs<T>(backend, part.mixing, part.features,
                                      part.numbers_of(model.inducing_nodes()), config.mixes_inputs());
  if (!part.graph_start.empty())
    out.pool = Sparse<T>(backend, pooling_matrix(part.graph_start, config.pooling));
  return out;
}

std::vector<std::int32_t> range(Index first, Index last) {
  std::vector<std::int32_t> out(static_cast<std::size_t>(last - first));
  std::iota(out.begin(), out.end(), static_cast<std::int32_t>(first));
  return out;
}

/// Blocks of nodes, each with all that reaches it.
template <class T>
void predict_node_blocks(Dkm<T>& model, const Problem& problem, std::uint64_t seed, int blocks,
                         double& jitter, std::vector<double>& out) {
  const auto share = partition_nodes(problem.mixing, blocks, Partition::metis, 0);
  const auto classes = static_cast<std::size_t>(problem.columns());
  out.resize(static_cast<std::size_t>(problem.nodes()) * classes);
  for (int b = 0; b < blocks; ++b) {
    std::vector<std::int32_t> nodes;
    for (std::size_t i = 0; i < share.size(); ++i) {
      if (share[i] == b) nodes.push_back(static_cast<std::int32_t>(i));
    }
    if (nodes.empty()) continue;
    const Part part = within_reach(problem, nodes, model.config().layers);
    std::vector<double> rows;
    predict_inputs(model, inputs_of(model, part), seed, jitter, rows);
    const auto numbers = part.numbers_of(nodes);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(numbers[k]) * classes),
                  classes,
                  out.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(nodes[k]) * classes));
    }
  }
}

}  // namespace

template <class T>
std::vector<double> predict(Dkm<T>& model, const Problem& problem, std::uint64_t seed, double* used_jitter,
                            const BatchOptions& batches) {
  std::vector<double> out;
  double jitter = 0;
  if (problem.task == Task::graph) {
    for (Index first = 0; first < problem.items(); first += batches.graphs) {
      const auto graphs = range(first, std::min(problem.items(), first + batches.graphs));
      predict_inputs(model, inputs_of(model, some_graphs(problem, graphs)), seed, jitter, out);
    }
  } else if (batches.batches > 1 && model.inducing_nodes().empty()) {
    predict_node_blocks(model, problem, seed, batches.batches, jitter, out);
  } else {
    const auto inputs = make_inputs<T>(model.backend(), problem.mixing, problem.features,
                                       model.inducing_nodes(), model.config().mixes_inputs());
    predict_inputs(model, inputs, seed, jitter, out);
  }
  if (used_jitter != nullptr) *used_jitter = jitter;
  return out;
}

template <class T>
NodeFeatures features(Dkm<T>& model, const Problem& problem, int layer) {
  const auto inputs = make_inputs<T>(model.backend(), problem.mixing, problem.features,
                                     model.inducing_nodes(), model.config().mixes_inputs());
  const auto network = model.network(inputs, false);
  network->forward();
  network->factorisations().check();
  const auto& layers = network->gram_features();
  if (layer < -1 || layer >= static_cast<int>(layers.size())) {
    throw InputError("layer " + std::to_string(layer) + ": the model has layers 0 to " +
                     std::to_string(layers.size() - 1) +
                     ", and -1 is what the readout takes; use one of these");
  }
  const View<T> f = (layer < 0 ? network->features() : *layers[static_cast<std::size_t>(layer)]).f_t();
  std::vector<T> host(static_cast<std::size_t>(f.size()));
  model.backend().download(f.data, host.data(), host.size() * sizeof(T));
  return {f.cols, {host.begin(), host.end()}};
}

template std::vector<double> predict(Dkm<float>&, const Problem&, std::uint64_t, double*,
                                     const BatchOptions&);
template std::vector<double> predict(Dkm<double>&, const Problem&, std::uint64_t, double*,
                                     const BatchOptions&);
template NodeFeatures features(Dkm<float>&, const Problem&, int);
template NodeFeatures features(Dkm<double>&, const Problem&, int);

}  // namespace gdkm
