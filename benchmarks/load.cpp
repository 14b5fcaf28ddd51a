// gdkm_bench_load [GENERATOR]: how long reading a large graph takes, and how much memory. Writes a generated
// graph (of Reddit's size unless another is named) in the npz layout, then reads, normalises and
// renormalises it in a process of its own, as training does.

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/data/load.hpp"

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double mib = 1 << 20;

double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

/// What the arrays of the file hold, unpacked.
double unpacked_mib(const fs::path& path) {
  const gdkm::NpzReader archive(path);
  double bytes = 0;
  for (const auto& name : archive.names())
    bytes += static_cast<double>(gdkm::npy_data_size(name, archive.header(name)));
  return bytes / mib;
}

void measure(const fs::path& path) {
  const double size = unpacked_mib(path);
  const auto start = Clock::now();
  gdkm::Dataset data = gdkm::load(path.string(), std::nullopt);
  const double loaded = seconds_since(start);
  gdkm::ThreadPool pool;
  data.features = gdkm::normalise(std::move(data.features), gdkm::Normalisation::l2, &pool);
  const gdkm::Csr mixing = gdkm::normalised_adjacency(data.graph, 0, {}, &pool);
  const double total = seconds_since(start);
  fmt::print("{} nodes, {} edges, {} features: {:.0f} MiB in arrays, {:.0f} MiB packed\n", data.graph.nodes,
             (mixing.nonzeros() - data.graph.nodes) / 2, data.features.cols, size,
             static_cast<double>(fs::file_size(path)) / mib);
  fmt::print("read {:.1f} s, with normalisation of features and adjacency {:.1f} s, on {} threads\n", loaded,
             total, pool.size());
  fmt::print("peak memory {:.0f} MiB, {:.2f} times the arrays\n", peak_mib(), peak_mib() / size);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 3 && std::string(argv[1]) == "--measure") {
      measure(argv[2]);
      return 0;
    }
    const std::string generator =
        argc > 1 ? argv[1] : "csbm:n=232965,degree=492,classes=41,features=602,homophily=0.76,splits=1";
    const fs::path path = fs::temp_directory_path() / fmt::format("gdkm-bench-load-{}.npz", getpid());
    fmt::print(stderr, "writing {}\n", path.string());
    if (fork() == 0) {  // so that what writing takes is not counted
      gdkm::write_graph_npz(gdkm::generate(generator), path);
      _exit(0);
    }
    int status = 0;
    wait(&status);
    if (status == 0) status = std::system(fmt::format("'{}' --measure '{}'", argv[0], path.string()).c_str());
    fs::remove(path);
    return status == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "gdkm_bench_load: " << error.what() << '\n';
    return 1;
  }
}
