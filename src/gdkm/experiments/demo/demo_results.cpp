#include "gdkm/experiments/demo/demo_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "gdkm/data/generators/generators.hpp"
#include "gdkm/experiments/number_text.hpp"
#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/fitting/fit.hpp"

namespace gdkm {

namespace {

template <class Value>
Summary over(const std::vector<RunResult>& runs, Value value) {
  std::vector<double> values;
  for (const RunResult& run : runs) values.push_back(value(run));
  return mean_and_std(values);
}

class Demo {
 public:
  Demo(const DemoPlan& plan, const ExperimentObserver& observer) : plan_(plan), observer_(observer) {}

  std::optional<DemoResults> run() {
    const auto start = std::chrono::steady_clock::now();
    DemoResults out;
    for (const double homophily : plan_.homophily) {
      if (!run_homophily(homophily, out)) return std::nullopt;
    }
    out.boards = cells(0);
    for (int k = 0; k < plan_.boards; ++k) {
      const Dataset board = generate(plan_.minesweeper(k));
      for (DemoCell& cell : out.boards) {
        if (!run_one(board, cell, k, fmt::format("Minesweeper, ν = {}", nu_name(cell.nu))))
          return std::nullopt;
      }
    }
    out.board_majority = over(out.boards[0].runs, [](const RunResult& run) { return run.majority; }).mean;
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return out;
  }

 private:
  std::vector<DemoCell> cells(double homophily) const {
    std::vector<DemoCell> out;
    for (const double nu : plan_.nu) out.push_back({homophily, nu, {}, {}});
    return out;
  }

  bool run_homophily(double homophily, DemoResults& out) {
    auto row = cells(homophily);
    const bool pictured =
        std::find(plan_.pictured.begin(), plan_.pictured.end(), homophily) != plan_.pictured.end();
    for (int k = 0; k < plan_.graphs; ++k) {
      const Dataset graph = generate(plan_.graph(homophily, k));
      DemoPictures pictures{homophily, {}, {}, {}};
      const auto nodes = nodes_by_class(graph.label, graph.classes, plan_.pictured_per_class);
      for (DemoCell& cell : row) {
        const auto what = fmt::format("homophily {:g}, ν = {}", homophily, nu_name(cell.nu));
        const auto features = run_one(graph, cell, k, what);
        if (!features) return false;
        if (pictured && k == 0) pictures.by_nu.push_back(picture_of_features(*features, nodes));
        pictures.cka.push_back(cell.cka.back());
      }
      if (!pictured || k > 0) continue;
      pictures.labels = picture_of_labels(graph.label, nodes);
      out.pictures.push_back(std::move(pictures));
    }
    out.graphs.push_back(std::move(row));
    return true;
  }

  /// Trains, evaluates and measures the kernel; the features are those of the last layer. Nothing when it was
  /// interrupted.
  std::optional<NodeFeatures> run_one(const Dataset& dataset, DemoCell& cell, int k,
                                      const std::string& what) {
    const Settings settings = plan_.settings(dataset.name, cell.nu, k);
    FitObserver observer;
    observer.warn = observer_.warn;
    bool interrupted = false;
    observer.epoch = [&](const Epoch& epoch) {
      observer_.progress(done_ + epoch.number, what);
      return !(interrupted = observer_.interrupted());
    };
    const FittedModel model = fit(dataset, choose_split(settings.split, 0, dataset), settings, observer);
    if (interrupted) return std::nullopt;
    done_ += settings.training.epochs;
    cell.runs.push_back(model.card().run);
    NodeFeatures features = model.features(dataset);
    cell.cka.push_back(cka_with_labels(features, dataset.label, dataset.classes));
    return features;
  }

  const DemoPlan& plan_;
  const ExperimentObserver& observer_;
  std::int64_t done_ = 0;
};

}  // namespace

Summary DemoCell::of(double Metrics::*metric) const {
  return over(runs, [&](const RunResult& run) { return run.test.value().*metric; });
}

Summary DemoCell::accuracy() const {
  return of(&Metrics::accuracy);
}

Summary DemoCell::val_accuracy() const {
  return over(runs, [](const RunResult& run) { return run.val.value().accuracy; });
}

Summary DemoCell::auc() const {
  return over(runs, [](const RunResult& run) { return run.test.value().auc.value_or(NAN); });
}

Summary DemoCell::alignment() const {
  return mean_and_std(cka);
}

std::vector<double> DemoResults::gains(std::size_t homophily, std::size_t nu) const {
  std::vector<double> out;
  const auto &learned = graphs[homophily][nu].runs, &fixed = graphs[homophily][0].runs;
  for (std::size_t k = 0; k < learned.size(); ++k) {
    out.push_back(learned[k].test.value().accuracy - fixed[k].test.value().accuracy);
  }
  return out;
}

double standard_error(const Summary& summary) {
  return summary.count > 0 ? summary.std / std::sqrt(static_cast<double>(summary.count)) : NAN;
}

std::optional<DemoResults> run_demo(const DemoPlan& plan, const ExperimentObserver& observer) {
  return Demo(plan, observer).run();
}

}  // namespace gdkm
