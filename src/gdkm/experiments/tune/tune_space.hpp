#pragma once

#include <vector>

#include "gdkm/experiments/sweep/stage_plan.hpp"

namespace gdkm {

/// What a search has to know of its data.
struct TuneTask {
  DatasetFacts facts;
  bool regression = false, directed = false, typed = false;
  int splits = 1;           // that can be used
  Index val_items = 0;      // of the first split
  bool new_graphs = false;  // only models that predict on other graphs than their own

  bool of_graphs() const { return facts.task == "graph"; }
};

/// Settings that a search compares: options, and "model" among them.
using Contender = RunOptions;

/// What `gdkm train` does without options. It takes part in every comparison.
Contender plain_default();
/// The network of finite width, to compare with; regression has none.
std::vector<Contender> reference_models(const TuneTask& task);
/// How to mix along edges, and how deeply, with fixed and with learned kernels: the most promising first.
std::vector<Contender> mixing_contenders(const TuneTask& task);
/// `base`, each time with one thing changed about features, their scale, centring and biases.
std::vector<Contender> feature_changes(const TuneTask& task, const Contender& base);
/// `base`, each time with one change of ν, depth, the number of inducing points or where they sit.
std::vector<Contender> size_changes(const TuneTask& task, const Contender& base);

/// What both of two contenders changed against `base`.
Contender combined(const Contender& base, const Contender& first, const Contender& second);

}  // namespace gdkm
