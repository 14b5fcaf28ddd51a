#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/support/npz.hpp"
#include "gdkm/support/npz_writer.hpp"

namespace gdkm {

/// The features of a neutral file: CSR (`feat_*`) where it has them, else dense (`node_features`). Columns of
/// a CSR row may come in any order; repeated ones are added.
Features read_neutral_features(const NpzReader& archive, Index nodes);

void write_neutral_features(const Features& features, NpzWriter& archive);

}  // namespace gdkm
