#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gdkm/data/formats/shared/column_typing.hpp"

namespace gdkm {

/// Whether a column of that name often holds the class: label, class, y, target, club, group, ...
bool is_named_like_class(const std::string& name);

/// Whether a column of that name would give the answer away as a feature: label, class, y, target.
bool gives_class_away(const std::string& name);

/// The column that holds the class, where nobody says which: one that is named like it, and has at least two
/// values that repeat. The most telling name comes first.
std::optional<std::size_t> guess_class(const std::vector<FoundColumn>& found);

}  // namespace gdkm
