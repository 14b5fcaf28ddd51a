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
  if (folders.empty()) throw InputError("there is no folder to fetch to; name one with --data-dir");
  return folders.front();
}

std::string file_count(std::size_t count) {
  return fmt::format("{} {}", count, count == 1 ? "file" : "files");
}

void print_plan(const std::vector<FetchStep>& steps) {
  const auto there = static_cast<std::size_t>(
      std::count_if(steps.begin(), steps.end(), [](auto& step) { return step.there; }));
  for (const FetchStep& step : steps) {
    fmt::print("{} -> {}{}\n", step.url, step.path.string(), step.there ? "  (there)" : "");
  }
  fmt::print("{} to fetch, {} there; the server tells their sizes\n", file_count(steps.size() - there),
             there);
}

/// One line of progress per file, in KiB.
class FileProgress {
 public:
  explicit FileProgress(bool quiet) : mode_(quiet ? Progress::Mode::quiet : Progress::Mode::automatic) {}

  void show(const FetchProgress& now) {
    if (!line_ || now.number != number_) {
      line_.reset();  // its last state is written before the next line begins
      line_ = std::make_unique<Progress>(fmt::format("{}/{} {}, KiB", now.number, now.files, now.file),
                                         in_kib(now.total), mode_);
      line_->start_at(in_kib(now.done));  // what an earlier run left does not count in the rate
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
    throw Interrupted(fmt::format("{}; the same command goes on from there", stop.what()));
  }
  progress.finish();
  if (quiet) return;
  const std::string where = shell_word(fs::absolute(folder).lexically_normal().string());
  fmt::print("{}: {} fetched, {} there before, in {}\n", entry.name, file_count(summary.fetched.size()),
             summary.already_there.size(), (folder / entry.name).string());
  fmt::print("Look at it with:  gdkm data info {}{}\n", entry.name,
             data_dir.empty() ? "" : " --data-dir " + where);
}

}  // namespace

void add_data_fetch(CLI::App& data) {
  auto command = std::make_shared<FetchCommand>();
  CLI::App& fetch_command = *data.add_subcommand("fetch", "Download a published data set");
  fetch_command.add_option("NAME", command->name, "A name of the catalogue (see gdkm data list)")
      ->required()
      ->type_name("");
  fetch_command
      .add_option("--data-dir", command->data_dir,
                  "Folder to put NAME/ in (else $GDKM_DATA, else the\nuser's cache)")
      ->type_name("DIR");
  fetch_command.add_flag("--force", command->force,
                         "Fetch again what is there but differs from its\nchecksum, or has none");
  fetch_command
      .add_option("--base-url", command->base_url,
                  "A mirror, with files at URL/NAME/FILE, instead of\ntheir publishers")
      ->type_name("URL");
  fetch_command.add_flag("--dry-run", command->dry_run, "Only print what would be fetched, and where to");
  fetch_command.add_flag("--quiet", command->quiet, "No progress, no closing remark");
  fetch_command.footer(
      "A download that was cut or interrupted goes on where it stopped. Files are\n"
      "compared with their checksums where these are known. Proxies are taken from\n"
      "http_proxy and https_proxy.\n"
      "Examples:\n"
      "  gdkm data fetch minesweeper\n"
      "  gdkm data fetch cora --data-dir datasets\n"
      "  gdkm data fetch reddit --dry-run");
  fetch_command.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
