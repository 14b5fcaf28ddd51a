#pragma once

#include <vector>

#include "gdkm/fitting/model_card.hpp"
#include "gdkm/support/safetensors.hpp"

namespace gdkm {

/// A committee as one file: its own card, and each member as the file that it would be alone, its names
/// beginning with "member.0.", "member.1.", ….
TensorFile committee_file(const ModelCard& card, const std::vector<TensorFile>& members);

/// The files of its members; none where the file has one model.
std::vector<TensorFile> members_of(const TensorFile& file);

}  // namespace gdkm
