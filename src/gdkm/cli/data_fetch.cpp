#include "gdkm/cli/data_fetch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/interrupted.hpp"
#include "gdkm/data/catalogue/fetch.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/support/edit_distance.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/interrupt.hpp"
#include "gdkm/support/progress.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct FetchCommand {
  std::string name, data_dir, base_url;
  bool force = false, dry_run = false, quiet = false;

  void run() const;
};

const CatalogueEntry& entry_of(const std::string& name) {
  if (const CatalogueEntry* entry = find_entry(name)) return *entry;
  std::size_t least = 1 + name.size() / 4;
  std::string nearest;
  for (const CatalogueEntry& entry : catalogue()) {
    const std::size_t distance = edit_distance(name, entry.name);
    if (distance > least || (distance == least && !nearest.empty())) continue;
    least = distance;
    nearest = entry.name;
  }
  throw InputError(fmt::format("'{}' is not in the catalogue{}; see 'gdkm data list'", name,
                               nearest.empty() ? "" : fmt::format(" (did you mean '{}'?)", nearest)));
}

fs::path target_folder(const std::string& data_dir) {
  const auto folders = data_folders(data_dir.empty() ? std::nullopt : std::optional<fs::path>(data_dir));
  if (folders.empty()) throw InputError("no folder to download to; set one with " + option("data_dir"));
  return folders.front();
}

std::string file_count(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "file" : "files");
}

void print_plan(const std::vector<FetchStep>& steps) {
  const auto there = static_cast<std::size_t>(
      std::count_if(steps.begin(), steps.end(), [](auto& step) { return step.there; }));
  for (const FetchStep& step : steps) {
    fmt::print("{} -> {}{}\n", step.url, step.path.string(), step.there ? "  (exists)" : "");
  }
  fmt::print("{} to fetch, {} already here\n", file_count(steps.size() - there), there);
}

/// One line of progress per file, in KiB.
class FileProgress {
 public:
  explicit FileProgress(bool quiet) : mode_(quiet ? Progress::Mode::quiet : Progress::Mode::automatic) {}

  void show(const FetchProgress& now) {
    if (!line_ || now.number != number_) {
      line_.reset();  // print its last state before the next line begins
      line_ = std::make_unique<Progress>(fmt::format("{}/{} {}, KiB", now.number, now.files, now.file),
                                         in_kib(now.total), mode_);
      line_->start_at(in_kib(now.done));  // bytes of an earlier run do not count in the rate
      number_ = now.number;
    }
    line_->update(in_kib(now.done));
  }
  void finish() { line_.reset(); }

 private:
  static std::int64_t in_kib(std::int64_t bytes) { return (bytes + 1023) / 1024; }

  Progress::Mode mode_;
  std::unique_ptr<Progress> line_;
  std::size_t number_ = 0;
};

void FetchCommand::run() const {
  const CatalogueEntry& entry = entry_of(name);
  const fs::path folder = target_folder(data_dir);
  if (dry_run) return print_plan(plan_fetch(entry, folder, base_url));

  const InterruptGuard guard;
  FileProgress progress(quiet);
  FetchOptions options;
  options.base_url = base_url;
  options.download.force = force;
  options.download.interrupted = [&] { return guard.interrupted(); };
  options.progress = [&](const FetchProgress& now) { progress.show(now); };
  FetchSummary summary;
  try {
    summary = fetch(entry, folder, options);
  } catch (const DownloadInterrupted& stop) {
    throw Interrupted(fmt::format("{}; run the same command to continue", stop.what()));
  }
  progress.finish();
  if (quiet) return;
  const std::string where = shell_word(fs::absolute(folder).lexically_normal().string());
  fmt::print("{}: {} fetched, {} already here, in {}\n", entry.name, file_count(summary.fetched.size()),
             summary.already_there.size(), (folder / entry.name).string());
  fmt::print("Next:  gdkm data info {}{}\n", entry.name, data_dir.empty() ? "" : " --data-dir " + where);
}

}  // namespace

void add_data_fetch(CLI::App& data) {
  auto command = std::make_shared<FetchCommand>();
  CLI::App& fetch_command = *data.add_subcommand("fetch", "Download a published data set");
  fetch_command.add_option("NAME", command->name, "Name of a data set (see gdkm data list)")
      ->required()
      ->type_name("");
  fetch_command
      .add_option("--data-dir", command->data_dir,
                  "Folder for NAME/ (default: $GDKM_DATA, else the\nuser's cache)")
      ->type_name("DIR");
  fetch_command.add_flag("--force", command->force,
                         "Fetch existing files again if they do not match\ntheir checksum, or have none");
  fetch_command
      .add_option("--base-url", command->base_url,
                  "Mirror with the files at URL/NAME/FILE (default:\nthe original publishers)")
      ->type_name("URL");
  fetch_command.add_flag("--dry-run", command->dry_run, "Only print what would be fetched, and where");
  fetch_command.add_flag("--quiet", command->quiet, "Print no progress and no summary");
  fetch_command.footer(
      "An interrupted download continues where it stopped. Files are compared with\n"
      "their checksums, if known. Proxies are read from http_proxy and\n"
      "https_proxy.\n"
      "Examples:\n"
      "  gdkm data fetch minesweeper\n"
      "  gdkm data fetch cora --data-dir datasets\n"
      "  gdkm data fetch reddit --dry-run");
  fetch_command.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
