#pragma once

#include <filesystem>
#include <memory>

#include "gdkm/fitting/model_content.hpp"

namespace gdkm {

/// The committee that a file holds, or nothing where it holds one model; `path` names it in errors.
std::shared_ptr<const FittedModel::Content> committee_content(const TensorFile& file,
                                                              const DeviceChoice& device,
                                                              const std::filesystem::path& path);

}  // namespace gdkm
