#include "gdkm/data/catalogue/fetch.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstring>
#include <fstream>

#include "gdkm/data/files/unzip.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;

/// A path with URL escapes.
std::string url_path(std::string_view path) {
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = byte < 0x80 && (std::isalnum(byte) || std::strchr("-._~/", c) != nullptr);
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

std::string mirror_url(std::string base, const CatalogueEntry& entry, const CatalogueFile& file) {
  while (base.ends_with('/')) base.pop_back();
  return base + "/" + url_path(entry.name) + "/" + url_path(file.name);
}

void check_base(const std::string& base) {
  if (base.empty() || base.starts_with("http://") || base.starts_with("https://")) return;
  throw OptionError("base_url", base, "is not an http address",
                    "give one that starts with http:// or https://");
}

fs::path list_of(const fs::path& archive) {
  return archive.string() + ".unpacked";
}

/// Whether an archive was unpacked and all members still exist.
bool is_unpacked(const fs::path& archive) {
  std::ifstream list(list_of(archive));
  if (!list) return false;
  std::error_code ignored;
  for (std::string name; std::getline(list, name);) {
    if (!fs::is_regular_file(archive.parent_path() / name, ignored)) return false;
  }
  return true;
}

void unpack(const fs::path& archive) {
  std::string list;
  for (const std::string& name : unzip_in_place(archive)) list += name + "\n";
  write_file_atomically(list_of(archive), list);
  std::error_code ignored;
  fs::remove(archive, ignored);
}

/// Creates the folders of a file. Folders that stay empty are removed again.
class Folders {
 public:
  ~Folders() {
    std::error_code ignored;
    for (auto at = made_.rbegin(); at != made_.rend(); ++at) fs::remove(*at, ignored);
  }

  void make(const fs::path& folder) {
    std::error_code error;
    if (folder.empty() || fs::is_directory(folder, error)) return;
    make(folder.parent_path());
    if (!fs::create_directory(folder, error) && error) {
      refuse("{}: the folder cannot be created ({}); choose another with {}", folder.string(),
             error.message(), option("data_dir"));
    }
    made_.push_back(folder);
  }

 private:
  std::vector<fs::path> made_;
};

std::string by_hand(const CatalogueEntry& entry, const std::vector<FetchStep>& steps,
                    const std::string& trouble) {
  std::string out =
      fmt::format("{}; these files of {} are missing, download them by hand:", trouble, entry.name);
  for (const FetchStep& step : steps) {
    if (step.there) continue;
    out += fmt::format("\n  {}\n    -> {}{}", step.url, step.path.string(),
                       step.file->unpack ? ", then run this again to unpack it" : "");
  }
  return out;
}

}  // namespace

std::vector<FetchStep> plan_fetch(const CatalogueEntry& entry, const fs::path& folder,
                                  const std::string& base_url) {
  check_base(base_url);
  std::vector<FetchStep> out;
  for (const CatalogueFile& file : entry.files) {
    FetchStep step{&file, base_url.empty() ? file.url : mirror_url(base_url, entry, file),
                   folder / entry.name / file.name, false};
    std::error_code ignored;
    step.there = file.unpack ? is_unpacked(step.path) : fs::is_regular_file(step.path, ignored);
    out.push_back(std::move(step));
  }
  return out;
}

FetchSummary fetch(const CatalogueEntry& entry, const fs::path& folder, const FetchOptions& options) {
  FetchSummary out;
  Folders folders;
  auto steps = plan_fetch(entry, folder, options.base_url);
  FetchProgress progress;
  progress.files = steps.size();
  DownloadOptions download_options = options.download;
  download_options.progress = [&](std::int64_t done, std::int64_t total) {
    progress.done = done;
    progress.total = total;
    if (options.progress) options.progress(progress);
  };
  for (std::size_t k = 0; k < steps.size(); ++k) {
    FetchStep& step = steps[k];
    progress.number = k + 1;
    progress.file = step.file->name;
    if (step.file->unpack && step.there && !options.download.force) {
      out.already_there.push_back(step.path);
      continue;
    }
    folders.make(step.path.parent_path());
    try {
      const Downloaded when = download(step.url, step.path, step.file->sha256, download_options);
      (when == Downloaded::now ? out.fetched : out.already_there).push_back(step.path);
    } catch (const OfflineError& offline) {
      refuse(by_hand(entry, steps, offline.trouble()));
    }
    if (step.file->unpack) unpack(step.path);
    step.there = true;
  }
  return out;
}

}  // namespace gdkm
