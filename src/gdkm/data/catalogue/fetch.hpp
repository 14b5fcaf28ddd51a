#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "gdkm/data/catalogue/entry.hpp"
#include "gdkm/data/files/download.hpp"

namespace gdkm {

/// One file of an entry: where it comes from and where it goes.
struct FetchStep {
  const CatalogueFile* file = nullptr;
  std::string url;
  std::filesystem::path path;
  bool there = false;  // whole and unpacked; not compared with its checksum
};

struct FetchProgress {
  std::string file;
  std::size_t number = 1, files = 1;
  std::int64_t done = 0, total = 0;  // bytes of this file; a total of 0 is not known
};

struct FetchOptions {
  /// A mirror, where files lie as <base_url>/<entry>/<file>; otherwise their publishers are asked.
  std::string base_url;
  /// force, interrupted, attempts; its own `progress` is not used.
  DownloadOptions download;
  std::function<void(const FetchProgress&)> progress;
};

struct FetchSummary {
  std::vector<std::filesystem::path> fetched, already_there;
};

/// The files of `entry`, which go to <folder>/<name of the entry>.
std::vector<FetchStep> plan_fetch(const CatalogueEntry& entry, const std::filesystem::path& folder,
                                  const std::string& base_url);

/// Fetches what is missing, in order, and unpacks archives that are meant to be; an archive then goes and
/// leaves <archive>.unpacked, a list of its members, in its place. Without a connection the InputError has
/// several lines: which files to put where.
FetchSummary fetch(const CatalogueEntry& entry, const std::filesystem::path& folder,
                   const FetchOptions& options);

}  // namespace gdkm
