#pragma once

/// Readers of people's own graphs.

#include <string>
#include <string_view>
#include <vector>

namespace gdkm::fuzzing {

/// An input is a container of the files edges, features, labels, nodes, splits and classes, and of options.
bool run_csv_graph(std::string_view input);
std::vector<std::string> csv_graph_seeds();

/// An input is the file as it stands.
bool run_graphml(std::string_view input);
std::vector<std::string> graphml_seeds();

}  // namespace gdkm::fuzzing
