#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/data/files/mapped_npy.hpp"
#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/formats/npz/graph_npz_edges.hpp"
#include "gdkm/data/formats/npz/graph_npz_features.hpp"
#include "gdkm/data/formats/npz/graph_npz_items.hpp"
#include "gdkm/data/formats/parts/part_names.hpp"
#include "gdkm/data/formats/parts/parts.hpp"
#include "gdkm/graph/node_ranks.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

constexpr const char* again = "partition the graph again";

/// What partition.npz says besides the data set's items.
struct Head {
  int parts = 0;
  Index features = 0;
  bool sparse = false;
  std::vector<std::int32_t> part;  // of every node
};

Head read_head(const fs::path& folder, Dataset& out) {
  const NpzReader archive(folder / parts::head_file);
  const std::string where = archive.path().string();
  for (const char* name : {"sizes", "about", "owner"}) {
    if (!archive.contains(name)) refuse("{}: array '{}' is missing; {}", where, name, again);
  }
  read_graph_npz_labels(archive, out);
  read_graph_npz_splits_and_names(archive, out);
  const auto sizes = archive.read_as<std::int64_t>("sizes");
  const auto about = archive.read("about").strings();
  if (sizes.size() < 6 || about.size() != 2 || sizes[0] != parts::version)
    refuse("{}: is of another version of this format; {}", where, again);
  Head head;
  head.part = archive.read_as<std::int32_t>("owner");
  if (sizes[1] < 1 || sizes[1] > 1'000'000 || sizes[2] != out.graph.nodes || sizes[3] < 1 ||
      sizes[3] > std::numeric_limits<std::int32_t>::max() ||
      static_cast<Index>(head.part.size()) != out.graph.nodes)
    refuse("{}: its arrays do not fit each other; {}", where, again);
  head.parts = static_cast<int>(sizes[1]);
  head.features = sizes[3];
  head.sparse = sizes[4] != 0;
  out.graph.directed = sizes[5] != 0;
  for (const auto part : head.part) {
    if (part < 0 || part >= head.parts)
      refuse("{}: a node is in part {}, and there are {}; {}", where, part, head.parts, again);
  }
  out.name = about[0];
  out.share_of = about[1];
  out.columns = read_graph_npz_columns(archive, head.features);
  if (archive.contains("edge_type_names")) out.graph.type_names = archive.read("edge_type_names").strings();
  return head;
}

/// Reads one part after the other into the data set of a rank.
class PartReader {
 public:
  PartReader(const fs::path& folder, const Head& head, int rank, int ranks, Dataset& out)
      : folder_(folder), head_(head), rank_(rank), ranks_(ranks), out_(out) {
    row_.assign(head.part.size(), -1);
    std::int32_t rows = 0;
    for (std::size_t node = 0; node < row_.size(); ++node) {
      if (is_own(head.part[node])) row_[node] = rows++;
    }
    out.features.rows = rows;
    out.features.cols = head.features;
    out.features.is_sparse = head.sparse;
    if (!head.sparse)
      out.features.dense.resize(static_cast<std::size_t>(rows) * static_cast<std::size_t>(head.features));
  }

