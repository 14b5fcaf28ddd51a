#include "tests/experiments/figures/heat_map_reader.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

namespace gdkm::testing {

namespace {

std::string from_base64(const std::string& text) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(digits.find(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xFF);
  }
  return out;
}

std::size_t number_at(const std::string& bytes, std::size_t at) {
  std::size_t out = 0;
  for (std::size_t k = 0; k < 4; ++k) out = out << 8 | static_cast<unsigned char>(bytes.at(at + k));
  return out;
}

HeatMap decoded(const std::string& png) {
  HeatMap out;
  out.size = number_at(png, 16);
  std::string packed;
  for (std::size_t at = 8; at < png.size(); at += 12 + number_at(png, at)) {
    const std::string kind = png.substr(at + 4, 4);
    if (kind == "PLTE") out.shades = number_at(png, at) / 3;
    if (kind == "IDAT") packed = png.substr(at + 8, number_at(png, at));
  }
  std::vector<unsigned char> rows(out.size * (out.size + 1));
  auto got = static_cast<uLongf>(rows.size());
  EXPECT_EQ(::uncompress(rows.data(), &got, reinterpret_cast<const Bytef*>(packed.data()),
                         static_cast<uLong>(packed.size())),
            Z_OK);
  for (std::size_t r = 0; r < out.size; ++r) {
    const auto row = rows.begin() + static_cast<std::ptrdiff_t>(r * (out.size + 1)) + 1;
    out.pixels.insert(out.pixels.end(), row, row + static_cast<std::ptrdiff_t>(out.size));
  }
  return out;
}

}  // namespace

double HeatMap::part(std::size_t n, std::size_t r, std::size_t c) const {
  const std::size_t times = size / n;
  return static_cast<double>(pixels.at(r * times * size + c * times)) / static_cast<double>(shades - 1);
}

std::vector<HeatMap> heat_maps_in(const std::string& svg) {
  const std::string start = "data:image/png;base64,";
  std::vector<HeatMap> out;
  for (auto at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
    const auto from = at + start.size();
    out.push_back(decoded(from_base64(svg.substr(from, svg.find('\'', from) - from))));
  }
  return out;
}

}  // namespace gdkm::testing
