#include <gtest/gtest.h>

#include <filesystem>

#include "harness.hpp"
#include "tests/places.hpp"

namespace gdkm::fuzzing {
namespace {

/// The harnesses run where there is no fuzzer, too, so that they keep up with the readers.
class FuzzSeedsTest : public ::testing::TestWithParam<Harness> {};

TEST_P(FuzzSeedsTest, SeedsAreReadAndTheirFragmentsReadOrRefused) {
  const auto seeds = GetParam().seeds();
  ASSERT_FALSE(seeds.empty());
  GetParam().run("");
  for (const std::string& seed : seeds) {
    EXPECT_TRUE(GetParam().run(seed)) << seed;
    for (std::size_t part = 1; part < 8; ++part) GetParam().run(seed.substr(0, seed.size() * part / 8));
  }
}

TEST_P(FuzzSeedsTest, HasADictionary) {
  EXPECT_TRUE(
      std::filesystem::exists(std::string(GDKM_TEST_DIR "/fuzz/dictionaries/") + GetParam().name + ".dict"));
}

INSTANTIATE_TEST_SUITE_P(All, FuzzSeedsTest, ::testing::ValuesIn(harnesses()),
                         [](const auto& harness) { return std::string(harness.param.name); });

}  // namespace
}  // namespace gdkm::fuzzing
