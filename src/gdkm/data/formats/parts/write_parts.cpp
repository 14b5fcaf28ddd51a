#include <algorithm>
#include <fstream>

#include "gdkm/data/files/folder_aside.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/data/files/sha256.hpp"
#include "gdkm/data/formats/npz/graph_npz_features.hpp"
#include "gdkm/data/formats/npz/graph_npz_items.hpp"
#include "gdkm/data/formats/parts/part_names.hpp"
#include "gdkm/data/formats/parts/parts.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

template <class V>
std::string_view bytes_of(std::span<const V> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

/// Rows of dense features, appended to the files of parts as they come.
void write_features(const PartitionSource& source, const std::vector<std::int32_t>& owner,
                    const std::vector<PartSize>& sizes, const FolderAside& folder, Sha256& hash) {
  constexpr std::size_t most_open = 256;
  for (std::size_t first = 0; first < sizes.size(); first += most_open) {
    const std::size_t last = std::min(sizes.size(), first + most_open);
    std::vector<std::ofstream> files;
    for (std::size_t part = first; part < last; ++part) {
      files.emplace_back(folder / parts::features_file(static_cast<int>(part)), std::ios::binary);
      files.back() << make_npy_header("<f4", {sizes[part].nodes, source.feature_cols});
    }
    source.rows([&](Index node, std::span<const float> row) {
      const auto part = static_cast<std::size_t>(owner[static_cast<std::size_t>(node)]);
      if (first == 0) hash.add(bytes_of(row));
      if (part < first || part >= last) return;
      const std::string_view bytes = bytes_of(row);
      files[part - first].write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    });
    for (std::size_t part = first; part < last; ++part) {
      files[part - first].close();
      if (!files[part - first])
        refuse("{}: cannot be written; check the space on the disk",
               (folder / parts::features_file(static_cast<int>(part))).string());
    }
  }
}

/// The edges of some parts, as one reading of all edges finds them.
struct PartEdges {
  std::vector<std::int32_t> ends;
  std::vector<float> weight;
  std::vector<std::int32_t> type;
};

/// The other ends of a part's edges, ascending, with their parts.
struct HaloList {
  std::vector<std::int32_t> nodes, parts;

  HaloList(const std::vector<std::int32_t>& ends, const std::vector<std::int32_t>& owner, int part) {
    for (const auto node : ends) {
      if (owner[static_cast<std::size_t>(node)] != part) nodes.push_back(node);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    for (const auto node : nodes) parts.push_back(owner[static_cast<std::size_t>(node)]);
  }
};

Index count(const std::vector<std::int32_t>& values) {
  return static_cast<Index>(values.size());
}

void write_part(const PartitionSource& source, const std::vector<std::int32_t>& owner, int part,
                const PartEdges& edges, const std::string& graph, const fs::path& path, PartSize& size) {
  std::vector<std::int32_t> nodes;
  for (std::size_t node = 0; node < owner.size(); ++node) {
    if (owner[node] == part) nodes.push_back(static_cast<std::int32_t>(node));
  }
  const HaloList halo(edges.ends, owner, part);
  size.halo = count(halo.nodes);
  NpzWriter archive;
  archive.add_strings("graph", {graph});
  archive.add("nodes", {count(nodes)}, nodes);
  archive.add(source.head.graph.directed ? "edges_directed" : "edges", {count(edges.ends) / 2, 2},
              edges.ends);
  if (!source.head.graph.weight.empty())
    archive.add("edge_weights", {static_cast<Index>(edges.weight.size())}, edges.weight);
  if (!source.head.graph.type.empty()) archive.add("edge_type", {count(edges.type)}, edges.type);
  archive.add("halo", {count(halo.nodes)}, halo.nodes);
  archive.add("halo_part", {count(halo.parts)}, halo.parts);
  if (source.is_sparse()) write_graph_npz_features(select_rows(source.head.features, nodes), archive);
  archive.write(path);
}

/// Goes through all edges once for as many parts as the memory holds.
void write_edges(const PartitionSource& source, const std::vector<std::int32_t>& owner,
                 const PartsOptions& options, const std::string& graph, const FolderAside& folder,
                 std::vector<PartSize>& sizes) {
  const auto part_of = [&](std::int32_t node) {
    return static_cast<std::size_t>(owner[static_cast<std::size_t>(node)]);
  };
  for (std::size_t first = 0; first < sizes.size();) {
    std::size_t last = first, bytes = 0;
    while (last < sizes.size()) {
      bytes += static_cast<std::size_t>(sizes[last].edges) * 4 * sizeof(std::int32_t);
      if (last > first && bytes > options.memory) break;
      ++last;
    }
    std::vector<PartEdges> some(last - first);
    for (std::size_t k = 0; k < some.size(); ++k)
      some[k].ends.reserve(2 * static_cast<std::size_t>(sizes[first + k].edges));
    const auto add = [&](std::size_t part, Edge edge, std::size_t number) {
      if (part < first || part >= last) return;
      PartEdges& to = some[part - first];
      to.ends.insert(to.ends.end(), {edge.from, edge.to});
      const Graph& graph = source.head.graph;
      if (!graph.weight.empty()) to.weight.push_back(graph.weight[number]);
      if (!graph.type.empty()) to.type.push_back(graph.type[number]);
    };
    source.edges([&](Edge edge, std::size_t number) {
      const std::size_t from = part_of(edge.from), to = part_of(edge.to);
      add(from, edge, number);
      if (to != from) add(to, edge, number);
    });
    for (std::size_t part = first; part < last; ++part) {
      write_part(source, owner, static_cast<int>(part), some[part - first], graph,
                 folder / parts::part_file(static_cast<int>(part)), sizes[part]);
      some[part - first] = {};
    }
    first = last;
  }
}

void check_source(const PartitionSource& source, const std::vector<std::int32_t>& owner, int parts) {
  const Dataset& head = source.head;
  if (head.task != Task::node)
    refuse("{}: has many graphs, which ranks share out by themselves; parts are for one large graph",
           head.name);
  if (static_cast<Index>(owner.size()) != head.graph.nodes || parts < 1)
    refuse("{}: parts are given for {} nodes, and there are {}", head.name, owner.size(), head.graph.nodes);
  for (const auto part : owner) {
    if (part < 0 || part >= parts)
      refuse("{}: a node is in part {}, and there are {}", head.name, part, parts);
  }
}

}  // namespace

void check_parts_target(const fs::path& folder, bool force) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder, error))) return;
  if (!fs::exists(folder / parts::head_file, error))
    refuse("{}: exists and is no graph in parts; choose another folder", folder.string());
  if (!force) refuse("{}: exists; choose another folder, or add {}", folder.string(), option("force"));
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name != parts::head_file && !name.starts_with("part-"))
      refuse("{}: contains {}, which is not part of a partition; choose another folder", folder.string(),
             name);
  }
}

