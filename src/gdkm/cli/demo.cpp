#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/interrupted.hpp"
#include "gdkm/cli/output_file.hpp"
#include "gdkm/experiments/demo/demo_json.hpp"
#include "gdkm/experiments/demo/demo_report.hpp"
#include "gdkm/experiments/demo/demo_table.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/interrupt.hpp"
#include "gdkm/support/progress.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct DemoCommand {
  std::string output = "demo-report.html", json;
  std::uint64_t seed = 0;
  int threads = 0;
  bool quick = false, quiet = false;

  void run() const;
};

void DemoCommand::run() const {
  if (output == "-") throw InputError("--output -: the report is a file; give its name");
  check_output("--output", output);
  check_output("--json", json);
  DemoPlan plan = quick ? DemoPlan::quick() : DemoPlan();
  plan.seed = seed;
  plan.threads = threads;

  const InterruptGuard guard;
  Progress progress("demo", plan.total_epochs(), quiet ? Progress::Mode::quiet : Progress::Mode::automatic);
  DemoObserver observer;
  observer.warn = [&](const std::string& message) {
    if (quiet) return;
    progress.clear();
    warn(message);
  };
  observer.interrupted = [&] { return guard.interrupted(); };
  observer.progress = [&](std::int64_t done, const std::string& what) { progress.update(done, what); };
  const auto results = run_demo(plan, observer);
  progress.finish();
  if (!results) throw Interrupted("stopped; no report was written. Start again with:  gdkm demo");

  const DemoFindings findings = find_in(plan, *results);
  write_file_atomically(output, demo_report(plan, *results, findings));
  const std::string numbers = to_json(plan, *results, findings).dump(2) + "\n";
  if (json == "-") {
    fmt::print("{}", numbers);
    return;
  }
  if (!json.empty()) write_file_atomically(json, numbers);
  fmt::print("{}\nOpen the report in a browser:  {}\n", demo_table(plan, *results, findings), output);
}

}  // namespace

void add_demo(CLI::App& app) {
  auto command = std::make_shared<DemoCommand>();
  CLI::App& demo = *app.add_subcommand("demo", "The main idea in two minutes, as one HTML file");
  demo.add_option("--output,-o", command->output, "The report to write")
      ->type_name("FILE")
      ->capture_default_str();
  demo.add_option("--json", command->json, "Write all numbers as JSON; - for standard output")
      ->type_name("FILE|-");
  demo.add_option("--seed", command->seed, "First seed of graphs, splits and models")
      ->check(CLI::Range(0, 1000000000))
      ->capture_default_str();
  demo.add_option("--threads", command->threads, "Threads; 0 for one per core")
      ->check(CLI::Range(0, 4096))
      ->capture_default_str();
  demo.add_flag("--quick", command->quick, "Some seconds instead of two minutes; too small to show much");
  demo.add_flag("--quiet", command->quiet, "No progress, no warnings");
  demo.footer(
      "Trains the NNGP (nu = inf) and DKMs at several nu on generated graphs from heterophily to homophily, "
      "and on\n"
      "Minesweeper. Examples:\n"
      "  gdkm demo\n"
      "  gdkm demo --seed 100 --output other.html --json other.json");
  demo.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
