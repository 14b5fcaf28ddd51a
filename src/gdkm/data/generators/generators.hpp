#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gdkm/data/generators/generator_options.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

struct GeneratorHelp {
  std::string name, summary;
  std::vector<GeneratorOption> options;
};

/// All generators, with their options and defaults.
std::vector<GeneratorHelp> list_generators();

/// Whether `text` is a generator's name with a colon: `csbm:`, `csbm:n=500,seed=3`. A bare name is a data
/// set's.
bool is_generator(std::string_view text);

/// The graph that `name:key=value,…` describes; `name` alone takes all defaults. The same text gives the same
/// graph.
Dataset generate(std::string_view text);

}  // namespace gdkm
