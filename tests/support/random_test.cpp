#include "gdkm/support/random.hpp"

#include <gtest/gtest.h>

namespace gdkm {
namespace {

TEST(Random, PhiloxAgreesWithThePublishedTestVectors) {
  // Salmon et al.'s known-answer tests: all-zero and all-one counters and keys.
  const Random4 zero = random_block(Stream{0, static_cast<Purpose>(0), 0}, 0);
  EXPECT_EQ(zero.v[0], 0x6627e8d5u);
  EXPECT_EQ(zero.v[1], 0xe169c58du);
  EXPECT_EQ(zero.v[2], 0xbc57ac4cu);
  EXPECT_EQ(zero.v[3], 0x9b00dbd8u);
  const Random4 ones = random_block(Stream{~std::uint64_t{0}, static_cast<Purpose>(0xffffffffu), 0xffffffffu},
                                    ~std::uint64_t{0});
  EXPECT_EQ(ones.v[0], 0x408f276du);
  EXPECT_EQ(ones.v[1], 0x41c83b0eu);
  EXPECT_EQ(ones.v[2], 0xa20bc7c6u);
  EXPECT_EQ(ones.v[3], 0x6d5451fdu);
}

}  // namespace
}  // namespace gdkm
