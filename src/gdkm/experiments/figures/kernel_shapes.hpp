#pragma once

#include <cmath>
#include <optional>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/experiments/experiment_observer.hpp"
#include "gdkm/experiments/figures/figure.hpp"
#include "gdkm/experiments/kernel_picture.hpp"
#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// Last kernels at several ν, at the end of training with the paper's optimisation: two layers, kipf, Â_λ
/// with λ = 0.3, all from one seed on the first split.
struct KernelShapesOptions {
  std::vector<double> nu{0, 1, 10, 1000, INFINITY};
  Index nodes = 400;  // in the pictures; CKA is over all
  int epochs = 300;
  Index inducing = 200;
  double lambda = 0.3;
  Scheme scheme = Scheme::inter;
  std::uint64_t seed = 0;
  int threads = 0;

  /// Some seconds on a small graph; too little to show much.
  static KernelShapesOptions quick();
};

/// Those of one data set.
struct KernelShapes {
  std::string dataset;
  double homophily = 0;
  std::vector<std::int32_t> nodes, label;  // pictured, sorted by class, and their classes
  std::vector<std::string> names;          // of these nodes; empty where nodes have none
  struct Shape {
    double nu = 0;
    KernelPicture picture;
    double cka = 0;            // of the kernel over all nodes with YYᵀ
    double val = 0, test = 0;  // accuracies, percent; NaN where the split has no such nodes
  };
  std::vector<Shape> shapes;
  KernelPicture labels;
};

/// Nothing when it was interrupted. Progress counts epochs over all ν, from `done` on.
std::optional<KernelShapes> kernel_shapes(const Dataset& dataset, const KernelShapesOptions& options,
                                          const ExperimentObserver& observer, std::int64_t done = 0);

/// A row per data set.
Figure kernel_shapes_figure(const std::vector<KernelShapes>& rows);

}  // namespace gdkm