  void read(int part) {
    const NpzReader archive(folder_ / parts::part_file(part));
    const std::string where = archive.path().string();
    const auto nodes = archive.read_as<std::int32_t>("nodes");
    if (nodes != nodes_of(head_.part, part))
      refuse("{}: has other nodes than {} says; {}", where, parts::head_file, again);
    if (const auto graph = archive.read("graph").strings(); graph.size() != 1 || graph[0] != out_.share_of)
      refuse("{}: is a part of another graph than {} says; {}", where, parts::head_file, again);
    const auto halo = archive.read_as<std::int32_t>("halo");
    Graph graph;
    graph.nodes = out_.graph.nodes;
    read_graph_npz_edges(archive, graph);
    check_edges(where, graph);
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
      const Edge edge = std::as_const(graph).edges[k];
      const int from = part_of(edge.from), to = part_of(edge.to);
      if (from != part && to != part) refuse("{}: edge {} has no end in the part; {}", where, k, again);
      const std::int32_t other = from == part ? edge.to : edge.from;
      if (from != to && !std::binary_search(halo.begin(), halo.end(), other))
        refuse("{}: node {} is not in the halo; {}", where, other, again);
      // An edge between two parts of this rank comes in both of them.
      if (from != to && is_own(from) && is_own(to) && part != std::min(from, to)) continue;
      out_.graph.edges.push_back(edge);
      if (!graph.weight.empty()) out_.graph.weight.push_back(std::as_const(graph).weight[k]);
      if (!graph.type.empty()) out_.graph.type.push_back(std::as_const(graph).type[k]);
    }
    if (head_.sparse) {
      sparse_.push_back({nodes, read_graph_npz_features(archive, static_cast<Index>(nodes.size()))});
      const Features& features = sparse_.back().features;
      if (!features.is_sparse || features.cols != head_.features)
        refuse("{}: has other features than {} says; {}", where, parts::head_file, again);
    } else {
      read_dense(part, nodes);
    }
  }

  /// Puts the rows of sparse features in their order.
  void finish() {
    if (!head_.sparse) return;
    std::vector<std::pair<const Csr*, std::int32_t>> from(static_cast<std::size_t>(out_.features.rows));
    for (const auto& [nodes, features] : sparse_) {
      for (std::size_t k = 0; k < nodes.size(); ++k)
        from[static_cast<std::size_t>(row_of(nodes[k]))] = {&features.sparse, static_cast<std::int32_t>(k)};
    }
    Csr& x = out_.features.sparse;
    x.rows = out_.features.rows;
    x.cols = head_.features;
    for (const auto& [csr, row] : from) {
      const auto first = csr->row_start[static_cast<std::size_t>(row)],
                 last = csr->row_start[static_cast<std::size_t>(row) + 1];
      for (Index k = first; k < last; ++k) {
        x.col.push_back(csr->col[static_cast<std::size_t>(k)]);
        x.value.push_back(csr->value[static_cast<std::size_t>(k)]);
      }
      x.row_start.push_back(x.nonzeros());
    }
  }

 private:
  /// All parts have weights, or none; types are those of the whole graph.
  void check_edges(const std::string& where, const Graph& graph) const {
    const Graph& so_far = out_.graph;
    const bool fits =
        so_far.edges.empty() || graph.edges.empty() ||
        (so_far.weight.empty() == graph.weight.empty() && so_far.type.empty() == graph.type.empty());
    if (!fits || graph.directed != so_far.directed ||
        (!graph.edges.empty() && graph.type.empty() != (so_far.types() == 0)))
      refuse("{}: has other kinds of edges than the graph; {}", where, again);
    for (const auto type : graph.type.get()) {
      if (type >= so_far.types())
        refuse("{}: has an edge of type {}, and there are {}; {}", where, type, so_far.types(), again);
    }
  }
  int part_of(std::int32_t node) const { return head_.part[static_cast<std::size_t>(node)]; }
  bool is_own(int part) const { return rank_of_part(part, head_.parts, ranks_) == rank_; }
  std::int32_t row_of(std::int32_t node) const { return row_[static_cast<std::size_t>(node)]; }

  void read_dense(int part, const std::vector<std::int32_t>& nodes) {
    const MappedNpy file(folder_ / parts::features_file(part));
    const auto rows = static_cast<std::int64_t>(nodes.size());
    if (file.shape() != std::vector<std::int64_t>{rows, head_.features})
      refuse("{}: has shape {}, expected {}; {}", file.where(), shape_text(file.shape()),
             shape_text({rows, head_.features}), again);
    std::vector<float>& to = out_.features.dense.edit();
    file.for_each_piece<float>(head_.features, [&](std::span<const float> piece, std::int64_t first) {
      const auto width = static_cast<std::size_t>(head_.features);
      for (std::size_t k = 0; k < piece.size(); k += width) {
        const auto node = nodes[static_cast<std::size_t>(first) / width + k / width];
        float* row = to.data() + static_cast<std::size_t>(row_of(node)) * width;
        for (std::size_t c = 0; c < width; ++c) {
          row[c] = piece[k + c];
          if (!std::isfinite(row[c]))
            refuse("{}: node {} has a feature that is not finite; replace it and {}", file.where(), node,
                   again);
        }
      }
    });
  }

  struct SparseRows {
    std::vector<std::int32_t> nodes;
    Features features;
  };
  const fs::path& folder_;
  const Head& head_;
  int rank_, ranks_;
  Dataset& out_;
  std::vector<std::int32_t> row_;  // of every node, among own ones; −1 for others
  std::vector<SparseRows> sparse_;
};

}  // namespace

bool is_parts_folder(const FileTree& files, const std::string& /*name*/) {
  const auto& names = files.names();
  return std::find(names.begin(), names.end(), parts::head_file) != names.end();
}

Dataset read_parts(const fs::path& folder, int rank, int ranks) {
  Dataset out;
  const Head head = read_head(folder, out);
  if (ranks > head.parts)
    refuse("{}: has {} parts for {} ranks; start at most {}, or partition it into more", folder.string(),
           head.parts, ranks, head.parts);
  PartReader reader(folder, head, rank, ranks, out);
  for (int part = 0; part < head.parts; ++part) {
    if (rank_of_part(part, head.parts, ranks) == rank) reader.read(part);
  }
  reader.finish();
  if (ranks == 1) return out;
  for (const auto part : head.part) out.owner.push_back(rank_of_part(part, head.parts, ranks));
  return out;
}

}  // namespace gdkm
