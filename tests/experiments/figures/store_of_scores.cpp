#include "tests/experiments/figures/store_of_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace gdkm::testing {

namespace {
Metrics counted(double accuracy, double nll, double items) {
  Metrics out{accuracy, nll, 0.1, {}, {}, {}};
  out.reliability = {{9, items, 0.9 * items, 0.9 * items}};
  return out;
}
}  // namespace

void StoreOfScores::add_dataset(const std::string& name, const std::string& task, double homophily) {
  DatasetFacts facts;
  facts.name = name;
  facts.fingerprint = "f" + name;
  facts.task = task;
  facts.nodes = 1200;
  facts.edges = 3400;
  facts.features = 56;
  facts.classes = 7;
  facts.graphs = task == "graph" ? 100 : 0;
  facts.homophily = homophily;
  facts.splits = {{"public", 2}, {"other", 9}};
  StageRecords(store_).record(facts);
}

void StoreOfScores::add(const std::string& study, int stage, int candidate, const std::string& dataset,
                        const std::string& model, const nlohmann::json& varied,
                        const std::vector<Score>& scores, const nlohmann::json& fixed) {
  RunQueue queue(store_);
  for (const Score& score : scores) {
    Configuration configuration{dataset, "f" + dataset, model, varied, score.seed, score.split};
    configuration.options.update(fixed);
    const auto run = queue.add(configuration);
    if (!score.pending && queue.claim(run)) {
      RunOutcome outcome;
      outcome.result.seed = score.seed;
      outcome.result.split = score.split;
      outcome.result.train = counted(99, 0.1, 60);
      outcome.result.val = Metrics{score.val, 0.5, 0.1, {}, {}, {}};
      outcome.result.test = counted(score.test, 1 - score.test / 100, 30);
      EXPECT_TRUE(std::isnan(score.val) ? queue.fail(run, "not positive definite")
                                        : queue.finish(run, outcome));
    }
    places_.push_back({"sweep", study, dataset, stage, "stage", candidate, varied, false, run});
  }
  // A stage is recorded as a whole.
  std::vector<StageRun> same;
  for (const StageRun& place : places_) {
    if (place.study == study && place.dataset == dataset && place.stage == stage) same.push_back(place);
  }
  StageRecords(store_).record(same);
}

}  // namespace gdkm::testing
