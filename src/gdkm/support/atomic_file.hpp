#pragma once

#include <filesystem>
#include <string_view>

namespace gdkm {

/// Replaces a file so that readers, even after a crash, see either the old file or the new one: writes a
/// temporary file in the same folder, syncs it to disk, and renames it. Keeps the permissions of the old file
/// and follows a symbolic link; writes to a device or pipe directly. Throws an InputError on failure.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace gdkm
