#pragma once

#include <optional>
#include <vector>

#include "gdkm/experiments/demo/demo_plan.hpp"
#include "gdkm/experiments/experiment_observer.hpp"
#include "gdkm/experiments/kernel_picture.hpp"
#include "gdkm/fitting/run_result.hpp"

namespace gdkm {

/// One ν on the graphs of one homophily, or on the boards: one run per graph, in order.
struct DemoCell {
  double homophily = 0, nu = 0;
  std::vector<RunResult> runs;
  std::vector<double> cka;  // of the last kernel with the labels, over all nodes; one per run

  Summary accuracy() const;  // over graphs, percent
  Summary val_accuracy() const;
  Summary alignment() const;
  Summary of(double Metrics::*metric) const;
  Summary auc() const;
};

/// The last kernel of each ν on the first graph of a homophily.
struct DemoPictures {
  double homophily = 0;
  KernelPicture labels;
  std::vector<KernelPicture> by_nu;  // in the plan's order
  std::vector<double> cka;
};

struct DemoResults {
  std::vector<std::vector<DemoCell>> graphs;  // [homophily][ν], in the plan's order
  std::vector<DemoCell> boards;               // [ν]
  std::vector<DemoPictures> pictures;
  double board_majority = 0;  // accuracy of always predicting "no mine", percent
  double seconds = 0;

  /// Accuracy of ν number `nu` minus that of the NNGP, graph by graph.
  std::vector<double> gains(std::size_t homophily, std::size_t nu) const;
};

/// Runs the plan; returns nothing if it was interrupted. Progress counts epochs, out of
/// DemoPlan::total_epochs().
std::optional<DemoResults> run_demo(const DemoPlan& plan, const ExperimentObserver& observer);

/// Standard error of a mean: std / √count.
double standard_error(const Summary& summary);

}  // namespace gdkm
