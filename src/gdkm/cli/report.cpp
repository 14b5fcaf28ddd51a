#include <fmt/format.h>

#include <filesystem>

#include "gdkm/cli/options.hpp"
#include "gdkm/cli/watch.hpp"
#include "gdkm/experiments/report/study_report.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

struct ReportCommand {
  std::string store, output, data_dir;
  ReportKernelOptions options;
  bool quiet = false;

  void run();
};

void ReportCommand::run() {
  const std::string file = output.empty() ? StoreLocation(store).stem() + ".html" : output;
  if (file == "-") throw InputError("--output -: cannot write the report to standard output; name a file");
  check_output("--output", file, store);
  const Store from = Store::open(store);
  const InterruptGuard guard;
  std::unique_ptr<Progress> progress;
  options.data_dir = folder(data_dir);
  options.interrupted = [&] { return guard.interrupted(); };
  options.progress = [&](std::int64_t done, std::int64_t total, const std::string& what) {
    if (!progress) progress = std::make_unique<Progress>("kernels", total, progress_mode(quiet));
    progress->update(done, what);
  };
  const auto content = report_content(from, options);
  if (progress) progress->clear();
  progress.reset();
  if (!content)
    throw Interrupted(
        "stopped; no report was written; --kernel-time 0 writes one without training for kernels");
  write_file_atomically(file, study_report(*content, from));
  fmt::print("{}\n{}\nOpen the report in a browser:  {}\n", content->story.headline, content->story.detail,
             file);
}

}  // namespace

void add_report(CLI::App& app) {
  auto command = std::make_shared<ReportCommand>();
  CLI::App& report = *app.add_subcommand("report", "Write a report of a store as one HTML file");
  add_argument(report, "STORE", command->store, "A store of gdkm sweep");
  add_text(report, "--output,-o", "FILE", command->output, "The report to write [STORE's name with .html]");
  add_data_dir(report, command->data_dir);
  add_number(report, "--kernel-time", "S", command->options.seconds, 0, 1e7,
             "Seconds of training for pictures of kernels;\n0 for no pictures");
  add_threads(report, command->options.threads);
  report.add_flag("--quiet", command->quiet, "Do not show progress");
  report.footer(
      "A store holds no kernels. To draw them, the command trains some runs again if it\n"
      "finds their data, for at most --kernel-time seconds.\n"
      "Examples:\n"
      "  gdkm report paper-quick.db\n"
      "  gdkm report paper-quick.db -o study.html --kernel-time 0");
  report.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
