#include "gdkm/training/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gdkm/graph/distribute.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/own_items.hpp"

namespace gdkm {

namespace {

/// Means and standard deviations of what would be observed, on the scale of the targets.
template <class T>
std::vector<double> numbers_of(Dkm<T>& model, const Matrix<T>& mean, const Matrix<T>& deviation) {
  std::vector<double> out;
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
  return out;
}

/// Standard normal numbers, one row per draw: a rank-one sequence with irrational steps, each point with its
/// mirror image.
template <class T>
Matrix<T> prediction_draws(Backend<T>& backend, Index classes) {
  // The root of x^(d+1) = x + 1 spreads points evenly in d dimensions.
  double root = 2;
  for (int k = 0; k < 60; ++k) root = std::pow(1 + root, 1 / (static_cast<double>(classes) + 1));
  std::vector<T> out(static_cast<std::size_t>(prediction_samples * classes));
  for (Index s = 0; s < prediction_samples / 2; ++s) {
    double step = 1;
    for (Index c = 0; c < classes; ++c) {
      step /= root;
      const double place = 0.5 + static_cast<double>(s + 1) * step;
      const double z = inverse_normal(place - std::floor(place));
      out[static_cast<std::size_t>(2 * s * classes + c)] = static_cast<T>(z);
      out[static_cast<std::size_t>((2 * s + 1) * classes + c)] = static_cast<T>(-z);
    }
  }
  return Matrix<T>(backend, prediction_samples, classes, out);
}

/// The class of the largest mean is the most probable one: all logits of an item have the same variance.
/// Where the error of the draws says otherwise, the two are as good as equal, and change places.
void put_largest_mean_first(const std::vector<double>& mean, Index classes,
                            std::vector<double>& probabilities) {
  for (std::size_t r = 0; r < mean.size(); r += static_cast<std::size_t>(classes)) {
    const auto of = [&](const std::vector<double>& row) {
      return std::max_element(row.begin() + static_cast<std::ptrdiff_t>(r),
                              row.begin() + static_cast<std::ptrdiff_t>(r) + classes) -
             row.begin();
    };
    std::swap(probabilities[static_cast<std::size_t>(of(mean))],
              probabilities[static_cast<std::size_t>(of(probabilities))]);
  }
}

void check_finite(const std::vector<double>& probabilities) {
  if (std::all_of(probabilities.begin(), probabilities.end(), [](double p) { return std::isfinite(p); }))
    return;
  throw NumericalError("a predicted probability is not finite; try " + option("precision", "float64") +
                       " or a smaller " + option("lr"));
}

/// Predictions for the items of one part of the data.
template <class T>
std::vector<double> predict_inputs(Dkm<T>& model, const GraphInputs<T>& inputs,
                                   const std::optional<Calibration>& calibration, double& jitter) {
  Backend<T>& backend = model.backend();
  const auto network = model.network(inputs, false);
  network->forward();
  network->factorisations().check();
  jitter = std::max(jitter, network->factorisations().jitter);
  const Marginals<T> marginals(model, *network);
  network->output().marginals(0, marginals.mean, marginals.deviation);
  if (model.config().regression) {
    std::vector<double> out = numbers_of(model, marginals.mean, marginals.deviation);
    return calibration ? calibrated_numbers(std::move(out), static_cast<int>(model.classes()), *calibration)
                       : out;
  }
  const auto host_mean = marginals.mean.to_host();
  const std::vector<double> mean(host_mean.begin(), host_mean.end());
  std::vector<double> out;
  if (calibration) {
    Logits logits{model.classes(), mean, {}};
    for (const T s : marginals.deviation.to_host()) logits.variance.push_back(static_cast<double>(s) * s);
    out = class_probabilities(logits, *calibration);
    check_finite(out);
    return out;
  }
  const Matrix<T> probabilities(backend, network->items(), model.classes(), Space::nodes);
  backend.mean_softmax(marginals.mean, marginals.deviation, prediction_draws(backend, model.classes()),
                       probabilities);
  const auto host = probabilities.to_host();
  out.assign(host.begin(), host.end());
  check_finite(out);
  put_largest_mean_first(mean, model.classes(), out);
  return out;
}

std::vector<std::int32_t> range(Index first, Index last) {
  std::vector<std::int32_t> out(static_cast<std::size_t>(last - first));
  std::iota(out.begin(), out.end(), static_cast<std::int32_t>(first));
  return out;
}

/// All nodes of a problem, whatever their graphs.
Part whole(const Problem& problem, const Communicator* ranks) {
  if (problem.task == Task::graph && ranks != nullptr) {
    Part graphs = some_graphs(problem, range(0, problem.items()));
    graphs.graph_start.clear();
    return graphs;
  }
  Part out;
  out.features = problem.features;
  out.relations = problem.relations;
  out.nodes = range(0, problem.nodes());
  out.owner = problem.owner;
  return out;
}

/// So many graphs at a time; `rows_of` predicts for a part.
template <class RowsOf>
std::vector<double> predict_graphs(const Problem& problem, Index at_a_time, const RowsOf& rows_of) {
  std::vector<double> out;
  for (Index first = 0; first < problem.items(); first += at_a_time) {
    const auto graphs = range(first, std::min(problem.items(), first + at_a_time));
    const std::vector<double> rows = rows_of(some_graphs(problem, graphs));
    out.insert(out.end(), rows.begin(), rows.end());
  }
  return out;
}

/// Blocks of nodes, each with all that reaches it through `hops` mixes.
template <class RowsOf>
std::vector<double> predict_node_blocks(const Problem& problem, int hops, int blocks, const RowsOf& rows_of) {
  const auto share = partition_nodes(problem.relations, blocks, Partition::metis, 0);
  const auto classes = static_cast<std::size_t>(problem.columns());
  std::vector<double> out(static_cast<std::size_t>(problem.nodes()) * classes);
  for (int b = 0; b < blocks; ++b) {
    std::vector<std::int32_t> nodes;
    for (std::size_t i = 0; i < share.size(); ++i) {
      if (share[i] == b) nodes.push_back(static_cast<std::int32_t>(i));
    }
    if (nodes.empty()) continue;
    const Part part = within_reach(problem, nodes, hops);
    const std::vector<double> rows = rows_of(part);
    const auto numbers = part.numbers_of(nodes);
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      std::copy_n(rows.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(numbers[k]) * classes),
                  classes,
                  out.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(nodes[k]) * classes));
    }
  }
  return out;
}

