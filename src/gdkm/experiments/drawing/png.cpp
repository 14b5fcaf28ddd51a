#include "gdkm/experiments/drawing/png.hpp"

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
  const std::string checked = kind + data;
  const auto checksum =
      ::crc32(0, reinterpret_cast<const Bytef*>(checked.data()), static_cast<uInt>(checked.size()));
  return big_endian(static_cast<std::uint32_t>(data.size())) + checked +
         big_endian(static_cast<std::uint32_t>(checksum));
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
