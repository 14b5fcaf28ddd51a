#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace gdkm {

/// The SHA-256 (FIPS 180-4) of bytes that come in pieces.
class Sha256 {
 public:
  void add(std::string_view bytes);
  /// The digest of all bytes so far, in lower-case hexadecimal.
  std::string hex() const;

 private:
  static constexpr std::size_t block_size = 64;
  void digest_block(const unsigned char* block);

  std::array<std::uint32_t, 8> hash_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, block_size> rest_{};  // bytes that do not make a block yet
  std::uint64_t size_ = 0;                        // of all bytes so far
};

/// The SHA-256 of bytes or of a file, in lower-case hexadecimal. A file is read in pieces; one that cannot be
/// read is an InputError.
std::string sha256_of(std::string_view bytes);
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace gdkm
