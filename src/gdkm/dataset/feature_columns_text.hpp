#pragma once

#include <string>

#include "gdkm/dataset/feature_columns.hpp"

namespace gdkm {

/// The columns as JSON, as model files and npz archives keep them.
std::string to_text(const FeatureColumns& columns);

/// The inverse. Throws a std::invalid_argument that says what is wrong.
FeatureColumns columns_from_text(const std::string& text);

}  // namespace gdkm
