#include "gdkm/training/study.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/model_file.hpp"
#include "gdkm/training/predictor.hpp"
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
  settings.splits = 2;
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
        const StudyResult rest = run_study(settings, data, {}, read_checkpoint(file));
        fs::remove(file);
        EXPECT_EQ(without_times(rest.runs), without_times(whole.runs)) << "stopped after " << stop_after;
        EXPECT_EQ(rest.best_model.tensors.at("parameter.X_i").bytes,
                  whole.best_model.tensors.at("parameter.X_i").bytes);
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
    const StudyResult rest = run_study(settings, data, watch, read_checkpoint(file));
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
  const StudyResult rest = run_study(settings, data, {}, read_checkpoint(file));
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
    run_study(settings, small_dataset(), {}, stopped.checkpoint);
    FAIL() << "it should have been refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("nu"), std::string::npos) << error.what();
  }
}

template <class T>
void expect_round_trip(Precision precision, Scheme scheme) {
  Settings settings = small_settings();
  settings.precision = precision;
  settings.config.scheme = scheme;
  settings.config.lambda = 0.3;
  settings.preprocessing.normalise = Normalisation::sum;
  const Dataset data = small_dataset();
  const StudyResult result = run_study(settings, data, {});
  const fs::path file = temporary("model");
  write_safetensors(file, result.best_model);
  const TensorFile read = read_safetensors(file);
  const ModelCard card = read_card(read, file);
  EXPECT_EQ(card.settings.config.lambda, 0.3);
  const Problem problem = prepare(data, card.settings.preprocessing, card.settings.config.lambda);
  check_fits(card, problem, file);
  CpuBackend<T> backend(2);
  const auto direct = from_tensors<T>(backend, result.best_model, card, "memory");
  const auto loaded = from_tensors<T>(backend, read, card, file);
  const auto a = predict(*direct, problem, 0), b = predict(*loaded, problem, 0);
  EXPECT_EQ(a, b);
  EXPECT_EQ(evaluate(b, 3, problem.label, data.splits.at("public")[0].test)->nll, result.runs[0].test->nll);
  fs::remove(file);
}

TEST(ModelFile, LoadsToBitIdenticalPredictions) {
  expect_round_trip<float>(Precision::float32, Scheme::inter);
  expect_round_trip<float>(Precision::float32, Scheme::intra);
  expect_round_trip<double>(Precision::float64, Scheme::inter);
}

TEST(ModelFile, AnInterDomainModelPredictsOnANewGraphAndAnIntraDomainOneRefuses) {
  const Dataset other = generate("csbm:n=90,classes=3,homophily=0.8,features=40,degree=6,signal=3,seed=0");
  Settings settings = small_settings();
  settings.training.epochs = 60;
  const Dataset data = small_dataset("signal=3");
  for (const Scheme scheme : {Scheme::inter, Scheme::intra}) {
    settings.config.scheme = scheme;
    const TensorFile file = run_study(settings, data, {}).best_model;
    const ModelCard card = read_card(file, "model");
    const Problem problem = prepare(other, Preprocessing{}, 0);
    if (scheme == Scheme::intra) {
      EXPECT_THROW(check_fits(card, problem, "model"), InputError);
      continue;
    }
    check_fits(card, problem, "model");
    CpuBackend<float> backend(1);
    const auto p = predict(*from_tensors<float>(backend, file, card, "model"), problem, 0);
    EXPECT_EQ(p.size(), 90u * 3);
    for (const double v : p) EXPECT_TRUE(v >= 0 && v <= 1);
  }
}

TEST(ModelFile, PredictsOnAGraphWithoutLabelsWhichCannotBeTrainedOn) {
  Dataset unlabelled = small_dataset("seed=5");
  std::fill(unlabelled.label.begin(), unlabelled.label.end(), -1);
  unlabelled.classes = 0;
  unlabelled.splits.clear();
  const fs::path path =
      fs::path(::testing::TempDir()) / ("gdkm_unlabelled_" + std::to_string(::getpid()) + ".npz");
  write_graph_npz(unlabelled, path);
  const Dataset read = read_graph_npz(path);
  fs::remove(path);
  EXPECT_THROW(run_study(small_settings(), read, {}), InputError);
  const TensorFile file = run_study(small_settings(), small_dataset(), {}).best_model;
  CpuBackend<float> backend(1);
  const auto model = from_tensors<float>(backend, file, read_card(file, "model"), "model");
  EXPECT_EQ(predict(*model, prepare(read, Preprocessing{}, 0), 0).size(), 150u * 3);
}

TEST(Predictor, RefusesToGoOnWithALostFactorisation) {
  TensorFile file = run_study(small_settings(), small_dataset(), {}).best_model;
  auto& x_i = file.tensors.at("parameter.X_i");
  auto values = x_i.as<float>();
  values[7] = NAN;
  x_i = Tensor::make<float>(x_i.shape, std::span<const float>(values));
  CpuBackend<float> backend(1);
  const auto model = from_tensors<float>(backend, file, read_card(file, "model"), "model");
  EXPECT_THROW(predict(*model, prepare(small_dataset(), Preprocessing{}, 0), 0), NumericalError);
}

TEST(ModelFile, RefusesAGraphWithOtherFeatures) {
  const TensorFile file = run_study(small_settings(), small_dataset(), {}).best_model;
  const Problem problem = prepare(generate("csbm:n=50,features=41"), Preprocessing{}, 0);
  try {
    check_fits(read_card(file, "m.safetensors"), problem, "m.safetensors");
    FAIL();
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("40"), std::string::npos) << message;
    EXPECT_NE(message.find("41"), std::string::npos) << message;
  }
}

TEST(ModelFile, RefusesDamagedFilesInOneLine) {
  const TensorFile good = run_study(small_settings(), small_dataset(), {}).best_model;
  CpuBackend<float> backend(1);
  const auto refused = [&](TensorFile file) {
    try {
      from_tensors<float>(backend, file, read_card(file, "m"), "m");
      ADD_FAILURE() << "it should have been refused";
    } catch (const InputError& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    }
  };
  TensorFile missing = good, shape = good, format = good, options = good;
  missing.tensors.erase("parameter.X_i");
  refused(missing);
  shape.tensors.at("parameter.X_i").shape[0] += 1;
  refused(shape);
  format.metadata["format"] = "other";
  refused(format);
  options.metadata["options"] = "{\"nu\": 1}";
  refused(options);
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
  settings.split_set = "geom";
  EXPECT_THROW(run_study(settings, small_dataset(), {}), InputError);
  settings.split_set = "public";
  settings.splits = 11;
  EXPECT_THROW(run_study(settings, small_dataset(), {}), InputError);
}

TEST(Settings, SurviveJson) {
  Settings settings = small_settings();
  settings.config.nu = {0.5, INFINITY};
  settings.config.kernel = KernelKind::rbf;
  settings.config.sampling = Sampling::weights;
  settings.config.learned_scale = false;
  settings.config.bias = true;
  settings.training.init = Init::random;
  settings.splits = 0;
  settings.precision = Precision::float64;
  EXPECT_EQ(to_json(settings_from_json(to_json(settings), "test")), to_json(settings));
}

}  // namespace
}  // namespace gdkm
