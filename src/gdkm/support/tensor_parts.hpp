#pragma once

#include <string>

#include "gdkm/support/safetensors.hpp"

namespace gdkm {

/// One safetensors file inside another: the names of its tensors and texts get a prefix.
void add_part(TensorFile& to, const std::string& prefix, const TensorFile& part);

/// The part of that prefix, as it was; empty where there is none.
TensorFile part_of(const TensorFile& file, const std::string& prefix);

}  // namespace gdkm
