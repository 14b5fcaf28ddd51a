#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gdkm {

/// Unpacks a zip archive into the folder it lies in and returns the members' relative paths. All of them are
/// written aside first, checked against the archive's checksums, and then take their names. A member that
/// would land elsewhere ("../x", "/x"), and one that grows beyond all measure, is an InputError, and nothing
/// is unpacked.
std::vector<std::string> unzip_in_place(const std::filesystem::path& archive);

}  // namespace gdkm
