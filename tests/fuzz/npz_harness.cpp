#include "npz_harness.hpp"

#include "container.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/formats/npz/pyg_npz.hpp"
#include "gdkm/data/formats/reddit/reddit.hpp"
#include "scratch.hpp"
#include "verdict.hpp"

namespace gdkm::fuzzing {

bool run_graph_npz(std::string_view input) {
  const auto path = scratch().write("small.npz", to_npz(from_container(input)));
  return is_read([&] { check(read_graph_npz(path, pool_for(input))); });
}

bool run_pyg_npz(std::string_view input) {
  const auto path = scratch().write("small.npz", to_npz(from_container(input)));
  const bool is_as_it_is = is_read([&] { check(read_pyg_npz(path)); });
  return is_read([&] { check(read_pyg_npz(path, true)); }) || is_as_it_is;
}

/// Arrays named data/… and graph/… go to the two files.
bool run_reddit(std::string_view input) {
  Files data, graph;
  for (const auto& [name, bytes] : from_container(input)) {
    if (name.starts_with("data/")) data.emplace_back(name.substr(5), bytes);
    if (name.starts_with("graph/")) graph.emplace_back(name.substr(6), bytes);
  }
  scratch().write("reddit_data.npz", to_npz(data));
  scratch().write("reddit_graph.npz", to_npz(graph));
  return is_read([&] { check(read_reddit(scratch().folder(), "reddit", pool_for(input))); });
}

}  // namespace gdkm::fuzzing
