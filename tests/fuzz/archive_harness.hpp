#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gdkm::fuzzing {

/// An input is the bytes of a zip or gzip file, read as a tree of files, as an .npz and as packed text.
bool run_archive(std::string_view input);
std::vector<std::string> archive_seeds();

}  // namespace gdkm::fuzzing
