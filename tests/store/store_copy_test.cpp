#include "gdkm/store/store_copy.hpp"

#include <gtest/gtest.h>

#include "gdkm/store/run_export.hpp"
#include "gdkm/store/run_queue.hpp"
#include "gdkm/store/stage_records.hpp"
#include "tests/store/store_engine.hpp"

namespace gdkm {
namespace {

Configuration copied_configuration(double nu, std::uint64_t seed = 0) {
  return {"cora", "0123", "dkm", {{"nu", nu}, {"scheme", "inter"}}, seed, 0};
}

RunOutcome outcome(double accuracy) {
  RunOutcome out;
  out.result.val = Metrics{accuracy, 0.6, 0.1, std::nullopt, std::nullopt, std::nullopt};
  for (int epoch = 1; epoch <= 450; ++epoch) out.curve.push_back({epoch, 1.0 / epoch, std::nullopt});
  return out;
}

/// From SQLite to the engine of the test, and back.
class StoreCopy : public testing::OnEachEngine {
 protected:
  void finish(const std::string& place, double nu, double accuracy) const {
    Store store = Store::open_or_create(place);
    RunQueue queue(store);
    const auto run = queue.add(copied_configuration(nu));
    ASSERT_TRUE(queue.claim(run));
    ASSERT_TRUE(queue.finish(run, outcome(accuracy)));
  }
  testing::StoreEngine files_{testing::Engine::sqlite};
};

TEST_P(StoreCopy, ThereAndBackIsTheSameStore) {
  const std::string first = files_.place("first"), middle = engine_.place("middle"),
                    last = files_.place("last");
  finish(first, 0.3, 70);
  finish(first, 0.1, 80);
  {
    Store store = Store::open(first);
    RunQueue queue(store);
    store.remove(1);  // numbers have a gap
    const auto waiting = queue.add(copied_configuration(0.2)), failed = queue.add(copied_configuration(0.4)),
               running = queue.add(copied_configuration(0.5));
    ASSERT_TRUE(queue.claim(failed));
    ASSERT_TRUE(queue.fail(failed, "it said \"no\", and 'never'\n"));
    ASSERT_TRUE(queue.claim(running));
    StageRecords records(store);
    records.record({{"s", "dkm", "cora", 0, "nu", 0, {{"nu", 0.1}}, true, 2},
                    {"s", "dkm", "cora", 0, "nu", 1, {{"nu", 0.2}}, false, waiting}});
    records.record(DatasetFacts{"cora", "0123", "node", 10, 20, 5, 7, 2, 0, 0.5, {{"public", 1}}});
  }
  const auto counted = copy_store(Store::open(first), Store::open_or_create(middle));
  EXPECT_EQ(counted.added, 4);
  copy_store(Store::open(middle), Store::open_or_create(last));
  const Store before = Store::open(first);
  Store after = Store::open(last);
  RunFilter ended;
  for (const RunStatus status : {RunStatus::done, RunStatus::failed}) {
    ended.status = status;
    EXPECT_EQ(to_csv(export_runs(after.runs(ended))), to_csv(export_runs(before.runs(ended))));
  }
  EXPECT_EQ(to_csv(export_curves(after, after.runs())), to_csv(export_curves(before, before.runs())));
  EXPECT_EQ(after.find("5").status, RunStatus::pending) << "nobody executes it there";
  EXPECT_EQ(after.events(2).size(), before.events(2).size());
  EXPECT_EQ(StageRecords(after).stages().size(), 2u);
  EXPECT_TRUE(StageRecords(after).stages()[0].chosen);
  EXPECT_EQ(StageRecords(after).datasets().at(0).nodes, 10);
  RunQueue queue(after);
  EXPECT_EQ(queue.add(copied_configuration(0.6)), 6) << "numbers go on";
}

TEST_P(StoreCopy, MergesByIdentity) {
  const std::string here = engine_.place("here"), there = files_.place("there");
  finish(there, 0.1, 80);
  finish(there, 0.2, 70);
  finish(here, 0.3, 60);
  {
    Store store = Store::open(here);
    RunQueue queue(store);
    queue.add(copied_configuration(0.1));
  }
  finish(here, 0.2, 71);
  const Store target = Store::open(here);
  const auto count = copy_store(Store::open(there), target);
  EXPECT_EQ(count.added, 0);
  EXPECT_EQ(count.completed, 1);
  EXPECT_EQ(count.known, 1);
  std::map<std::string, double> accuracy;
  for (const StoredRun& run : target.runs()) {
    accuracy[run.configuration.option("nu")] = run.val().value_or(0);
    EXPECT_EQ(target.curve(run.id).size(), 450u);
  }
  EXPECT_EQ(accuracy, (std::map<std::string, double>{{"0.1", 80}, {"0.2", 71}, {"0.3", 60}}));
  const auto again = copy_store(Store::open(there), target);
  EXPECT_EQ(again.known, 2);
}

TEST(StoreCopyOfAnEditedFile, LeavesOutThePlacesOfRunsThatAreGone) {
  testing::StoreEngine files(testing::Engine::sqlite);
  const std::string edited = files.place("edited"), target = files.place("target");
  {
    Store store = Store::open_or_create(edited);
    RunQueue queue(store);
    const auto kept = queue.add(copied_configuration(0.1)), gone = queue.add(copied_configuration(0.2));
    StageRecords(store).record({{"s", "dkm", "cora", 0, "nu", 0, {{"nu", 0.1}}, true, kept},
                                {"s", "dkm", "cora", 0, "nu", 1, {{"nu", 0.2}}, false, gone}});
    store.database().execute("PRAGMA foreign_keys = OFF");  // as other programs have it
    store.database().execute("DELETE FROM runs WHERE id = ?1", gone);
  }
  EXPECT_EQ(copy_store(Store::open(edited), Store::open_or_create(target)).added, 1);
  EXPECT_EQ(StageRecords(Store::open(target)).stages().size(), 1u);
}

GDKM_ON_BOTH_ENGINES(StoreCopy);

}  // namespace
}  // namespace gdkm
