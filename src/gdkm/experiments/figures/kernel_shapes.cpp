#include "gdkm/experiments/figures/kernel_shapes.hpp"

#include <fmt/format.h>

#include <numeric>

#include "gdkm/dataset/summary.hpp"
#include "gdkm/experiments/drawing/html_text.hpp"
#include "gdkm/experiments/figures/kernel_grid.hpp"
#include "gdkm/experiments/figures/sampled_nodes.hpp"
#include "gdkm/experiments/nu_name.hpp"
#include "gdkm/experiments/tables/paper_numbers.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/cka.hpp"
#include "gdkm/training/model_file.hpp"
#include "gdkm/training/predictor.hpp"
#include "gdkm/training/study.hpp"

namespace gdkm {

namespace {

Settings settings_of(const KernelShapesOptions& options, const std::string& data, double nu) {
  Settings out;
  out.data = data;
  out.config.nu = {nu};
  out.config.scheme = options.scheme;
  out.config.inducing = options.inducing;
  out.config.lambda = options.lambda;
  out.training.epochs = options.epochs;
  out.training.seed = options.seed;
  out.threads = options.threads;
  return out;
}

/// Trains at one ν; nothing when it was interrupted.
std::optional<KernelShapes::Shape> shape_at(const Dataset& dataset, const KernelShapesOptions& options,
                                            double nu, const std::vector<std::int32_t>& nodes,
                                            const FigureObserver& watch, std::int64_t done) {
  const Settings settings = settings_of(options, dataset.name, nu);
  StudyObserver observer;
  observer.warn = watch.warn;
  observer.interrupted = watch.interrupted;
  observer.progress = [&](std::int64_t epochs, double) {
    watch.progress(done + epochs, fmt::format("{}, ν = {}", dataset.name, nu_name(nu)));
  };
  const StudyResult study = run_study(settings, dataset, observer);
  if (study.failure) throw NumericalError(*study.failure);
  if (study.checkpoint) return std::nullopt;

  CpuBackend<float> backend(options.threads);
  const Problem problem = prepare(dataset, settings.preprocessing, settings.config);
  const auto card = read_card(study.best_model, "the figure's model");
  const auto model = from_tensors<float>(backend, study.best_model, card, "the figure's model");
  const NodeFeatures features = last_features(*model, problem);
  std::vector<std::int32_t> all(problem.label.size());
  std::iota(all.begin(), all.end(), 0);
  const RunResult& run = study.runs.at(0);
  return KernelShapes::Shape{
      nu, picture_of_features(features, nodes),
      cka_with_labels(features.values, features.width, problem.label, problem.classes, all),
      run.val ? run.val->accuracy : NAN, run.test ? run.test->accuracy : NAN};
}

nlohmann::json number(double value) {
  return std::isnan(value) ? nlohmann::json() : nlohmann::json(value);
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
                                          const FigureObserver& observer, std::int64_t done) {
  if (dataset.task != Task::node || dataset.is_regression())
    throw InputError(dataset.name + ": the figure 'kernels' takes one graph whose nodes have classes");
  KernelShapes out;
  out.dataset = dataset.name;
  out.homophily = summarise(dataset).homophily;
  out.nodes = sampled_nodes(dataset.label, options.nodes, options.seed);
  out.label = labels_of(dataset.label, out.nodes);
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
  using Kind = ExportTable::Kind;
  KernelGrid grid;
  grid.title = "Last kernels of graph DKMs at several nu";
  for (const auto& shape : rows.at(0).shapes) grid.columns.push_back("ν = " + nu_name(shape.nu));
  grid.columns.emplace_back("labels");
  ExportTable numbers;
  numbers.columns = {{"dataset", Kind::text, {}},      {"homophily", Kind::real, {}},
                     {"nu", Kind::text, {}},           {"cka", Kind::real, {}},
                     {"val_accuracy", Kind::real, {}}, {"test_accuracy", Kind::real, {}}};
  TextTable text({"data set", "nu", "CKA", "val %", "test %"});
  text.align_right({1, 2, 3, 4});
  const auto percent = [](double value) { return std::isnan(value) ? "-" : fmt::format("{:.1f}", value); };
  for (const auto& row : rows) {
    grid.rows.push_back(escape_html(display_name(row.dataset)));
    grid.labels.push_back(row.label);
    std::vector<std::optional<KernelGrid::Cell>> cells;
    for (const auto& shape : row.shapes) {
      const std::string nu = nu_option(shape.nu);
      cells.push_back(KernelGrid::Cell{shape.picture, fmt::format("{} nu={}", row.dataset, nu),
                                       fmt::format("CKA {:.3f}", shape.cka)});
      const std::vector<nlohmann::json> line{row.dataset, number(row.homophily), nu,
                                             shape.cka,   number(shape.val),     number(shape.test)};
      for (std::size_t c = 0; c < line.size(); ++c) numbers.columns[c].values.push_back(line[c]);
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
