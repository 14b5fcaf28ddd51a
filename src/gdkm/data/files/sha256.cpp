#include "gdkm/data/files/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <vector>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// The constants of the 64 rounds: the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t read_big_endian(const unsigned char* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
         bytes[3];
}

// The six functions of FIPS 180-4, section 4.1.2, under its names.
std::uint32_t ch(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return (x & y) ^ (~x & z);
}
std::uint32_t maj(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return (x & y) ^ (x & z) ^ (y & z);
}
std::uint32_t big_sigma0(std::uint32_t x) {
  return std::rotr(x, 2) ^ std::rotr(x, 13) ^ std::rotr(x, 22);
}
std::uint32_t big_sigma1(std::uint32_t x) {
  return std::rotr(x, 6) ^ std::rotr(x, 11) ^ std::rotr(x, 25);
}
std::uint32_t small_sigma0(std::uint32_t x) {
  return std::rotr(x, 7) ^ std::rotr(x, 18) ^ (x >> 3);
}
std::uint32_t small_sigma1(std::uint32_t x) {
  return std::rotr(x, 17) ^ std::rotr(x, 19) ^ (x >> 10);
}

}  // namespace

/// Section 6.2.2.
void Sha256::digest_block(const unsigned char* block) {
  std::array<std::uint32_t, 64> w{};  // the message schedule
  for (std::size_t t = 0; t < 16; ++t) w[t] = read_big_endian(block + 4 * t);
  for (std::size_t t = 16; t < 64; ++t)
    w[t] = small_sigma1(w[t - 2]) + w[t - 7] + small_sigma0(w[t - 15]) + w[t - 16];
  auto [a, b, c, d, e, f, g, h] = hash_;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t t1 = h + big_sigma1(e) + ch(e, f, g) + round_constants[t] + w[t];
    const std::uint32_t t2 = big_sigma0(a) + maj(a, b, c);
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<std::uint32_t, 8> change{a, b, c, d, e, f, g, h};
  for (std::size_t k = 0; k < hash_.size(); ++k) hash_[k] += change[k];
}

void Sha256::add(std::string_view bytes) {
  const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size(), waiting = size_ % block_size;
  size_ += left;
  if (waiting > 0) {
    const std::size_t taken = std::min(left, block_size - waiting);
    std::copy_n(data, taken, rest_.data() + waiting);
    if (waiting + taken < block_size) return;
    digest_block(rest_.data());
    data += taken;
    left -= taken;
  }
  for (; left >= block_size; data += block_size, left -= block_size) digest_block(data);
  std::copy_n(data, left, rest_.data());
}

std::string Sha256::hex() const {
  // Section 5.1.1: a one, zeros, and the number of bits, which ends a block.
  const std::uint64_t bits = 8 * size_;
  const std::size_t waiting = size_ % block_size;
  std::string padding(1 + (2 * block_size - 9 - waiting) % block_size, '\0');
  padding[0] = '\x80';
  for (int shift = 56; shift >= 0; shift -= 8) padding += static_cast<char>(bits >> shift & 0xff);
  Sha256 whole = *this;
  whole.add(padding);
  return fmt::format("{:08x}", fmt::join(whole.hash_, ""));
}

std::string sha256_of(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.hex();
}

std::string sha256_of_file(const std::filesystem::path& path) {
  std::error_code ignored;
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path, ignored))
    refuse(path.string() + ": cannot be opened; check that it is a file that you may read");
  Sha256 digest;
  std::vector<char> piece(std::size_t{1} << 20);
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    digest.add({piece.data(), static_cast<std::size_t>(in.gcount())});
  }
  if (in.bad()) refuse(path.string() + ": reading failed; check the disk and try again");
  return digest.hex();
}

}  // namespace gdkm
