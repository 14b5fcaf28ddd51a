#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "gdkm/support/thread_pool.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm::fuzzing {

/// A folder for readers that open paths: in memory where the system has such a place, and gone at the end.
class Scratch {
 public:
  Scratch() {
    const bool has_memory = std::filesystem::is_directory("/dev/shm");
    std::string pattern = (has_memory ? "/dev/shm" : std::filesystem::temp_directory_path().string()) +
                          std::string("/gdkm-fuzz-XXXXXX");
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  const std::filesystem::path& folder() const { return folder_; }

  std::filesystem::path write(const std::string& name, const std::string& bytes) const {
    testing::write_bytes(folder_ / name, bytes);
    return folder_ / name;
  }

 private:
  std::filesystem::path folder_;
};

/// The one of this process.
inline const Scratch& scratch() {
  static const Scratch the_one;
  return the_one;
}

/// Two threads for an input in eight, so that files are read in shares; one for the others, which then take a
/// fraction of the time.
inline ThreadPool& pool_for(std::string_view input) {
  static ThreadPool one(1), two(2);
  return input.size() % 8 == 7 ? two : one;
}

}  // namespace gdkm::fuzzing
