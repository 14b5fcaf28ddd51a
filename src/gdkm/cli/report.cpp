#include <fmt/format.h>

#include <filesystem>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/data_options.hpp"
#include "gdkm/cli/interrupted.hpp"
#include "gdkm/cli/output_file.hpp"
#include "gdkm/experiments/report/study_report.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/interrupt.hpp"
#include "gdkm/support/progress.hpp"

namespace gdkm::cli {

namespace {

struct ReportCommand {
  std::string store, output, data_dir;
  double kernel_time = 120;
  int threads = 0;
  bool quiet = false;

  void run() const;
};

void ReportCommand::run() const {
  const std::string file = output.empty() ? std::filesystem::path(store).stem().string() + ".html" : output;
  if (file == "-") throw InputError("--output -: cannot write the report to standard output; name a file");
  check_output("--output", file, store);
  const Store from = Store::open(store);
  const InterruptGuard guard;
  std::unique_ptr<Progress> progress;
  ReportKernelOptions options;
  options.data_dir = folder(data_dir);
  options.seconds = kernel_time;
  options.threads = threads;
  options.interrupted = [&] { return guard.interrupted(); };
  options.progress = [&](std::int64_t done, std::int64_t total, const std::string& what) {
    if (!progress)
      progress = std::make_unique<Progress>("kernels", total,
                                            quiet ? Progress::Mode::quiet : Progress::Mode::automatic);
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
  report.add_option("STORE", command->store, "A store of gdkm sweep")->required()->type_name("");
  report.add_option("--output,-o", command->output, "The report to write [STORE's name with .html]")
      ->type_name("FILE");
  add_data_dir(report, command->data_dir);
  report
      .add_option("--kernel-time", command->kernel_time,
                  "Seconds of training for pictures of kernels;\n0 for no pictures")
      ->type_name("S")
      ->check(CLI::Range(0.0, 1e7))
      ->capture_default_str();
  report.add_option("--threads", command->threads, "Threads; 0 for one per core")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
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
