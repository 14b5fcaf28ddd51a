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

/// The lengths at which the padding needs another block, and their neighbours.
TEST(Sha256Test, PaddingFitsAnyLength) {
  EXPECT_EQ(sha256_of(std::string(55, 'x')),
            "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072");
  EXPECT_EQ(sha256_of(std::string(56, 'x')),
            "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e");
  EXPECT_EQ(sha256_of(std::string(63, 'x')),
            "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2");
  EXPECT_EQ(sha256_of(std::string(64, 'x')),
            "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c");
  EXPECT_EQ(sha256_of(std::string(65, 'x')),
            "9537c5fdf120482f7d58d25e9ed583f52c02b4e304ea814db1633ad565aed7e9");
  EXPECT_EQ(sha256_of(std::string(119, 'x')),
            "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c");
  EXPECT_EQ(sha256_of(std::string(120, 'x')),
            "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98");
  EXPECT_EQ(sha256_of(std::string(128, 'x')),
            "24da1b81d0b16df6428eee73c69fcb2a93c76bc6df706f0c6670fe6bfe800464");
}

TEST(Sha256Test, PiecesGiveTheDigestOfTheWhole) {
  std::string bytes(777, '\0');
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = static_cast<char>(k * 37 + 11);
  for (const std::size_t piece : {1, 3, 63, 64, 65, 127, 128, 500}) {
    Sha256 digest;
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      digest.add(std::string_view(bytes).substr(at, piece));
    EXPECT_EQ(digest.hex(), sha256_of(bytes)) << "pieces of " << piece;
  }
}

TEST(Sha256Test, ADigestDoesNotEndTheStream) {
  Sha256 digest;
  digest.add("a");
  EXPECT_EQ(digest.hex(), sha256_of("a"));
  digest.add("bc");
  EXPECT_EQ(digest.hex(), sha256_of("abc"));
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
