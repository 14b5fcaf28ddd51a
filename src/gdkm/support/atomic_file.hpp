#pragma once

#include <filesystem>
#include <string_view>

namespace gdkm {

/// Writes a whole file so that a reader, or a crash, meets either the old file or the new one, never a part:
/// the bytes go to a neighbour in the same folder, reach the disk, and then take the name. Permissions of a
/// file that was there are kept, a symbolic link stays one, and a device or pipe is written to directly. On
/// failure the neighbour is removed and an InputError says why.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace gdkm
