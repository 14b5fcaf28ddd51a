#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

struct evp_md_ctx_st;

namespace gdkm {

/// The SHA-256 of bytes given piece by piece.
class Sha256 {
 public:
  Sha256();

  void add(std::string_view bytes);
  /// The digest in lower-case hexadecimal. Nothing can be added afterwards.
  std::string hex();

 private:
  struct Closer {
    void operator()(evp_md_ctx_st* context) const;
  };
  std::unique_ptr<evp_md_ctx_st, Closer> context_;
};

std::string sha256_of(std::string_view bytes);

/// Reads the file in pieces. A file that cannot be read is an InputError.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace gdkm
