#pragma once

#include <filesystem>

namespace gdkm {

/// Files that only Python, or a spreadsheet, can read: .pt, .pth, .pkl, .pickle, .gpickle, .xlsx. Throws an
/// InputError with the lines that store the same graph in a file that can be read here; returns for others.
void refuse_python_file(const std::filesystem::path& path);

}  // namespace gdkm
