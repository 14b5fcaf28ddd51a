#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "gdkm/fitting/prepared_data.hpp"
#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/models/exact/gp_regression.hpp"
#include "gdkm/models/exact/gram_nonlinearity.hpp"
#include "gdkm/models/exact/linear_closed_form.hpp"
#include "gdkm/models/exact/wide_network_kernels.hpp"
#include "gdkm/python/arrays.hpp"
#include "gdkm/python/dataset.hpp"
#include "gdkm/python/dense_turn.hpp"
#include "gdkm/python/settings.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/cka.hpp"
#include "gdkm/training/metrics.hpp"

namespace gdkm::python {

namespace {

KernelKind kernel_named(const std::string& name) {
  const auto kind = value_named<KernelKind>(name);
  if (!kind) throw InputError("kernel '" + name + "': expected arccos, rbf or linear");
  return *kind;
}

Dense to_dense(const Rows<double>& array) {
  return {static_cast<Index>(array.shape(0)), static_cast<Index>(array.shape(1)),
          std::vector<double>(array.data(), array.data() + array.size())};
}
nb::object from_dense(Dense matrix) {
  const auto rows = static_cast<std::size_t>(matrix.rows), cols = static_cast<std::size_t>(matrix.cols);
  return to_numpy(std::move(matrix.value), {rows, cols});
}

/// Φ between two sets of points, given G between them and the norms of both.
nb::object kernel_between(const Rows<double>& gram, const Column<double>& left, const Column<double>& right,
                          const std::string& kernel) {
  Dense out = to_dense(gram);
  const auto inverse = [](double norm) { return norm > 0 ? 1 / norm : 0; };
  with_kernel(kernel_named(kernel), [&]<template <class> class K>() {
    for (Index r = 0; r < out.rows; ++r) {
      const double a = left.data()[r];
      for (Index c = 0; c < out.cols; ++c) {
        const double b = right.data()[c];
        out(r, c) = K<double>::value(out(r, c), a, b, inverse(a), inverse(b));
      }
    }
  });
  return from_dense(std::move(out));
}

nb::object kernel_of_gram(const Rows<double>& gram, const std::string& kernel) {
  Dense out = to_dense(gram);
  apply_nonlinearity(kernel_named(kernel), out);
  return from_dense(std::move(out));
}

/// The kernel over all nodes of the network that exact models have with these options.
nb::object nngp_kernel(const PythonDataset& dataset, const nb::dict& options,
                       const std::vector<std::vector<double>>& weights) {
  Settings settings = settings_from("nngp", options);
  settings.exact = true;
  Dense out;
  {
    const nb::gil_scoped_release released;
    const DenseTurn turn(settings);
    const PreparedData data = prepare(*dataset, settings);
    const auto config = std::get<ExactNngpConfig>(model_choice(data.settings));
    const Problem& problem = data.problem;
    const DenseThreads threads(settings.device.threads);
    out =
        weights.empty()
            ? wide_network(name_of(config.network))
                  .kernel({problem.relations, problem.features, config.layers, config.kernel, config.degree})
            : relation_kernel(problem.relations, weights, problem.features, config.layers, config.kernel);
  }
  return from_dense(std::move(out));
}

nb::tuple gp_regression(const Rows<double>& kernel, const Column<std::int32_t>& train,
                        const Rows<double>& targets, double noise) {
  const Posterior out =
      posterior(kernel_blocks(to_dense(kernel), to_vector(train)), to_dense(targets), noise);
  return nb::make_tuple(from_dense(out.mean), to_numpy(out.variance));
}

nb::tuple closed_form(const PythonDataset& dataset, double lambda, const Rows<double>& g_0,
                      const Rows<double>& g_p, int layers) {
  const Csr mixing = normalised_adjacency(dataset->graph, lambda);
  const LinearClosedForm out = linear_closed_form(mixing, to_dense(g_0), to_dense(g_p), layers);
  nb::list grams;
  for (const Dense& gram : out.grams) grams.append(from_dense(gram));
  return nb::make_tuple(grams, out.objective);
}

nb::object optional(const std::optional<double>& value) {
  return value ? nb::cast(*value) : nb::none();
}

nb::dict class_metrics(const Rows<double>& probabilities, const Column<std::int32_t>& labels) {
  const auto classes = static_cast<int>(probabilities.shape(1));
  std::vector<std::int32_t> rows(labels.size());
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<std::int32_t>(k);
  const auto metrics =
      evaluate({probabilities.data(), probabilities.size()}, classes, {labels.data(), labels.size()}, rows);
  if (!metrics) throw InputError("no item has a label, so there is nothing to score");
  nb::dict out;
  out["accuracy"] = metrics->accuracy / 100;
  out["nll"] = metrics->nll;
  out["ece"] = metrics->ece;
  out["auc"] = optional(metrics->auc);
  out["f1_macro"] = optional(metrics->f1_macro());
  out["f1_weighted"] = optional(metrics->f1_weighted());
  out["balanced_accuracy"] = *metrics->balanced_accuracy() / 100;
  const auto size = static_cast<std::size_t>(classes);
  out["confusion_matrix"] = to_numpy(metrics->confusion->count, {size, size});
  nb::list bins;
  for (const ReliabilityBin& bin : metrics->reliability)
    bins.append(nb::make_tuple(bin.bin, bin.count, bin.confidence, bin.correct));
  out["reliability"] = bins;
  return out;
}

nb::dict number_metrics(const Rows<double>& predictions, const Rows<double>& targets) {
  std::vector<std::int32_t> rows(targets.shape(0));
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<std::int32_t>(k);
  const auto metrics =
      evaluate_numbers({predictions.data(), predictions.size()}, static_cast<int>(targets.shape(1)),
                       {targets.data(), targets.size()}, rows);
  if (!metrics) throw InputError("no item has a target, so there is nothing to score");
  nb::dict out;
  out["r2"] = optional(metrics->r2);
  out["rmse"] = optional(metrics->rmse);
  out["nll"] = metrics->nll;
  return out;
}

double alignment(const Rows<double>& a, const Rows<double>& b) {
  std::vector<std::int32_t> rows(a.shape(0));
  for (std::size_t k = 0; k < rows.size(); ++k) rows[k] = static_cast<std::int32_t>(k);
  return cka({a.data(), a.size()}, {b.data(), b.size()}, static_cast<Index>(rows.size()), rows);
}

}  // namespace

void add_research(nb::module_& module) {
  module.def("kernel_between", &kernel_between);
  module.def("kernel_of_gram", &kernel_of_gram);
  module.def("nngp_kernel", &nngp_kernel);
  module.def("gp_regression", &gp_regression);
  module.def("linear_closed_form", &closed_form);
  module.def("class_metrics", &class_metrics);
  module.def("number_metrics", &number_metrics);
  module.def("cka", &alignment);
}

}  // namespace gdkm::python
