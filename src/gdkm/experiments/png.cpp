#include "gdkm/experiments/png.hpp"

#include <zlib.h>

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

/// The bytes as a zlib stream. What a heat map repeats, blocks of a class or enlarged pixels, is most of it.
std::string compressed(const std::string& data) {
  auto size = ::compressBound(static_cast<uLong>(data.size()));
  std::string out(size, '\0');
  [[maybe_unused]] const int trouble =
      ::compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
                  static_cast<uLong>(data.size()), Z_BEST_COMPRESSION);
  assert(trouble == Z_OK);  // there is room, so only memory could be missing, and that throws above
  out.resize(size);
  return out;
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
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", header) + chunk("PLTE", palette) +
         chunk("IDAT", compressed(rows)) + chunk("IEND", "");
}

}  // namespace gdkm
