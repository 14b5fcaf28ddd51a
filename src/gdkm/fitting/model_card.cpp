#include "gdkm/fitting/model_card.hpp"

#include <algorithm>

#include "gdkm/support/version.hpp"

namespace gdkm {

ModelCard make_card(const PreparedData& data, const Split& split, const RunResult& run,
                    ConformalScores conformal) {
  ModelCard out;
  out.settings = data.settings;
  out.settings.training.seed = run.seed;
  if (!run.nu.empty()) out.settings.config.nu = run.nu;  // which makes it the model that it is
  out.data = data.dataset.loaded_by();
  out.version = version;
  out.nodes = data.problem.nodes();
  out.features = data.problem.features.cols;
  out.classes = data.problem.outputs();
  out.class_names = data.dataset.class_names;
  out.task = data.dataset.task;
  out.graphs = data.dataset.task == Task::graph ? data.dataset.items() : 0;
  out.columns = data.dataset.columns;
  out.edge_types = data.edge_types;
  out.graph = data.graph;
  out.train_items = split.train;
  out.val_items = split.val;
  out.val_items.insert(out.val_items.end(), split.conformal.begin(), split.conformal.end());
  std::sort(out.val_items.begin(), out.val_items.end());
  out.conformal = std::move(conformal);
  out.run = run;
  return out;
}

}  // namespace gdkm
