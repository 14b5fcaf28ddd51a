#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/cli/watch.hpp"
#include "gdkm/data/catalogue/fetch.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct FetchCommand {
  std::string name, data_dir;
  FetchOptions options;
  bool dry_run = false, quiet = false;

  void run();
};

const CatalogueEntry& entry_of(const std::string& name) {
  if (const CatalogueEntry* entry = find_entry(name)) return *entry;
  std::vector<std::string> known;
  for (const CatalogueEntry& entry : catalogue()) known.push_back(entry.name);
  throw InputError(
      fmt::format("'{}' is not in the catalogue{}; see 'gdkm data list'", name, suggestion(name, known)));
}

fs::path target_folder(const std::string& data_dir) {
  const auto folders = data_folders(folder(data_dir));
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
  explicit FileProgress(bool quiet) : mode_(progress_mode(quiet)) {}

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

void FetchCommand::run() {
  const CatalogueEntry& entry = entry_of(name);
  const fs::path folder = target_folder(data_dir);
  if (dry_run) return print_plan(plan_fetch(entry, folder, options.base_url));

  const InterruptGuard guard;
  FileProgress progress(quiet);
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

void add_data_fetch(CLI::App& data, const HttpGet& get) {
  auto command = std::make_shared<FetchCommand>();
  command->options.download.get = get;
  CLI::App& fetch_command = *data.add_subcommand("fetch", "Download a published data set");
  add_argument(fetch_command, "NAME", command->name, "Name of a data set (see gdkm data list)");
  add_text(fetch_command, "--data-dir", "DIR", command->data_dir,
           "Folder for NAME/ (default: $GDKM_DATA, else the\nuser's cache)");
  fetch_command.add_flag("--force", command->options.download.force,
                         "Fetch existing files again if they do not match\ntheir checksum, or have none");
  add_text(fetch_command, "--base-url", "URL", command->options.base_url,
           "Mirror with the files at URL/NAME/FILE (default:\nthe original publishers)");
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
