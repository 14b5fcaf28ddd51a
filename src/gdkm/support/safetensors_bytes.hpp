#pragma once

#include "gdkm/support/safetensors.hpp"

namespace gdkm {

/// A safetensors file in memory.
std::string safetensors_bytes(const TensorFile& file);
/// The contents of such bytes; `path` names them in errors.
TensorFile safetensors_from(const std::string& bytes, const std::filesystem::path& path);

}  // namespace gdkm
