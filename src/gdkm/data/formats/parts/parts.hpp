#pragma once

#include <filesystem>
#include <vector>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/formats/parts/partition_source.hpp"

namespace gdkm {

/// A graph in parts, as a folder, so that each of several ranks reads its own part alone:
///
///   partition.npz             what every rank reads: node_labels or node_targets, masks of splits and names,
///                             as in the npz layout; owner [n], the part of every node; sizes, the numbers
///                             (version, parts, nodes, features, sparse, directed); about, the texts (name,
///                             fingerprint); edge_type_names
///   part-00000.npz            graph, its fingerprint; nodes [k], ascending; edges [e, 2] that one of them is
///   an end of, by numbers of
///                             the whole graph (edges_directed if they have a direction), edge_weights,
///                             edge_type; halo [h], the other ends, ascending, and halo_part [h], their
///                             parts; sparse features as feat_*
///   part-00000.features.npy   [k, d] float32, unless features are sparse
///
/// Errors are InputErrors that name the file.

/// What a part came to.
struct PartSize {
  Index nodes = 0, edges = 0, halo = 0;
};

struct PartsOptions {
  std::size_t memory = std::size_t{1} << 30;  // bytes for the edges of parts that are written at a time
};

/// An InputError where no partition may be written there: a folder is replaced with `force`, if it has
/// nothing else.
void check_parts_target(const std::filesystem::path& folder, bool force);

/// Writes the folder aside and renames it, so that nothing half-written is left. `owner` has the part of
/// every node.
std::vector<PartSize> write_parts(const PartitionSource& source, const std::vector<std::int32_t>& owner,
                                  int parts, const std::filesystem::path& folder, bool force = false,
                                  const PartsOptions& options = {});

/// Which rank reads each of `parts` parts.
inline int rank_of_part(int part, int parts, int ranks) {
  return static_cast<int>(static_cast<std::int64_t>(part) * ranks / parts);
}

bool is_parts_folder(const FileTree& files, const std::string& name);

/// What one of so many ranks has: see Dataset::owner. One rank reads all.
Dataset read_parts(const std::filesystem::path& folder, int rank = 0, int ranks = 1);

}  // namespace gdkm
