#include "gdkm/ranks/communicator.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "gdkm/ranks/collect.hpp"
#include "gdkm/ranks/heartbeat.hpp"
#include "gdkm/ranks/thread_ranks.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

TEST(Communicator, AddsUpNumbersOfAllRanks) {
  run_as_ranks(4, [](Communicator& ranks) {
    std::vector<double> values{1.0 + ranks.rank(), 10.0};
    ranks.add_up(std::span<double>(values));
    EXPECT_EQ(values, (std::vector<double>{10, 40}));
    std::vector<float> single{0.5f};
    ranks.add_up(std::span<float>(single));
    EXPECT_EQ(single[0], 2.0f);
  });
}

TEST(Communicator, CollectsListsOfDifferentLengthsInTheOrderOfRanks) {
  run_as_ranks(3, [](Communicator& ranks) {
    const std::vector<int> mine(static_cast<std::size_t>(ranks.rank()), ranks.rank());
    std::vector<std::size_t> start;
    EXPECT_EQ(all_of_each(ranks, mine, &start), (std::vector<int>{1, 2, 2}));
    EXPECT_EQ(start, (std::vector<std::size_t>{0, 0, 1, 3}));
  });
}

TEST(Communicator, DealsOutWhatIsMeantForEachRank) {
  run_as_ranks(3, [](Communicator& ranks) {
    std::vector<std::vector<int>> to(3);
    for (int r = 0; r < 3; ++r)
      to[static_cast<std::size_t>(r)].assign(static_cast<std::size_t>(r), ranks.rank());
    const auto got = deal_out(ranks, to);
    for (int r = 0; r < 3; ++r)
      EXPECT_EQ(got[static_cast<std::size_t>(r)],
                std::vector<int>(static_cast<std::size_t>(ranks.rank()), r));
  });
}

TEST(Communicator, PutsRowsWhereTheyBelong) {
  run_as_ranks(3, [](Communicator& ranks) {  // rank 2 has no rows
    const std::vector<std::int32_t> place = ranks.rank() == 0   ? std::vector<std::int32_t>{3, 1}
                                            : ranks.rank() == 1 ? std::vector<std::int32_t>{0}
                                                                : std::vector<std::int32_t>{};
    std::vector<double> rows;
    for (const auto p : place) rows.insert(rows.end(), {10.0 * p, 10.0 * p + 1});
    EXPECT_EQ(gather_rows(ranks, rows, 2, place, 4), (std::vector<double>{0, 1, 10, 11, 0, 0, 30, 31}));
  });
}

TEST(Communicator, CountsWhatIsSent) {
  run_as_ranks(2, [](Communicator& ranks) {
    char out = 1, in = 0;
    const Communicator::Message send[] = {{1 - ranks.rank(), &out, 1}},
                                receive[] = {{1 - ranks.rank(), &in, 1}};
    ranks.start(send, receive);
    ranks.finish();
    std::vector<double> values(7);
    ranks.add_up(std::span<double>(values));
    EXPECT_EQ(in, 1);
    EXPECT_EQ(ranks.traffic().sent_bytes, 1);
    EXPECT_EQ(ranks.traffic().messages, 1);
    EXPECT_EQ(ranks.traffic().summed_bytes, 56);
    EXPECT_EQ(ranks.traffic().sums, 1);
  });
}

TEST(Communicator, ARankThatFailsEndsTheOthers) {
  EXPECT_THROW(run_as_ranks(3,
                            [](Communicator& ranks) {
                              if (ranks.rank() == 1) throw InputError("rank 1 has had enough");
                              one_of_each(ranks, 1);  // would wait for ever
                            }),
               InputError);
}

TEST(CheckRanksAgree, NamesTheRankThatDiffers) {
  run_as_ranks(3, [](Communicator& ranks) {
    check_ranks_agree(ranks, "other options", "the same");
    try {
      check_ranks_agree(ranks, "other options", ranks.rank() == 2 ? "nu = 2" : "nu = 1");
      FAIL();
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("rank 2 (this process) has other options than rank 0"),
                std::string::npos)
          << error.what();
      EXPECT_NE(std::string(error.what()).find("'nu = 2' there, 'nu = 1' on rank 0"), std::string::npos);
    }
  });
}

TEST(Heartbeat, AllRanksLearnThatOneWasInterrupted) {
  run_as_ranks(3, [](Communicator& ranks) {
    Heartbeat heartbeat(ranks);
    EXPECT_FALSE(heartbeat.beat(false, false).interrupted);
    EXPECT_TRUE(heartbeat.beat(ranks.rank() == 2, false).interrupted);
    EXPECT_TRUE(heartbeat.beat(false, ranks.rank() == 0).keep);
    EXPECT_FALSE(heartbeat.beat(false, ranks.rank() == 1).keep);  // the first decides
  });
}

TEST(Heartbeat, NamesASlowRankOnce) {
  std::vector<char> known(4, 0);
  const std::vector<std::string> hosts{"a", "b", "c", "d"};
  EXPECT_EQ(Heartbeat::slow_rank({1, 1.2, 1, 1.1}, hosts, known), "");
  EXPECT_EQ(Heartbeat::slow_rank({1, 1, 3, 1}, hosts, known),
            "rank 2 (c) is slow: it computed for 3.0 s while others computed for 1.0 s and waited");
  EXPECT_EQ(Heartbeat::slow_rank({1, 1, 3, 1}, hosts, known), "");
}

}  // namespace
}  // namespace gdkm
