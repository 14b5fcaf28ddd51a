#include "gdkm/experiments/serve/live_state.hpp"

#include <nlohmann/json.hpp>

#include "gdkm/experiments/serve/store_server.hpp"
#include "gdkm/store/run_queue.hpp"
#include "gdkm/store/stage_records.hpp"
#include "gdkm/support/error.hpp"
#include "tests/store/store_engine.hpp"

namespace gdkm {
namespace {

class LiveState : public testing::OnEachEngine {};

TEST_P(LiveState, CountsWhatGoesOn) {
  Store store = Store::open_or_create(engine_.place());
  EXPECT_EQ(live_state(store)["rate"]["seconds_left"], 0);
  RunQueue queue(store), away(store, Owner{"node7 1a2b pid:[3]", 17, 4});
  std::vector<StageRun> places;
  for (int seed = 0; seed < 5; ++seed) {
    const auto run = queue.add({"cora", "0123", "dkm", {{"nu", 1.0}}, static_cast<std::uint64_t>(seed), 0});
    places.push_back({"sweep", "dkm", "cora", 0, "nu", 0, {{"nu", 1.0}}, false, run});
  }
  StageRecords(store).record(places);
  ASSERT_TRUE(away.claim(1));
  ASSERT_TRUE(away.finish(1, {}));
  ASSERT_TRUE(away.claim(2));
  ASSERT_TRUE(queue.claim(3));
  ASSERT_TRUE(queue.fail(3, "K is <not> positive definite"));
  const auto state = live_state(store);
  EXPECT_EQ(state["runs"].dump(), R"({"pending":2,"running":1,"done":1,"failed":1})");
  EXPECT_EQ(state["stages"][0]["total"], 5);
  EXPECT_EQ(state["stages"][0]["done"], 1);
  EXPECT_EQ(state["rate"]["last_minute"], 2);
  EXPECT_GT(state["rate"]["per_hour"], 2);
  EXPECT_TRUE(state["rate"]["seconds_left"].is_number());
  ASSERT_EQ(state["machines"].size(), 2u);
  for (const auto& machine : state["machines"]) {
    EXPECT_EQ(machine["running"], machine["name"] == "node7" ? 1 : 0);
    EXPECT_EQ(machine["ended"], 1);
  }
  EXPECT_EQ(state["running"][0]["machine"], "node7");
  EXPECT_EQ(state["failures"][0]["message"], "K is <not> positive definite");
}

GDKM_ON_BOTH_ENGINES(LiveState);

TEST(StoreServer, OthersNeedAToken) {
  for (const char* host : {"127.0.0.1", "127.1.2.3", "localhost", "::1"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"0.0.0.0", "::", "node7", "10.0.0.1", "localhost.example"})
    EXPECT_FALSE(is_loopback(host)) << host;
  EXPECT_EQ(random_token().size(), 32u);
  EXPECT_NE(random_token(), random_token());
}

}  // namespace
}  // namespace gdkm
