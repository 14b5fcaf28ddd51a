/// Runs data sets × schemes × ν × precisions for a few epochs and says which runs are good: jitter ≤ 1e-3, a
/// falling loss, at least the majority's accuracy, and float32 within a point of float64. Exit status 1 when
/// a run is not even finite with a falling loss.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "gdkm/data/load.hpp"
#include "gdkm/training/study.hpp"

namespace {

using namespace gdkm;

struct Outcome {
  std::string text;
  bool sound = true;  // finite, falling loss, jitter ≤ 1e-3
  bool good = true;
};

RunResult run(const Dataset& data, Settings settings, Precision precision) {
  settings.precision = precision;
  return run_study(settings, data, {}).runs.at(0);
}

Outcome judge(const Dataset& data, const Settings& settings) {
  Outcome out;
  try {
    const RunResult single = run(data, settings, Precision::float32),
                    exact = run(data, settings, Precision::float64);
    for (const RunResult& r : {single, exact}) {
      out.sound = out.sound && std::isfinite(r.last_loss) && r.last_loss < r.first_loss && r.jitter <= 1e-3;
    }
    const double a = single.test.value().accuracy, b = exact.test.value().accuracy;
    out.good = out.sound && a >= single.majority && std::fabs(a - b) <= 1;
    out.text = fmt::format("{:>8.2f} {:>8.2f} {:>8.2f} {:>9.0e} {:>9.0e} {:>9.3f} {:>9.3f}", a, b,
                           single.majority, single.jitter, exact.jitter, single.first_loss, single.last_loss);
  } catch (const std::exception& error) {
    out.sound = out.good = false;
    out.text = error.what();
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Numerical robustness over data sets, schemes, nu and precisions"};
  std::vector<std::string> names;
  std::string data_dir;
  Settings settings;
  settings.training.epochs = 20;
  app.add_option("DATA", names, "Data sets or generators (default: all that are found)");
  app.add_option("--data-dir", data_dir, "Folder of data sets");
  app.add_option("--epochs", settings.training.epochs, "Epochs")->capture_default_str();
  app.add_option("--inducing", settings.config.inducing, "Inducing points")->capture_default_str();
  app.add_option("--threads", settings.threads, "Threads")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const auto folder = data_dir.empty() ? std::nullopt : std::optional<std::filesystem::path>(data_dir);
  if (names.empty()) {
    for (const auto& found : list_datasets(folder)) names.push_back(found.name);
  }
  fmt::print("{:<20} {:<6} {:>6} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9}\n", "data", "scheme", "nu",
             "float32", "float64", "majority", "jitter32", "jitter64", "loss 1st", "last");
  int total = 0, sound = 0, good = 0;
  for (const auto& name : names) {
    const Dataset data = load(name, folder);
    for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
      for (const double nu : {0.0, 0.01, 1.0, 100.0, static_cast<double>(INFINITY)}) {
        settings.data = name;
        settings.config.scheme = scheme;
        settings.config.nu = {nu};
        const Outcome outcome = judge(data, settings);
        fmt::print("{:<20} {:<6} {:>6} {} {}\n", name, name_of(scheme), nu, outcome.text,
                   outcome.good ? "good" : (outcome.sound ? "sound" : "FAILED"));
        std::fflush(stdout);
        ++total;
        sound += outcome.sound ? 1 : 0;
        good += outcome.good ? 1 : 0;
      }
    }
  }
  fmt::print("{} pairs of runs: {} good, {} more sound, {} failed\n", total, good, sound - good,
             total - sound);
  if (total == 0) {
    fmt::print(stderr, "no data: name data sets or generators, or a folder with --data-dir\n");
    return 2;
  }
  return sound == total ? 0 : 1;
}