template <class T>
NodeFeatures to_host(const Backend<T>& backend, View<T> f) {
  std::vector<T> host(static_cast<std::size_t>(f.size()));
  backend.download(f.data, host.data(), host.size() * sizeof(T));
  return {f.cols, {host.begin(), host.end()}, {}};
}

/// `layer`, where it is one of `count`; the last for −1.
int checked_layer(int layer, int count) {
  if (layer == -1 && count > 0) return count - 1;
  if (layer >= 0 && layer < count) return layer;
  throw InputError(count == 0 ? "layer " + std::to_string(layer) + ": the model has no hidden layer; add one"
                              : "layer " + std::to_string(layer) + ": the model has layers 0 to " +
                                    std::to_string(count - 1) + ", and -1 for the last; use one of these");
}

}  // namespace

double inverse_normal(double probability) {
  // Newton's method on Φ(x) = p, from where Φ is nearly a line, with steps that cannot leap.
  const double p = std::clamp(probability, 1e-12, 1 - 1e-12);
  double x = 0;
  for (int k = 0; k < 100; ++k) {
    const double error = 0.5 * std::erfc(-x / std::sqrt(2.0)) - p;
    const double slope = std::exp(-0.5 * x * x) / std::sqrt(2 * 3.141592653589793);
    const double step = std::clamp(error / slope, -0.5, 0.5);
    x -= step;
    if (std::abs(step) < 1e-14) break;
  }
  return x;
}

