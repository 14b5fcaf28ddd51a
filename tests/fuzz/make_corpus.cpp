/// make_corpus FOLDER: writes the seeds of every harness to FOLDER/<harness>/seed-<k>.

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "harness.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_corpus FOLDER\n");
    return 2;
  }
  for (const auto& harness : gdkm::fuzzing::harnesses()) {
    const auto folder = std::filesystem::path(argv[1]) / harness.name;
    std::filesystem::create_directories(folder);
    int number = 0;
    for (const std::string& seed : harness.seeds()) {
      std::ofstream out(folder / ("seed-" + std::to_string(number++)), std::ios::binary);
      out.write(seed.data(), static_cast<std::streamsize>(seed.size()));
      if (!out.flush()) {
        std::fprintf(stderr, "make_corpus: cannot write to %s\n", folder.c_str());
        return 1;
      }
    }
  }
  return 0;
}
