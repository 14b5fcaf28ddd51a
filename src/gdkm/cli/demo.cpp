#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gdkm/cli/options.hpp"
#include "gdkm/cli/watch.hpp"
#include "gdkm/experiments/demo/demo_report.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

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

  Watch watch("demo", plan.total_epochs(), quiet);
  const auto results = run_demo(plan, watch.observer);
  watch.progress.finish();
  if (!results) throw Interrupted("stopped; no report was written. Start again with:  gdkm demo");

  const DemoFindings findings = find_in(plan, *results);
  write_file_atomically(output, demo_report(plan, *results, findings));
  const std::string numbers = to_json(plan, *results, findings).dump(2) + "\n";
  if (!json.empty()) write_output(json, numbers);
  if (json == "-") return;
  fmt::print("{}\nOpen the report in a browser:  {}\n", demo_table(plan, *results, findings), output);
}

}  // namespace

void add_demo(CLI::App& app) {
  auto command = std::make_shared<DemoCommand>();
  CLI::App& demo = *app.add_subcommand("demo", "The main idea in two minutes, as one HTML file");
  add_text(demo, "--output,-o", "FILE", command->output, "The report to write")->capture_default_str();
  add_text(demo, "--json", "FILE|-", command->json, "Write all numbers as JSON; - for standard output");
  add_number(demo, "--seed", "S", command->seed, 0, 1000000000, "First seed of graphs, splits and models");
  add_threads(demo, command->threads);
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
