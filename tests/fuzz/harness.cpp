#include "harness.hpp"

#include <stdexcept>

#include "archive_harness.hpp"
#include "matrix_harness.hpp"
#include "npz_harness.hpp"
#include "own_graph_harness.hpp"
#include "pickle_harness.hpp"
#include "tree_harness.hpp"

namespace gdkm::fuzzing {

const std::vector<Harness>& harnesses() {
  static const std::vector<Harness> all = {
      {"graph_npz", run_graph_npz, graph_npz_seeds},
      {"pyg_npz", run_pyg_npz, pyg_npz_seeds},
      {"reddit", run_reddit, reddit_seeds},
      {"planetoid", run_planetoid, planetoid_seeds},
      {"linkx_splits", run_linkx_splits, linkx_splits_seeds},
      {"geom_gcn", run_geom_gcn, geom_gcn_seeds},
      {"matlab", run_matlab, matlab_seeds},
      {"matrix_market", run_matrix_market, matrix_market_seeds},
      {"tu", run_tu, tu_seeds},
      {"ogb", run_ogb, ogb_seeds},
      {"musae", run_musae, musae_seeds},
      {"csv_graph", run_csv_graph, csv_graph_seeds},
      {"graphml", run_graphml, graphml_seeds},
      {"gexf", run_gexf, gexf_seeds},
      {"gml", run_gml, gml_seeds},
      {"pajek", run_pajek, pajek_seeds},
      {"node_link", run_node_link, node_link_seeds},
      {"archive", run_archive, archive_seeds},
  };
  return all;
}

const Harness& find_harness(std::string_view name) {
  for (const Harness& harness : harnesses()) {
    if (harness.name == name) return harness;
  }
  throw std::logic_error("there is no harness '" + std::string(name) + "'");
}

}  // namespace gdkm::fuzzing
