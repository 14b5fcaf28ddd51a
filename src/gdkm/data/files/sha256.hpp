#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace gdkm {

/// The SHA-256 of bytes or of a file, in lower-case hexadecimal. A file is read in pieces; one that cannot be
/// read is an InputError.
std::string sha256_of(std::string_view bytes);
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace gdkm
