#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gdkm/experiments/sweep/spec_table.hpp"
#include "gdkm/experiments/sweep/sweep_spec.hpp"

namespace gdkm {

using OptionGrid = std::vector<std::pair<std::string, std::vector<nlohmann::json>>>;

/// Pieces of a spec; `model` is "" where options of any model may stand.
RunOptions read_options(const SpecTable& table, const std::string& model);
OptionGrid read_grid(const SpecTable& table, const std::string& model);
RunScope read_scope(const SpecTable& table, const std::string& model);

/// The [quick] table: what makes a sweep small.
struct QuickSpec {
  std::vector<std::string> datasets;  // only these, where there are any
  RunScope scope;                     // above everything but what is varied
  OptionGrid grid;                    // in place of the values of these options, where they are varied
};

QuickSpec read_quick(const SpecTable& table);
void make_quick(SweepSpec& spec, const QuickSpec& changes, const std::string& file);

}  // namespace gdkm
