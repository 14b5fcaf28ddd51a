#pragma once

/// Readers of pickles.

#include <string>
#include <string_view>
#include <vector>

namespace gdkm::fuzzing {

/// An input is a container of the files ind.toy.*.
bool run_planetoid(std::string_view input);
std::vector<std::string> planetoid_seeds();

/// An input is an array of objects (see array_file), its data a pickle.
bool run_linkx_splits(std::string_view input);
std::vector<std::string> linkx_splits_seeds();

}  // namespace gdkm::fuzzing