template <class T>
GraphInputs<T> inputs_of(Dkm<T>& model, const Part& part) {
  Backend<T>& backend = model.backend();
  const ModelConfig& config = model.config();
  GraphInputs<T> out =
      make_inputs<T>(backend, part.relations, part.features, part.numbers_of(model.inducing_nodes()),
                     config.mixes_inputs(), config.degree(), part.owner);
  if (part.graph_start.empty()) return out;
  if (backend.ranks() == nullptr) {
    out.pool = Sparse<T>(backend, pooling_matrix(part.graph_start, config.pooling));
    return out;
  }
  std::vector<std::int32_t> start{0};  // of own graphs, whose nodes are all own
  for (const auto g : nodes_of(part.graph_owner, backend.ranks()->rank())) {
    const auto graph = static_cast<std::size_t>(g);
    start.push_back(start.back() + part.graph_start[graph + 1] - part.graph_start[graph]);
  }
  DistributedCsr pool{pooling_matrix(start, config.pooling), {}, {}};
  pool.remote.rows = pool.own.rows;
  pool.remote.row_start = SharedVector<Index>(start.size(), 0);
  out.pool = Sparse<T>(backend, pool);
  return out;
}

template <class T>
Logits logits_of(Dkm<T>& model, Network<T>& network, const std::vector<std::int32_t>& items,
                 const Marginals<T>& marginals) {
  network.output().marginals(0, marginals.mean, marginals.deviation);
  const bool regression = model.config().regression;
  std::vector<double> rows;
  const auto deviation = marginals.deviation.to_host();
  if (regression) {
    rows = numbers_of(model, marginals.mean, marginals.deviation);
  } else {
    const auto host = marginals.mean.to_host();
    rows.assign(host.begin(), host.end());
  }
  Logits out;
  out.classes = regression ? 2 * model.classes() : model.classes();
  for (const auto item : items) {
    const auto first = rows.begin() + static_cast<std::ptrdiff_t>(item * out.classes);
    out.mean.insert(out.mean.end(), first, first + out.classes);
    const auto s = static_cast<double>(deviation[static_cast<std::size_t>(item)]);
    if (!regression) out.variance.push_back(s * s);
  }
  return out;
}

template <class T>
std::vector<double> predict(Dkm<T>& model, const Problem& problem,
                            const std::optional<Calibration>& calibration, double* used_jitter,
                            const BatchOptions& batches) {
  double jitter = 0;
  Communicator* ranks = model.backend().ranks();
  const auto rows_of = [&](const Part& part) {
    const Index columns = model.config().regression ? 2 * model.classes() : model.classes();
    return own_items(part, ranks)
        .collect(predict_inputs(model, inputs_of(model, part), calibration, jitter), columns, ranks);
  };
  std::vector<double> out;
  if (problem.task == Task::graph) {
    out = predict_graphs(problem, batches.graphs, rows_of);
  } else if (batches.batches > 1 && model.inducing_nodes().empty()) {
    out = predict_node_blocks(problem, model.config().hops(), batches.batches, rows_of);
  } else {
    out = rows_of(whole(problem, ranks));
  }
  if (used_jitter != nullptr) *used_jitter = jitter;
  return out;
}

