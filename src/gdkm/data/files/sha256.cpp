#include "gdkm/data/files/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <vector>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

class Sha256 {
 public:
  Sha256() { check(context_ && EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr)); }
  void add(std::string_view bytes) { check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size())); }
  std::string hex() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    check(EVP_DigestFinal_ex(context_.get(), digest.data(), &size));
    return fmt::format("{:02x}", fmt::join(digest.data(), digest.data() + size, ""));
  }

 private:
  static void check(bool worked) {
    if (!worked) throw std::runtime_error("OpenSSL failed to compute a SHA-256");
  }
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context_{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

}  // namespace

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
