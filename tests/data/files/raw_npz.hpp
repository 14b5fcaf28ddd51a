#pragma once

/// Writes .npy and .npz bytes by hand, so that a test can lie in any field, and the helpers that such tests
/// share.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "gdkm/support/error.hpp"
#include "tests/places.hpp"

namespace gdkm::testing {

/// A folder that goes with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gdkm-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

template <class T>
std::string raw_bytes(const std::vector<T>& values, bool big_endian = false) {
  std::string out;
  for (const T value : values) {
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof(T));
    out += big_endian ? std::string(std::rbegin(raw), std::rend(raw)) : std::string(raw, sizeof(T));
  }
  return out;
}

/// `dict` is the whole header dictionary.
inline std::string raw_npy(const std::string& dict, const std::string& data, int version = 1) {
  std::string out = "\x93NUMPY";
  out += {static_cast<char>(version), '\0'};
  for (int b = 0; b < (version == 1 ? 2 : 4); ++b) out += static_cast<char>((dict.size() >> (8 * b)) & 255);
  return out + dict + data;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                       bool fortran = false) {
  return raw_npy("{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
                     ", 'shape': (" + shape + "), }\n",
                 data);
}

template <class T>
std::string npy_of(const std::string& descr, const std::string& shape, const std::vector<T>& values) {
  return npy(descr, shape, raw_bytes(values));
}

inline std::string npy_longs(const std::string& shape, const std::vector<std::int64_t>& values) {
  return npy_of("<i8", shape, values);
}
inline std::string npy_floats(const std::string& shape, const std::vector<float>& values) {
  return npy_of("<f4", shape, values);
}
inline std::string npy_bools(const std::string& shape, const std::vector<std::uint8_t>& values) {
  return npy_of("|b1", shape, values);
}

inline std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1u) != 0 ? 0xEDB88320u : 0u);
  }
  return ~crc;
}

struct RawMember {
  std::string name, bytes;          // name with .npy
  std::uint32_t claimed_extra = 0;  // how much larger the archive claims the member to be
};

/// An archive of stored (uncompressed) members.
inline std::string raw_zip(const std::vector<RawMember>& members) {
  const auto number = [](std::uint64_t value, int size) {
    std::string out;
    for (int b = 0; b < size; ++b) out += static_cast<char>((value >> (8 * b)) & 255);
    return out;
  };
  std::string body, directory;
  for (const auto& member : members) {
    const auto size = static_cast<std::uint32_t>(member.bytes.size());
    const std::string common = number(20, 2) + number(0, 2) + number(0, 2) + number(0, 2) + number(0x21, 2) +
                               number(crc32(member.bytes), 4) + number(size, 4) +
                               number(size + member.claimed_extra, 4) + number(member.name.size(), 2) +
                               number(0, 2);
    directory += "PK\x01\x02" + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2) +
                 number(0, 4) + number(body.size(), 4) + member.name;
    body += "PK\x03\x04" + common + member.name + member.bytes;
  }
  return body + directory + "PK\x05\x06" + number(0, 4) + number(members.size(), 2) +
         number(members.size(), 2) + number(directory.size(), 4) + number(body.size(), 4) + number(0, 2);
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Runs `action`, expects an InputError of one line that contains every word.
template <class Action>
void expect_input_error(Action action, const std::vector<std::string>& words) {
  try {
    action();
    ADD_FAILURE() << "no InputError was thrown";
  } catch (const InputError& error) {
    const std::string message = error.what();
    for (const auto& word : words)
      EXPECT_NE(message.find(word), std::string::npos) << word << " not in: " << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

/// The folder of shared reference files, which a checkout need not have.
inline std::filesystem::path shared_folder() {
  const char* given = std::getenv("GDKM_SHARED");
  if (given != nullptr && *given != '\0') return given;
  return std::filesystem::path(GDKM_SOURCE_DIR).parent_path() / "shared";
}

}  // namespace gdkm::testing
