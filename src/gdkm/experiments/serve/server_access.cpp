#include <fstream>

#include "gdkm/experiments/serve/store_server.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

bool is_loopback(const std::string& host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string random_token() {
  std::ifstream source("/dev/urandom", std::ios::binary);
  unsigned char bytes[16];
  if (!source.read(reinterpret_cast<char*>(bytes), sizeof bytes))
    throw InputError("cannot read random numbers for a token; give one with " + option("token"));
  std::string out;
  for (const unsigned char byte : bytes) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

}  // namespace gdkm