std::vector<PartSize> write_parts(const PartitionSource& source, const std::vector<std::int32_t>& owner,
                                  int parts, const fs::path& path, bool force, const PartsOptions& options) {
  check_source(source, owner, parts);
  FolderAside folder(path);
  check_parts_target(folder.target(), force);
  std::vector<PartSize> sizes(static_cast<std::size_t>(parts));
  for (const auto part : owner) ++sizes[static_cast<std::size_t>(part)].nodes;
  Sha256 hash;
  source.edges([&](Edge edge, std::size_t) {
    const auto from = static_cast<std::size_t>(owner[static_cast<std::size_t>(edge.from)]),
               to = static_cast<std::size_t>(owner[static_cast<std::size_t>(edge.to)]);
    ++sizes[from].edges;
    if (to != from) ++sizes[to].edges;
    hash.add(bytes_of(std::span<const Edge>(&edge, 1)));
  });
  const Dataset& head = source.head;
  hash.add(bytes_of(std::span<const float>(head.graph.weight.get())));
  hash.add(bytes_of(std::span<const std::int32_t>(head.graph.type.get())));
  if (source.is_sparse()) {
    const Csr& x = head.features.sparse;
    hash.add(bytes_of(std::span<const Index>(x.row_start.get())));
    hash.add(bytes_of(std::span<const std::int32_t>(x.col.get())));
    hash.add(bytes_of(std::span<const double>(x.value.get())));
  } else {
    write_features(source, owner, sizes, folder, hash);
  }
  hash.add(bytes_of(std::span<const std::int32_t>(head.label)));
  hash.add(bytes_of(std::span<const float>(head.target)));
  write_edges(source, owner, options, hash.hex(), folder, sizes);

  NpzWriter archive;
  write_graph_npz_items(head, archive);
  archive.add("owner", {count(owner)}, owner);
  archive.add("sizes", {6},
              std::vector<std::int64_t>{parts::version, parts, head.graph.nodes, source.feature_cols,
                                        source.is_sparse() ? 1 : 0, head.graph.directed ? 1 : 0});
  archive.add_strings("about", {head.name, hash.hex()});
  if (!head.graph.type_names.empty()) archive.add_strings("edge_type_names", head.graph.type_names);
  archive.write(folder / parts::head_file);
  folder.finish();
  return sizes;
}

}  // namespace gdkm
