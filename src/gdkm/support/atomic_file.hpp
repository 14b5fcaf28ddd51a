#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gdkm {

/// Replaces a file so that readers, even after a crash, see either the old file or the new one: writes a
/// temporary file in the same folder, syncs it to disk, and renames it. Keeps the permissions of the old file
/// and follows a symbolic link; writes to a device or pipe directly. Throws an InputError on failure.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

/// Throws the same InputError if nothing could be written there, without changing the file: it makes the
/// temporary file and removes it again.
void check_writable(const std::filesystem::path& path);

/// Writes to an open file and returns how many bytes were written; fewer than given mean a failure (errno).
std::size_t write_all(int descriptor, std::string_view bytes);

/// Makes renames in a folder reach the disk. If it cannot be synced, its files are still complete.
void sync_folder(const std::filesystem::path& folder);

/// What to do about the errno of a file that cannot be written.
std::string write_remedy(int reason);

}  // namespace gdkm
