#include <fmt/format.h>

#include "gdkm/cli/options.hpp"
#include "gdkm/cli/watch.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/experiments/figures/accuracy_curves.hpp"
#include "gdkm/experiments/figures/er_lambda.hpp"
#include "gdkm/experiments/figures/kernel_gains_figure.hpp"
#include "gdkm/experiments/figures/kernel_shapes.hpp"
#include "gdkm/experiments/figures/linear_check.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

struct FigureCommand {
  std::string store, out = "figures", data_dir;
  std::vector<std::string> data, sweeps;
  std::uint64_t seed = 0;
  std::int64_t nodes = 0, steps = 0;
  int epochs = 0, threads = 0;
  double lambda = KernelShapesOptions().lambda;
  Scheme scheme = Scheme::inter;
  bool quick = false, quiet = false;

  void linear_check() const;
  void er_lambda() const;
  void kernels() const;
  void nu_curve() const { write(nu_curve_figure(Store::open(store), sweeps)); }
  void depth() const { write(depth_figure(Store::open(store), sweeps)); }
  void gains() const { write(kernel_gains_figure(Store::open(store), sweeps)); }

 private:
  void write(const Figure& figure) const;
  std::vector<Dataset> datasets() const;
};

void FigureCommand::write(const Figure& figure) const {
  const auto files = write_figure(figure, out, [&](const std::string& message) {
    if (!quiet) warn(message);
  });
  fmt::print("{}", figure.summary);
  for (const auto& file : files) fmt::print("{}\n", file.string());
}

/// The given data sets; by default Cora, or a similar generated graph if Cora is not available.
std::vector<Dataset> FigureCommand::datasets() const {
  std::vector<Dataset> out;
  for (const std::string& name : data) out.push_back(load(name, folder(data_dir), threads));
  if (!out.empty()) return out;
  const bool cora = find_dataset("cora", folder(data_dir)).has_value();
  if (!cora && !quiet) warn("cora not found, using a generated graph instead; choose other data with --data");
  out.push_back(load(cora ? "cora" : "csbm:n=1000,classes=6,degree=4,homophily=0.8,features=64,signal=4",
                     folder(data_dir), threads));
  return out;
}

void FigureCommand::linear_check() const {
  LinearCheckOptions options = quick ? LinearCheckOptions::quick() : LinearCheckOptions();
  options.seed = seed;
  if (nodes > 0) options.nodes = nodes;
  if (steps > 0) options.steps = steps;
  if (data.size() > 1) throw InputError("--data: linear-check takes only one data set");
  const Dataset dataset = datasets().front();
  Watch watch("linear-check", options.steps, quiet);
  const auto check = gdkm::linear_check(dataset, options, watch.observer);
  watch.progress.finish();
  if (!check) throw Interrupted("stopped; no figure was written");
  write(linear_check_figure(*check));
  if (!(check->worst() < LinearCheck::tolerance)) {
    throw NumericalError(
        fmt::format("trained and analytic Gram matrices differ by {:.3g} %, more than {:g} %; "
                    "train longer with --steps",
                    100 * check->worst(), 100 * LinearCheck::tolerance));
  }
}

void FigureCommand::er_lambda() const {
  ErLambdaOptions options;
  options.seed = seed;
  if (nodes > 0) options.nodes = options.features = nodes;
  write(er_lambda_figure(gdkm::er_lambda(options)));
}

void FigureCommand::kernels() const {
  KernelShapesOptions options = quick ? KernelShapesOptions::quick() : KernelShapesOptions();
  options.seed = seed;
  options.threads = threads;
  options.scheme = scheme;
  options.lambda = lambda;
  if (nodes > 0) options.nodes = nodes;
  if (epochs > 0) options.epochs = epochs;
  const auto all = datasets();
  const auto each = static_cast<std::int64_t>(options.nu.size()) * options.epochs;
  Watch watch("kernels", each * static_cast<std::int64_t>(all.size()), quiet);
  std::vector<KernelShapes> rows;
  for (const Dataset& dataset : all) {
    auto row = kernel_shapes(dataset, options, watch.observer, each * static_cast<std::int64_t>(rows.size()));
    if (!row) throw Interrupted("stopped; no figure was written");
    rows.push_back(std::move(*row));
  }
  watch.progress.finish();
  write(kernel_shapes_figure(rows));
}

}  // namespace

