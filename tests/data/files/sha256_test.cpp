#include "gdkm/data/files/sha256.hpp"

#include <gtest/gtest.h>

#include "raw_npz.hpp"

namespace gdkm {
namespace {

/// Vectors of FIPS 180-4 and of NIST's collection of examples.
TEST(Sha256Test, MatchesPublishedVectors) {
  EXPECT_EQ(sha256_of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_of(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256Test, FilesGiveTheDigestOfTheirBytes) {
  const testing::TemporaryFolder folder;
  std::string bytes(5 * 1024 * 1024 + 321, '\0');
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<char>(k * 2654435761u >> 13);
  testing::write_bytes(folder / "big", bytes);
  EXPECT_EQ(sha256_of_file(folder / "big"), sha256_of(bytes));
  testing::write_bytes(folder / "empty", "");
  EXPECT_EQ(sha256_of_file(folder / "empty"), sha256_of(""));
}

TEST(Sha256Test, WhatCannotBeReadIsNamed) {
  const testing::TemporaryFolder folder;
  testing::expect_input_error([&] { sha256_of_file(folder / "none"); }, {"none", "check"});
  testing::expect_input_error([&] { sha256_of_file(folder.path()); }, {folder.path().string(), "check"});
}

}  // namespace
}  // namespace gdkm
