#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gdkm/data/catalogue/entry.hpp"
#include "gdkm/data/files/download.hpp"

namespace gdkm {

/// One file of an entry: its source and its destination.
struct FetchStep {
  const CatalogueFile* file = nullptr;
  std::string url;
  std::filesystem::path path;
  bool there = false;  // complete and unpacked; checksum not compared
};

struct FetchProgress {
  std::string file;
  std::size_t number = 1, files = 1;
  std::int64_t done = 0, total = 0;  // bytes of this file; a total of 0 means unknown
};

struct FetchOptions {
  /// A mirror with files at <base_url>/<entry>/<file>; empty for the original publishers.
  std::string base_url;
  /// Uses force, interrupted, attempts and get; `progress` is ignored.
  DownloadOptions download;
  std::function<void(const FetchProgress&)> progress;
};

struct FetchSummary {
  std::vector<std::filesystem::path> fetched, already_there;
};

/// The files of `entry` and their places in <folder>/<entry name>.
std::vector<FetchStep> plan_fetch(const CatalogueEntry& entry, const std::filesystem::path& folder,
                                  const std::string& base_url);

/// Downloads missing files in order and unpacks archives where required. An unpacked archive is replaced by
/// <archive>.unpacked, a list of its members. Without a connection the InputError has several lines that say
/// which files belong where.
FetchSummary fetch(const CatalogueEntry& entry, const std::filesystem::path& folder,
                   const FetchOptions& options);

}  // namespace gdkm