void add_figure(CLI::App& app) {
  auto command = std::make_shared<FigureCommand>();
  CLI::App& figure = *app.add_subcommand("figure", "Draw a figure of the paper as SVG, PNG and CSV");
  figure.require_subcommand(1);
  figure.footer(
      "PNG files need rsvg-convert (librsvg2-bin).\nExamples:\n"
      "  gdkm figure linear-check\n"
      "  gdkm figure kernels --data cora --data chameleon --out pictures\n"
      "  gdkm figure nu-curve --store paper-quick.db\n"
      "  gdkm figure gains --store node-dkm.db\n"
      "Each figure has its own --help.");
  const auto add = [&](const char* name, const char* help,
                       void (FigureCommand::*action)() const) -> CLI::App& {
    CLI::App& out = *figure.add_subcommand(name, help);
    add_text(out, "--out,-o", "FOLDER", command->out, "Folder for the files; created if missing")
        ->capture_default_str();
    out.add_flag("--quiet", command->quiet, "Do not show progress and warnings");
    out.callback([command, action] { ((*command).*action)(); });
    return out;
  };
  const auto add_seed = [&](CLI::App& to) {
    add_number(to, "--seed", "S", command->seed, 0, 1000000000, "Random seed");
  };
  // 0 means that the option was not given; the figure then uses its own default.
  const auto add_nodes = [&](CLI::App& to, int least, int most, const char* usual, const char* help) {
    add_number(to, "--nodes", "N", command->nodes, least, most, help)->default_str(usual);
  };
  const auto add_data = [&](CLI::App& to) {
    add_text(to, "--data", "DATA", command->data,
             "A data set, as for gdkm train; by default cora, or\na generated graph if cora is not available")
        ->allow_extra_args(false)
        ->group("Data");
    add_data_dir(to, command->data_dir);
  };
  const auto add_store = [&](CLI::App& to) {
    add_text(to, "--store", "STORE", command->store, "A store of gdkm sweep")->required();
    add_text(to, "--sweep", "NAME[/STUDY],..", command->sweeps,
             "Only runs of these sweeps of the store,\nor of one study of a sweep")
        ->delimiter(',');
  };

  CLI::App& linear = add("linear-check", "Compare trained and analytic Gram matrices of a\nlinear DKM",
                         &FigureCommand::linear_check);
  add_seed(linear);
  add_nodes(linear, 2, 2000, "100", "Number of random nodes; 40 with --quick");
  add_number(linear, "--steps", "K", command->steps, 1, 10000000, "Adam steps; 3000 with --quick")
      ->default_str("10000");
  linear.add_flag("--quick", command->quick, "Take seconds instead of a minute");
  add_data(linear);

  CLI::App& er =
      add("er-lambda", "Kernels of a linear DKM and NNGP on an Erdos-Renyi\ngraph at several lambda",
          &FigureCommand::er_lambda);
  add_seed(er);
  add_nodes(er, 4, 2000, "50", "Number of nodes");

  CLI::App& kernels = add("kernels", "Kernels of the last layer at several nu, sorted by\nclass, with CKA",
                          &FigureCommand::kernels);
  add_seed(kernels);
  add_nodes(kernels, 2, 5000, "400", "Number of random nodes in the pictures;\n100 with --quick");
  add_number(kernels, "--epochs", "K", command->epochs, 1, 10000000, "Epochs at each nu; 30 with --quick")
      ->default_str("300");
  add_number(kernels, "--lambda", "L", command->lambda, 0, 1,
             "Weight of the identity in the adjacency matrix");
  add_choice(kernels, "--scheme", command->scheme, "Inducing-point scheme");
  add_threads(kernels, command->threads);
  kernels.add_flag("--quick", command->quick, "A one-minute run, too short for good kernels");
  add_data(kernels);

  add_store(add("nu-curve", "Validation accuracy against nu, by homophily", &FigureCommand::nu_curve));
  add_store(add("depth", "Validation accuracy against the number of layers", &FigureCommand::depth));
  add_store(
      add("gains", "What learning the kernels gains in test accuracy, by\nhomophily", &FigureCommand::gains));
}

}  // namespace gdkm::cli
