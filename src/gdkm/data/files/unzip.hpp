#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gdkm {

/// Unpacks a zip archive into its folder and returns the relative paths of its members. All members are first
/// written to a temporary folder and verified, then renamed. A member that would leave the folder ("../x",
/// "/x"), or that is too large, is an InputError, and nothing is unpacked.
std::vector<std::string> unzip_in_place(const std::filesystem::path& archive);

}  // namespace gdkm
