#include "gdkm/fitting/study.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gdkm/fitting/run_result_json.hpp"
#include "gdkm/support/error.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using testing::small_dataset;
using testing::small_settings;
namespace fs = std::filesystem;

std::string without_times(const std::vector<RunResult>& runs) {
  std::string out;
  for (auto run : runs) {
    run.seconds = 0;
    out += to_json(run).dump() + "\n";
  }
  return out;
}

fs::path temporary(const std::string& name) {
  return fs::path(::testing::TempDir()) /
         ("gdkm_study_" + name + "_" + std::to_string(::getpid()) + ".safetensors");
}

TEST(Study, SameSeedGivesTheSameResultToTheLastDigit) {
  Settings settings = small_settings();
  settings.seeds = 2;
  settings.split.count = 2;
  const auto a = run_study(settings, small_dataset(), {}), b = run_study(settings, small_dataset(), {});
  EXPECT_EQ(without_times(a.runs), without_times(b.runs));
  ASSERT_EQ(a.runs.size(), 4u);
  EXPECT_NE(a.runs[0].last_loss, a.runs[1].last_loss) << "seeds differ";
  EXPECT_NE(a.runs[0].last_loss, a.runs[2].last_loss) << "splits differ";
}

TEST(Study, ResumesFromACheckpointToTheSameResult) {
  for (const Precision precision : {Precision::float32, Precision::float64}) {
    for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
      Settings settings = small_settings();
      settings.precision = precision;
      settings.config.scheme = scheme;
      settings.seeds = 3;
      const Dataset data = small_dataset();
      const StudyResult whole = run_study(settings, data, {});
      // Stopped in the middle of the first run, between two runs, and in the middle of the last.
      for (const int stop_after : {4, 15, 38}) {
        int steps = 0;
        StudyObserver observer;
        observer.progress = [&](std::int64_t, double) { ++steps; };
        observer.interrupted = [&] { return steps >= stop_after; };
        const StudyResult part = run_study(settings, data, observer);
        ASSERT_TRUE(part.checkpoint.has_value());
        const fs::path file = temporary("resume");
        write_checkpoint(file, *part.checkpoint);
        const StudyResult rest = run_study(settings, data, {}, {.resume = read_checkpoint(file)});
        fs::remove(file);
        EXPECT_EQ(without_times(rest.runs), without_times(whole.runs)) << "stopped after " << stop_after;
        EXPECT_EQ(rest.best_model->tensors().tensors.at("parameter.X_i").bytes,
                  whole.best_model->tensors().tensors.at("parameter.X_i").bytes);
      }
    }
  }
}

TEST(Study, KeepsEveryRunThatWasUnderWay) {
  Settings settings = small_settings();
  settings.seeds = 5;
  settings.jobs = 2;
  const Dataset data = small_dataset();
  const StudyResult whole = run_study(settings, data, {});
  for (const int stop_after : {9, 37}) {
    int steps = 0;
    StudyObserver observer;
    observer.progress = [&](std::int64_t, double) { ++steps; };
    observer.interrupted = [&] { return steps >= stop_after; };
    StudyResult part = run_study(settings, data, observer);
    ASSERT_TRUE(part.checkpoint.has_value());
    EXPECT_GE(part.checkpoint->epochs_done(settings.training.epochs), stop_after);
    // A run of the second part ends while one of the first has not.
    Checkpoint& checkpoint = *part.checkpoint;
    if (checkpoint.finished.empty()) checkpoint.early[3] = {whole.runs[3], {}};
    const fs::path file = temporary("several");
    write_checkpoint(file, checkpoint);
    std::int64_t least = 1000;
    StudyObserver watch;
    watch.progress = [&](std::int64_t done, double) { least = std::min(least, done); };
    const StudyResult rest = run_study(settings, data, watch, {.resume = read_checkpoint(file)});
    fs::remove(file);
    EXPECT_EQ(without_times(rest.runs), without_times(whole.runs)) << "stopped after " << stop_after;
    EXPECT_EQ(least, checkpoint.epochs_done(settings.training.epochs) + 1) << "something was done again";
  }
}

TEST(Study, ResumesFromACheckpointOfAnOlderProgram) {
  Settings settings = small_settings();
  const Dataset data = small_dataset();
  int steps = 0;
  StudyObserver observer;
  observer.progress = [&](std::int64_t, double) { ++steps; };
  observer.interrupted = [&] { return steps >= 5; };
  const auto stopped = run_study(settings, data, observer);
  const fs::path file = temporary("older");
  write_checkpoint(file, *stopped.checkpoint);
  TensorFile content = read_safetensors(file);
  auto options = nlohmann::ordered_json::parse(content.metadata.at("settings"));
  options.erase("bias");  // nobody asked for it then
  content.metadata["settings"] = options.dump();
  content.metadata.erase("under_way");
  content.metadata.erase("early");
  content.metadata["seconds"] = "1.5";
  content.metadata["epoch"] = "6";
  write_safetensors(file, content);
  const StudyResult rest = run_study(settings, data, {}, {.resume = read_checkpoint(file)});
  fs::remove(file);
  EXPECT_EQ(without_times(rest.runs), without_times(run_study(settings, data, {}).runs));
}

TEST(Study, RefusesACheckpointOfOtherSettingsAndNamesTheDifference) {
  Settings settings = small_settings();
  StudyObserver observer;
  observer.interrupted = [] { return true; };
  const auto stopped = run_study(settings, small_dataset(), observer);
  settings.config.nu = {3.0};
  try {
    run_study(settings, small_dataset(), {}, {.resume = stopped.checkpoint});
    FAIL() << "it should have been refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("nu"), std::string::npos) << error.what();
  }
}

TEST(Study, LowersInducingPointsToTheNumberOfNodesWithAWarning) {
  Settings settings = small_settings();
  settings.config.inducing = 1000;
  settings.training.epochs = 1;
  std::string warned;
  StudyObserver observer;
  observer.warn = [&](const std::string& message) { warned += message; };
  run_study(settings, small_dataset(), observer);
  EXPECT_NE(warned.find("150"), std::string::npos) << warned;
}

TEST(Study, SplitsThatAreNotThereAreBadInput) {
  Settings settings = small_settings();
  settings.split.set = "geom";
  EXPECT_THROW(run_study(settings, small_dataset(), {}), InputError);
  settings.split.set = "public";
  settings.split.count = 11;
  EXPECT_THROW(run_study(settings, small_dataset(), {}), InputError);
}

}  // namespace
}  // namespace gdkm
