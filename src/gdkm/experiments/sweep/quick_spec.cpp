#include "gdkm/experiments/sweep/quick_spec.hpp"

#include <algorithm>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

/// Overrides `scope`, except for options that the stage varies.
void override_scope(RunScope& scope, const RunScope& by, const StageSpec& stage, const std::string& model) {
  for (const auto& [key, value] : by.options) {
    const bool varied =
        std::any_of(stage.grid.begin(), stage.grid.end(), [&](const auto& g) { return g.first == key; }) ||
        std::any_of(stage.variants.begin(), stage.variants.end(),
                    [&](const RunOptions& variant) { return variant.contains(key); });
    if (!varied && has_option(model, false, key)) scope.options[key] = value;
  }
  if (by.seeds) scope.seeds = by.seeds;
  if (by.splits) scope.splits = by.splits;
}

}  // namespace

QuickSpec read_quick(const SpecTable& table) {
  table.allow({"datasets", "options", "seeds", "splits", "grid"});
  QuickSpec out;
  if (table.has("datasets")) out.datasets = table.texts("datasets");
  out.scope = read_scope(table, "");
  if (const auto grid = table.table("grid")) out.grid = read_grid(*grid, "");
  return out;
}

void make_quick(SweepSpec& spec, const QuickSpec& changes, const std::string& file) {
  for (StudySpec& study : spec.studies) {
    if (!changes.datasets.empty()) {
      std::erase_if(study.datasets, [&](const std::string& name) {
        return std::find(changes.datasets.begin(), changes.datasets.end(), name) == changes.datasets.end();
      });
    }
    for (StageSpec& stage : study.stages) {
      for (auto& [key, values] : stage.grid) {
        for (const auto& [changed, fewer] : changes.grid) {
          if (changed == key) values = fewer;
        }
      }
      override_scope(stage.scope, changes.scope, stage, study.model);
    }
  }
  std::erase_if(spec.studies, [](const StudySpec& study) { return study.datasets.empty(); });
  if (spec.studies.empty())
    throw InputError(file + ": [quick] leaves no data set; name data sets of the studies");
  spec.name += "-quick";
}

}  // namespace gdkm
