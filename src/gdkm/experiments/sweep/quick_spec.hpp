#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gdkm/experiments/sweep/spec_table.hpp"
#include "gdkm/experiments/sweep/sweep_spec.hpp"

namespace gdkm {

using OptionGrid = std::vector<std::pair<std::string, std::vector<nlohmann::json>>>;

/// Parts of a spec; `model` is "" where options of any model are allowed.
RunOptions read_options(const SpecTable& table, const std::string& model);
OptionGrid read_grid(const SpecTable& table, const std::string& model);
RunScope read_scope(const SpecTable& table, const std::string& model);

/// The [quick] table, which makes a sweep small.
struct QuickSpec {
  std::vector<std::string> datasets;  // restrict the sweep to these; empty for no restriction
  RunScope scope;                     // overrides everything except varied options
  OptionGrid grid;                    // replaces the values of these options where they are varied
};

QuickSpec read_quick(const SpecTable& table);
void make_quick(SweepSpec& spec, const QuickSpec& changes, const std::string& file);

}  // namespace gdkm
