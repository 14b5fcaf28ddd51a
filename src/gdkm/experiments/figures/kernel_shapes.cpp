#include "gdkm/experiments/figures/kernel_shapes.hpp"

#include <fmt/format.h>

#include "gdkm/dataset/summary.hpp"
#include "gdkm/experiments/drawing/html_page.hpp"
#include "gdkm/experiments/figures/kernel_grid.hpp"
#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/tables/paper_numbers.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/fitting/fit.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

Settings settings_of(const KernelShapesOptions& options, double nu) {
  Settings out;
  out.config.nu = {nu};
  out.config.scheme = options.scheme;
  out.config.inducing = options.inducing;
  out.config.lambda = options.lambda;
  // The end of training: the epoch that validates best is often one from before the kernels have moved.
  out.training.inference = Inference::paper;
  out.training.epochs = options.epochs;
  out.training.seed = options.seed;
  out.device.threads = options.threads;
  return out;
}

/// Trains at one ν; nothing when it was interrupted.
std::optional<KernelShapes::Shape> shape_at(const Dataset& dataset, const KernelShapesOptions& options,
                                            double nu, const std::vector<std::int32_t>& nodes,
                                            const ExperimentObserver& watch, std::int64_t done) {
  const Settings settings = settings_of(options, nu);
  FitObserver observer;
  observer.warn = watch.warn;
  bool interrupted = false;
  observer.epoch = [&](const Epoch& epoch) {
    watch.progress(done + epoch.number, fmt::format("{}, ν = {}", dataset.name, nu_name(nu)));
    return !(interrupted = watch.interrupted());
  };
  const FittedModel model = fit(dataset, choose_split(settings.split, 0, dataset), settings, observer);
  if (interrupted) return std::nullopt;
  const NodeFeatures features = model.features(dataset);
  const RunResult& run = model.card().run;
  return KernelShapes::Shape{nu, picture_of_features(features, nodes),
                             cka_with_labels(features, dataset.label, dataset.classes),
                             run.val ? run.val->accuracy : NAN, run.test ? run.test->accuracy : NAN};
}

}  // namespace

KernelShapesOptions KernelShapesOptions::quick() {
  KernelShapesOptions out;
  out.epochs = 30;
  out.inducing = 50;
  out.nodes = 100;
  return out;
}

std::optional<KernelShapes> kernel_shapes(const Dataset& dataset, const KernelShapesOptions& options,
                                          const ExperimentObserver& observer, std::int64_t done) {
  if (dataset.task != Task::node || dataset.is_regression())
    throw InputError(dataset.name + ": the figure 'kernels' takes one graph whose nodes have classes");
  KernelShapes out;
  out.dataset = dataset.name;
  out.homophily = summarise(dataset).homophily;
  out.nodes = sampled_nodes(dataset.label, options.nodes, options.seed);
  out.label = labels_of(dataset.label, out.nodes);
  for (const auto node : out.nodes) {
    if (!dataset.node_names.empty()) out.names.push_back(dataset.node_names[static_cast<std::size_t>(node)]);
  }
  out.labels = picture_of_labels(dataset.label, out.nodes);
  for (const double nu : options.nu) {
    auto shape = shape_at(dataset, options, nu, out.nodes, observer, done);
    if (!shape) return std::nullopt;
    out.shapes.push_back(std::move(*shape));
    done += options.epochs;
  }
  return out;
}

Figure kernel_shapes_figure(const std::vector<KernelShapes>& rows) {
  KernelGrid grid;
  grid.title = "Last kernels of graph DKMs at several nu";
  for (const auto& shape : rows.at(0).shapes) grid.columns.push_back("ν = " + nu_name(shape.nu));
  grid.columns.emplace_back("labels");
  ExportTable numbers;
  numbers.columns = {{"dataset"}, {"homophily"}, {"nu"}, {"cka"}, {"val_accuracy"}, {"test_accuracy"}};
  TextTable text({"data set", "nu", "CKA", "val %", "test %"});
  text.align_right({1, 2, 3, 4});
  const auto percent = [](double value) { return std::isnan(value) ? "-" : fmt::format("{:.1f}", value); };
  for (const auto& row : rows) {
    grid.rows.push_back(escape_html(display_name(row.dataset)));
    grid.labels.push_back(row.label);
    grid.nodes.push_back(row.nodes);
    grid.names.push_back(row.names);
    std::vector<std::optional<KernelGrid::Cell>> cells;
    for (const auto& shape : row.shapes) {
      const std::string nu = nu_option(shape.nu);
      cells.push_back(KernelGrid::Cell{shape.picture, fmt::format("{} nu={}", row.dataset, nu),
                                       fmt::format("CKA {:.3f}", shape.cka)});
      numbers.add({row.dataset, row.homophily, nu, shape.cka, shape.val, shape.test});
      text.add({row.dataset, nu, fmt::format("{:.3f}", shape.cka), percent(shape.val), percent(shape.test)});
    }
    cells.push_back(KernelGrid::Cell{row.labels, row.dataset + " labels", ""});
    grid.cells.push_back(std::move(cells));
  }
  Figure out;
  out.pictures = {{"kernels", to_svg(grid)}};
  out.numbers = {{"kernels", std::move(numbers)}, {"kernels-pictures", to_table(grid)}};
  out.summary = text.text();
  return out;
}

}  // namespace gdkm
