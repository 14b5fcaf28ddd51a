#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gdkm/data/generators/generator_options.hpp"

namespace gdkm {

struct GeneratorHelp {
  std::string name, summary;
  std::vector<GeneratorOption> options;
};

/// All generators, with their options and defaults.
std::vector<GeneratorHelp> list_generators();

/// Whether `text` is the name of a generator with a colon: `csbm:`, `csbm:n=500,seed=3`. A name without a
/// colon means a data set.
bool is_generator(std::string_view text);

/// The graph that `name:key=value,…` describes; `name` alone uses the defaults. Equal texts give equal
/// graphs.
Dataset generate(std::string_view text);

}  // namespace gdkm
