#pragma once

#include "gdkm/dataset/feature_columns.hpp"

namespace gdkm {

/// Features of the table `from` as a model of the table `to` takes them; see align(). Columns are matched by
/// name. A column that is not there, or has another type, is an InputError.
Features align_tables(const Features& features, const FeatureColumns& from, const FeatureColumns& to,
                      const AlignmentNotes& notes);

}  // namespace gdkm
