#include "gdkm/experiments/drawing/png.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <map>

#include "gdkm/experiments/drawing/base64.hpp"

namespace gdkm {
namespace {

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t k = 0; k < 4; ++k) out = out << 8 | static_cast<unsigned char>(bytes.at(at + k));
  return out;
}

/// The chunks of a PNG file by their kind; checks the signature, the order of lengths and every checksum.
std::map<std::string, std::string> chunks_of(const std::string& png) {
  std::map<std::string, std::string> out;
  EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::size_t at = 8;
  while (at < png.size()) {
    const std::uint32_t length = number_at(png, at);
    const std::string kind = png.substr(at + 4, 4);
    out[kind] = png.substr(at + 8, length);
    const std::string checked = kind + out[kind];
    EXPECT_EQ(number_at(png, at + 8 + length),
              ::crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size())))
        << kind;
    at += 12 + length;
  }
  EXPECT_EQ(at, png.size());
  return out;
}

/// What a zlib stream of `size` bytes holds.
std::string inflated(const std::string& stream, std::size_t size) {
  std::string out(size + 1, '\0');
  auto got = static_cast<uLongf>(out.size());
  EXPECT_EQ(::uncompress(reinterpret_cast<Bytef*>(out.data()), &got,
                         reinterpret_cast<const Bytef*>(stream.data()), static_cast<uLong>(stream.size())),
            Z_OK);
  out.resize(got);
  return out;
}

TEST(Png, DecodesToThePixelsThatWereGiven) {
  PalettePicture picture{3, 2, {{1, 2, 3}, {250, 0, 9}}, {0, 1, 0, 1, 1, 0}};
  auto chunks = chunks_of(encode_png(picture));
  EXPECT_EQ(number_at(chunks["IHDR"], 0), 3u);
  EXPECT_EQ(number_at(chunks["IHDR"], 4), 2u);
  EXPECT_EQ(chunks["PLTE"], std::string("\x01\x02\x03\xFA\x00\x09", 6));
  EXPECT_EQ(inflated(chunks["IDAT"], 8), std::string("\0\0\1\0\0\1\1\0", 8));
  EXPECT_TRUE(chunks.contains("IEND"));
}

TEST(Png, WhatRepeatsTakesLittleRoom) {
  PalettePicture picture{400, 300, {{0, 0, 0}}, std::vector<std::uint8_t>(400 * 300, 0)};
  const std::string png = encode_png(picture);
  EXPECT_LT(png.size(), 2000u);
  EXPECT_EQ(inflated(chunks_of(png)["IDAT"], 401u * 300), std::string(401u * 300, '\0'));
}

TEST(Base64, KnownValues) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

}  // namespace
}  // namespace gdkm
