#pragma once

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/graph/features.hpp"

namespace gdkm {

/// The features of an npz file: CSR (`feat_*`) if it has them, else dense (`node_features`). CSR columns may
/// come in any order; repeated ones are summed.
Features read_graph_npz_features(const NpzReader& archive, Index nodes);

void write_graph_npz_features(const Features& features, NpzWriter& archive);

}  // namespace gdkm
