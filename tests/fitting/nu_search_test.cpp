#include "gdkm/fitting/nu_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "gdkm/fitting/fit.hpp"
#include "gdkm/fitting/run_result_json.hpp"
#include "gdkm/fitting/study.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/error.hpp"
#include "tests/training/small_problem.hpp"

namespace gdkm {
namespace {

using testing::small_dataset;
using testing::small_settings;

/// Few epochs: six models are trained each time.
Settings short_settings() {
  Settings out = small_settings();
  out.training.epochs = 6;
  return out;
}

Settings searching() {
  Settings out = short_settings();
  out.config.nu = {};
  return out;
}

/// The last epoch, by a score that differs between all values of ν.
Settings distinct_settings() {
  Settings out = short_settings();
  out.training.inference = Inference::paper;
  out.training.select = Select::nll;
  return out;
}

RunResult run_at(double nu) {
  Settings settings = distinct_settings();
  settings.config.nu = {nu};
  return run_study(settings, small_dataset(), {}).runs.at(0);
}

TEST(NuSearch, TakesTheValueThatValidatesBest) {
  Settings settings = distinct_settings();
  settings.config.nu = {};
  const StudyResult result = run_study(settings, small_dataset(), {});
  ASSERT_EQ(result.runs.at(0).nu.size(), 1u);
  double best = INFINITY, worst = 0;
  for (const double nu : nu_candidates) {
    best = std::min(best, run_at(nu).val->nll);
    worst = std::max(worst, run_at(nu).val->nll);
  }
  EXPECT_EQ(result.runs[0].val->nll, best);
  EXPECT_LT(best, worst);
  EXPECT_EQ(result.runs[0].test->nll, run_at(result.runs[0].nu[0]).test->nll);
  // The file has the value, so that it is a model like any other.
  ASSERT_TRUE(result.best_model);
  EXPECT_EQ(result.best_model->card().settings.config.nu, result.runs[0].nu);
  const auto again = run_from_json(to_json(result.runs[0]));
  EXPECT_EQ(again.nu, result.runs[0].nu);
}

TEST(NuSearch, ProgressNeverFallsAndEndsAtItsTotal) {
  Settings settings = searching();
  settings.seeds = 2;
  settings.training.patience = 1;  // so that some values of ν end early
  StudyObserver observer;
  std::vector<std::int64_t> seen;
  observer.progress = [&](std::int64_t done, double) { seen.push_back(done); };
  run_study(settings, small_dataset(), observer);
  ASSERT_FALSE(seen.empty());
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), 2 * epochs_of(settings));
}

TEST(NuSearch, IsTheSameThroughFitAndThroughAStudy) {
  const Dataset dataset = small_dataset();
  const Split split = dataset.splits.begin()->second.at(0);
  const FittedModel model = fit(dataset, split, searching());
  const RunResult run = run_study(searching(), dataset, {}).runs.at(0);
  EXPECT_EQ(model.card().settings.config.nu, run.nu);
  EXPECT_EQ(model.card().run.test->nll, run.test->nll);
}

TEST(NuSearch, GoesOnFromACheckpoint) {
  const RunResult whole = run_study(searching(), small_dataset(), {}).runs.at(0);
  const int epochs = short_settings().training.epochs;
  for (const int stop : {1, epochs + 1, 3 * epochs + 2}) {
    StudyObserver observer;
    int steps = 0;
    observer.interrupted = [&] { return ++steps >= stop; };
    const StudyResult part = run_study(searching(), small_dataset(), observer);
    if (!part.checkpoint) continue;  // training ended earlier
    StudyOptions options;
    options.resume = *part.checkpoint;
    const RunResult rest = run_study(searching(), small_dataset(), {}, options).runs.at(0);
    EXPECT_EQ(rest.nu, whole.nu) << stop;
    EXPECT_EQ(rest.test->nll, whole.test->nll) << stop;
  }
}

TEST(NuSearch, NeedsValidationItems) {
  const Dataset dataset = small_dataset();
  Split split = dataset.splits.begin()->second.at(0);
  split.val.clear();
  EXPECT_THROW(fit(dataset, split, searching()), OptionError);
  Settings by_elbo = searching();
  by_elbo.training.select = Select::elbo;
  EXPECT_THROW(check_settings(by_elbo), OptionError);
  Settings exact = searching();
  exact.exact = true;
  EXPECT_THROW(check_settings(exact), OptionError);
}

TEST(NuSearch, IsSpelledAuto) {
  const Option& nu = *find_option("nu");
  Settings settings;
  nu.set(settings, parse_value("nu", nu.type, "auto"));
  EXPECT_TRUE(settings.chooses_nu());
  EXPECT_EQ(to_json(settings).at("nu"), "auto");
  EXPECT_TRUE(settings_from_json(to_json(settings), ModelKind::dkm, "here").chooses_nu());
  EXPECT_THROW(parse_value("nu", nu.type, "1,auto"), OptionError);
}

}  // namespace
}  // namespace gdkm