template <class T>
std::vector<double> predict(Gcn<T>& model, const Problem& problem,
                            const std::optional<Calibration>& calibration, const BatchOptions& batches) {
  const GcnConfig& config = model.config();
  const auto calibrated = [&](std::vector<double> p) {
    return calibration ? class_probabilities(as_logits(std::move(p), model.classes()), *calibration) : p;
  };
  const auto rows_of = [&](const Part& part) {
    Csr pool;
    if (!part.graph_start.empty()) pool = pooling_matrix(part.graph_start, config.pooling);
    return calibrated(
        class_probabilities(model, make_gcn_inputs<T>(model.backend(), config, part.relations, part.features,
                                                      part.graph_start.empty() ? nullptr : &pool)));
  };
  if (problem.task == Task::graph) return predict_graphs(problem, batches.graphs, rows_of);
  if (batches.batches > 1) return predict_node_blocks(problem, config.layers, batches.batches, rows_of);
  return calibrated(class_probabilities(
      model, make_gcn_inputs<T>(model.backend(), config, problem.relations, problem.features)));
}

namespace {

/// `work(network, nodes)` of all nodes, after forward().
template <class T, class Work>
auto with_network(Dkm<T>& model, const Problem& problem, const Work& work) {
  const Part all = whole(problem, model.backend().ranks());
  const auto inputs = make_inputs<T>(model.backend(), all.relations, all.features, model.inducing_nodes(),
                                     model.config().mixes_inputs(), model.config().degree(), all.owner);
  const auto network = model.network(inputs, false);
  network->forward();
  network->factorisations().check();
  return work(*network, all);
}

}  // namespace

template <class T>
NodeFeatures features(Dkm<T>& model, const Problem& problem, int layer) {
  return with_network(model, problem, [&](Network<T>& network, const Part& all) {
    const auto& layers = network.gram_features();
    const auto of = static_cast<std::size_t>(checked_layer(layer, static_cast<int>(layers.size())));
    NodeFeatures out = to_host<T>(model.backend(), (layer == -1 ? network.features() : *layers[of]).f_t());
    Communicator* ranks = model.backend().ranks();
    out.values = own_items(all, ranks).collect(out.values, out.width, ranks);
    return out;
  });
}

template <class T>
std::vector<NodeFeatures> inducing_features(Dkm<T>& model, const Problem& problem) {
  return with_network(model, problem, [&](Network<T>& network, const Part& /*all*/) {
    std::vector<NodeFeatures> out;
    for (DenseFeatures<T>* layer : network.gram_features())
      out.push_back(to_host<T>(model.backend(), layer->f_i()));
    return out;
  });
}

template <class T>
std::vector<NodeFeatures> inducing_features(Gcn<T>& /*model*/, const Problem& /*problem*/) {
  throw InputError("a GCN has no inducing points; ask for the features of nodes");
}

template <class T>
NodeFeatures features(Gcn<T>& model, const Problem& problem, int layer) {
  const int of = checked_layer(layer, model.config().hidden_layers());
  const auto inputs =
      make_gcn_inputs<T>(model.backend(), model.config(), problem.relations, problem.features);
  const auto network = model.network(inputs, false);
  network->predict();
  return to_host<T>(model.backend(), network->hidden(of + 1));
}

#define GDKM_INSTANTIATE(T)                                                                                 \
  template GraphInputs<T> inputs_of(Dkm<T>&, const Part&);                                                  \
  template Logits logits_of(Dkm<T>&, Network<T>&, const std::vector<std::int32_t>&, const Marginals<T>&);   \
  template std::vector<double> predict(Dkm<T>&, const Problem&, const std::optional<Calibration>&, double*, \
                                       const BatchOptions&);                                                \
  template std::vector<double> predict(Gcn<T>&, const Problem&, const std::optional<Calibration>&,          \
                                       const BatchOptions&);                                                \
  template NodeFeatures features(Dkm<T>&, const Problem&, int);                                             \
  template NodeFeatures features(Gcn<T>&, const Problem&, int);                                             \
  template std::vector<NodeFeatures> inducing_features(Dkm<T>&, const Problem&);                            \
  template std::vector<NodeFeatures> inducing_features(Gcn<T>&, const Problem&)
GDKM_INSTANTIATE(float);
GDKM_INSTANTIATE(double);
#undef GDKM_INSTANTIATE

}  // namespace gdkm
