/// Runs data sets × architectures × schemes × ν × centering × depths in both precisions for a few epochs, and
/// says how each went:
///   good    jitter ≤ 1e-3, a falling loss, at least the majority's accuracy, float32 within a point of
///   float64 sound   all numbers finite and jitter ≤ 1e-3, but not good after so few epochs FAILED  anything
///   else
/// Exit status 1 when one failed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

#include "gdkm/data/load.hpp"
#include "gdkm/fitting/study.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace {

using namespace gdkm;

struct Outcome {
  std::string text;
  bool sound = true, good = true;
};

RunResult run(const Dataset& data, Settings settings, Precision precision) {
  settings.precision = precision;
  StudyOptions options;
  options.keep_model = false;
  const StudyResult result = run_study(settings, data, {}, options);
  if (result.failure) throw NumericalError(*result.failure);
  return result.runs.at(0);
}

Outcome judge(const Dataset& data, const Settings& settings) {
  Outcome out;
  try {
    const RunResult single = run(data, settings, Precision::float32),
                    exact = run(data, settings, Precision::float64);
    bool falls = true;
    for (const RunResult& r : {single, exact}) {
      out.sound =
          out.sound && std::isfinite(r.last_loss) && std::isfinite(r.test.value().nll) && r.jitter <= 1e-3;
      falls = falls && r.last_loss < r.first_loss;
    }
    const double a = single.test.value().accuracy, b = exact.test.value().accuracy;
    out.good = out.sound && falls && a >= single.majority && std::fabs(a - b) <= 1;
    out.text = fmt::format("{:>8.2f} {:>8.2f} {:>8.2f} {:>9.0e} {:>9.0e} {:>9.3f} {:>9.3f}", a, b,
                           single.majority, single.jitter, exact.jitter, single.first_loss, single.last_loss);
  } catch (const std::exception& error) {
    out.sound = out.good = false;
    out.text = error.what();
  }
  return out;
}

struct Choices {
  std::vector<std::string> archs{"kipf"};
  std::vector<int> depths{2};
  bool center_too = false;
};

/// All settings to try on one data set.
std::vector<Settings> grid(const Settings& base, const Choices& choices, bool intra_too) {
  std::vector<Settings> out;
  for (const Architecture arch :
       {Architecture::kipf, Architecture::resid, Architecture::platonov, Architecture::algorithm1}) {
    if (std::ranges::find(choices.archs, name_of(arch)) == choices.archs.end()) continue;
    for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
      for (const int depth : choices.depths) {
        for (const bool center : {false, true}) {
          if ((scheme == Scheme::intra && !intra_too) || (center && !choices.center_too)) continue;
          for (const double nu : {0.0, 0.01, 1.0, 100.0, static_cast<double>(INFINITY)}) {
            Settings s = base;
            s.config.arch = arch;
            s.config.scheme = scheme;
            s.config.layers = depth;
            s.config.center = center;
            s.config.nu = {nu};
            out.push_back(s);
          }
        }
      }
    }
  }
  return out;
}

class Report {
 public:
  void head() const {
    fmt::print("{:<14} {:<10} {:<6} {:>2} {:<6} {:>6} {:>8} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9}\n", "data",
               "arch", "scheme", "L", "center", "nu", "float32", "float64", "majority", "jitter32",
               "jitter64", "loss 1st", "last");
  }
  void add(const std::string& data, const Settings& s, const Outcome& outcome) {
    const std::lock_guard lock(mutex_);
    fmt::print("{:<14} {:<10} {:<6} {:>2} {:<6} {:>6} {} {}\n", data, name_of(s.config.arch),
               name_of(s.config.scheme), s.config.layers, s.config.center ? "yes" : "no", s.config.nu[0],
               outcome.text, outcome.good ? "good" : (outcome.sound ? "sound" : "FAILED"));
    std::fflush(stdout);
    ++total_;
    sound_ += outcome.sound ? 1 : 0;
    good_ += outcome.good ? 1 : 0;
  }
  bool end() const {
    fmt::print("{} pairs of runs: {} good, {} more sound, {} failed\n", total_, good_, sound_ - good_,
               total_ - sound_);
    return sound_ == total_;
  }

 private:
  std::mutex mutex_;
  int total_ = 0, sound_ = 0, good_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Numerical robustness over data sets, models and precisions"};
  std::vector<std::string> names;
  Choices choices;
  std::string data_dir;
  int jobs = 1;
  Settings base;
  base.training.epochs = 20;
  base.jobs = 1;
  app.add_option("DATA", names, "Data sets or generators (default: all that are found)");
  app.add_option("--arch", choices.archs, "Architectures")->delimiter(',')->capture_default_str();
  app.add_option("--layers", choices.depths, "Depths")->delimiter(',')->capture_default_str();
  app.add_flag("--center", choices.center_too, "With centering, too");
  app.add_option("--data-dir", data_dir, "Folder of data sets");
  app.add_option("--epochs", base.training.epochs, "Epochs")->capture_default_str();
  app.add_option("--inducing", base.config.inducing, "Inducing points")->capture_default_str();
  app.add_option_function<std::string>(
      "--device", [&](const std::string& name) { base.device.device = parse_device(name).value(); },
      "cpu, cuda or cuda:N");
  app.add_option("--threads", base.device.threads, "Threads")->capture_default_str();
  app.add_option("--jobs", jobs, "Settings at a time")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  const auto folder = data_dir.empty() ? std::nullopt : std::optional<std::filesystem::path>(data_dir);
  if (names.empty()) {
    for (const auto& found : list_datasets(folder)) names.push_back(found.name);
  }
  if (names.empty()) {
    fmt::print(stderr, "no data: name data sets or generators, or a folder with --data-dir\n");
    return 2;
  }
  Report report;
  report.head();
  ThreadPool pool(jobs);
  for (const auto& name : names) {
    const Dataset data = load(name, folder);
    const auto settings = grid(base, choices, data.task == Task::node);
    std::atomic<std::size_t> next{0};
    pool.run([&](int) {
      for (std::size_t k = next++; k < settings.size(); k = next++)
        report.add(name, settings[k], judge(data, settings[k]));
    });
  }
  return report.end() ? 0 : 1;
}
