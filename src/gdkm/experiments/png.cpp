#include "gdkm/experiments/png.hpp"

#include <algorithm>
#include <cassert>

namespace gdkm {

namespace {

std::string big_endian(std::uint32_t value) {
  std::string out;
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(value >> shift & 0xFF);
  return out;
}

std::string chunk(const std::string& kind, const std::string& data) {
  return big_endian(static_cast<std::uint32_t>(data.size())) + kind + data +
         big_endian(crc32_of(kind + data));
}

/// A zlib stream of stored blocks (RFC 1950, 1951); a block holds at most 65,535 bytes.
std::string stored(const std::string& data) {
  constexpr std::size_t most = 65535;
  std::string out = "\x78\x01";
  for (std::size_t begin = 0; begin == 0 || begin < data.size(); begin += most) {
    const std::size_t size = std::min(most, data.size() - begin);
    const bool last = begin + size == data.size();
    out += last ? '\x01' : '\x00';
    for (const std::size_t length : {size, ~size}) {
      out += static_cast<char>(length & 0xFF);
      out += static_cast<char>(length >> 8 & 0xFF);
    }
    out.append(data, begin, size);
  }
  return out + big_endian(adler32_of(data));
}

}  // namespace

std::uint32_t crc32_of(std::string_view bytes) {
  static const auto table = [] {
    std::array<std::uint32_t, 256> out{};
    for (std::uint32_t k = 0; k < 256; ++k) {
      std::uint32_t value = k;
      for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ ((value & 1) != 0 ? 0xEDB88320u : 0u);
      out[k] = value;
    }
    return out;
  }();
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) crc = crc >> 8 ^ table[(crc ^ static_cast<unsigned char>(c)) & 0xFF];
  return ~crc;
}

std::uint32_t adler32_of(std::string_view bytes) {
  std::uint32_t a = 1, b = 0;
  for (const char c : bytes) {
    a = (a + static_cast<unsigned char>(c)) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

std::string encode_png(const PalettePicture& picture) {
  assert(picture.pixels.size() == std::size_t{picture.width} * picture.height);
  assert(!picture.palette.empty() && picture.palette.size() <= 256);
  std::string palette, rows;
  for (const auto& colour : picture.palette) palette.append(colour.begin(), colour.end());
  for (std::uint32_t r = 0; r < picture.height; ++r) {
    rows += '\0';  // no filter
    const auto begin = picture.pixels.begin() + static_cast<std::ptrdiff_t>(r) * picture.width;
    rows.append(begin, begin + picture.width);
  }
  // 8 bits a pixel, colour type 3 (palette), and the only compression, filter and interlacing there are.
  const std::string header =
      big_endian(picture.width) + big_endian(picture.height) + std::string("\x08\x03\x00\x00\x00", 5);
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("PLTE", palette) + chunk("IDAT", stored(rows)) +
         chunk("IEND", "");
}

}  // namespace gdkm
