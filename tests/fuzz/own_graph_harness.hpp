#pragma once

/// Readers of people's own graphs.

#include <string>
#include <string_view>
#include <vector>

namespace gdkm::fuzzing {

/// An input is a container of the files edges (adjlist where its name ends so), features, labels, nodes,
/// splits, classes and columns, and of options.
bool run_csv_graph(std::string_view input);
std::vector<std::string> csv_graph_seeds();

/// An input is the file as it stands.
bool run_graphml(std::string_view input);
std::vector<std::string> graphml_seeds();
bool run_gexf(std::string_view input);
std::vector<std::string> gexf_seeds();
bool run_gml(std::string_view input);
std::vector<std::string> gml_seeds();
bool run_pajek(std::string_view input);
std::vector<std::string> pajek_seeds();
bool run_node_link(std::string_view input);
std::vector<std::string> node_link_seeds();

}  // namespace gdkm::fuzzing
