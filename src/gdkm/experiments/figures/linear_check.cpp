#include "gdkm/experiments/figures/linear_check.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/kernel_picture.hpp"
#include "gdkm/graph/graph.hpp"
#include "gdkm/models/exact/full_rank_training.hpp"
#include "gdkm/models/exact/gp_regression.hpp"
#include "gdkm/models/exact/linear_closed_form.hpp"
#include "gdkm/models/exact/wide_network_kernels.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {

namespace {

/// A standard Wishart sample of 2n degrees of freedom, over these: its mean is I, its condition moderate. Of
/// n degrees, a sample is all but singular and Adam stays far from the optimum for tens of thousands of
/// steps.
Dense wishart(Index n, Random& random) {
  Dense f(n, 2 * n);
  const double scale = 1 / std::sqrt(static_cast<double>(f.cols));
  for (double& value : f.value) value = scale * random.normal();
  return gram(f);
}

/// Sets the parameters such that G_ℓ = grams[ℓ]: L = H⁻¹ chol(G), by its entries and the logarithms of those
/// on the diagonal.
void start_at(FullRankDkm& dkm, const std::vector<Dense>& grams) {
  for (int layer = 0; layer < static_cast<int>(grams.size()); ++layer) {
    const auto k = static_cast<std::size_t>(layer);
    const Cholesky proposal = dkm.model().proposal(layer == 0 ? dkm.model().input : grams[k - 1]);
    Dense lower = solve_lower(Op::none, proposal.factor, cholesky(grams[k], 0, "a Wishart sample").factor);
    keep_lower(lower);
    for (Index r = 0; r < lower.rows; ++r) lower(r, r) = std::log(lower(r, r));
    dkm.parameters(layer) = std::move(lower);
  }
}

double relative_distance(Dense a, const Dense& b) {
  add(1, a, -1, b);
  return std::sqrt(inner_product(a, a) / inner_product(b, b));
}

}  // namespace

LinearCheckOptions LinearCheckOptions::quick() {
  LinearCheckOptions out;
  out.nodes = 40;
  out.steps = 3000;
  return out;
}

double LinearCheck::worst() const {
  return *std::max_element(distance.begin(), distance.end());
}

std::optional<LinearCheck> linear_check(const Dataset& dataset, const LinearCheckOptions& options,
                                        const ExperimentObserver& observer) {
  if (dataset.task != Task::node || dataset.is_regression())
    throw InputError(dataset.name + ": linear-check takes one graph whose nodes have classes");
  const DenseThreads alone(1);  // matrices this small gain nothing from more
  const auto nodes = sampled_nodes(dataset.label, options.nodes, options.seed);
  LinearCheck out;
  out.dataset = dataset.name;
  out.label = labels_of(dataset.label, nodes);

  FullRankModel model;
  model.mixing = normalised_adjacency(submatrix(adjacency(dataset.graph), nodes, nodes), options.lambda);
  model.input = linear_kernel(normalise(select_rows(dataset.features, nodes), Normalisation::l2));
  model.nu = {1, 1};
  model.kernel = KernelKind::linear;
  model.jitter = 0;
  out.target = gram(one_hot(dataset.label, nodes, dataset.classes));
  add_to_diagonal(options.nugget, out.target);
  auto exact = linear_closed_form(model.mixing, model.input, out.target, 2);
  if (exact.jitter > 0) {
    // Nodes with the same features: both ways must see the same regular kernel.
    add_to_diagonal(exact.jitter, model.input);
    exact = linear_closed_form(model.mixing, model.input, out.target, 2);
  }
  out.input = model.input;
  out.analytic = exact.grams;
  out.analytic_loss = -exact.objective;

  FullRankDkm dkm(model);
  FixedGramTop top(model.mixing, out.target);
  Random random(Stream{options.seed, Purpose::initial, 0});
  const auto n = static_cast<Index>(nodes.size());
  out.initial.push_back(wishart(n, random));
  out.initial.push_back(wishart(n, random));
  start_at(dkm, out.initial);
  FullRankTraining training;
  training.steps = options.steps;
  training.rate = [&](std::int64_t step, std::int64_t of) {
    return polynomial_rate(step, of, options.rate, options.power);
  };
  bool stopped = false;
  training.after_step = [&](std::int64_t step, const FullRankValue& value) {
    out.loss.push_back(-value.objective);
    observer.progress(step + 1, "training");
    stopped = observer.interrupted();
    return !stopped;
  };
  const FullRankValue end = train(dkm, top, training);
  if (stopped) return std::nullopt;
  out.loss.push_back(-end.objective);
  for (int layer = 0; layer < 2; ++layer) {
    out.trained.push_back(dkm.gram(layer));
    out.distance.push_back(
        relative_distance(out.trained.back(), out.analytic[static_cast<std::size_t>(layer)]));
  }
  return out;
}

}  // namespace gdkm
