/// How the time of a training step grows: gdkm_bench_growth [--axis n,m,nnz,d,threads] [--large] [options].
///
/// From a middling problem one number at a time is varied. Prints one line of JSON for each: sizes, the
/// median and the shortest step in milliseconds, the processor time of all threads, and memory. --large is
/// one problem of a million nodes, ten million edges and 128 features at m = 200 in place of these; its
/// memory counts from the start, the making of the problem included.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/trainer.hpp"
#include "resident.hpp"
#include "shapes.hpp"

namespace {

using namespace gdkm;
using namespace gdkm::bench;
using Time = std::chrono::steady_clock;

constexpr Index kilo = 1000;

struct Point {
  Shape shape;
  int threads;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

nlohmann::ordered_json measure(const Point& point, int steps) {
  const Shape& shape = point.shape;
  CpuBackend<float> backend(point.threads);
  ModelConfig config;
  config.inducing = shape.inducing;
  config.sampling = Sampling::weights;
  TrainOptions options;
  options.init = Init::random;
  options.inference = Inference::paper;  // as what it is compared with
  std::unique_ptr<Dkm<float>> model;
  const auto trainer = [&] {
    const Problem problem = random_problem(shape);
    Split split;
    split.train.resize(static_cast<std::size_t>(shape.nodes));
    std::iota(split.train.begin(), split.train.end(), 0);
    model = make_model(backend, config, problem);
    return std::make_unique<Trainer<float>>(*model, problem, split, options);
  }();
  trainer->step();
  std::vector<double> wall, busy;
  for (int k = 0; k < steps; ++k) {
    const auto start = Time::now();
    const std::clock_t cpu = std::clock();
    trainer->step();
    wall.push_back(std::chrono::duration<double, std::milli>(Time::now() - start).count());
    busy.push_back(1e3 * static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC);
  }
  trainer->settle();
  return {{"nodes", shape.nodes},
          {"inducing", shape.inducing},
          {"nonzeros", shape.mixing_nonzeros()},
          {"features", shape.features},
          {"threads", point.threads},
          {"ms", median(wall)},
          {"best_ms", *std::min_element(wall.begin(), wall.end())},
          {"cpu_ms", median(busy)},
          {"bytes", backend.bytes_in_use()},
          {"peak_resident", resident("VmHWM")},
          {"loss", trainer->history().loss.back()}};
}

/// The middling problem, varied along one axis.
std::vector<Point> points_of(const std::string& axis, int threads) {
  const Shape middle{"growth", 50 * kilo, 250 * kilo, 128, 0, 10, 100};
  std::vector<Point> out;
  const auto add = [&](auto change, int team) {
    Shape shape = middle;
    change(shape);
    out.push_back({shape, team});
  };
  if (axis == "n") {
    for (const Index n : {10, 30, 100, 300, 1000}) {
      add([n](Shape& s) { s.nodes = n * kilo, s.edges = 5 * n * kilo; }, threads);
    }
  } else if (axis == "m") {
    for (const Index m : {50, 100, 200, 400, 800}) add([m](Shape& s) { s.inducing = m; }, threads);
  } else if (axis == "nnz") {
    for (const Index per_node : {1, 5, 20, 80, 200})
      add([=](Shape& s) { s.edges = s.nodes * per_node; }, threads);
  } else if (axis == "d") {
    for (const Index d : {16, 64, 128, 512, 2048}) add([d](Shape& s) { s.features = d; }, threads);
  } else if (axis == "threads") {
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    for (int team = 1; team < 2 * cores; team *= 2) add([](Shape&) {}, std::min(team, cores));
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Growth of a training step"};
  const std::vector<std::string> all{"n", "m", "nnz", "d", "threads"};
  std::vector<std::string> axes = all;
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency())), steps = 5;
  bool large = false;
  app.add_option("--axis", axes, "What varies")->delimiter(',')->check(CLI::IsMember(all));
  app.add_option("--threads", threads, "Threads, where these do not vary")->capture_default_str();
  app.add_option("--steps", steps, "Steps that are timed")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_flag("--large", large, "A million nodes, ten million edges, 128 features, m = 200");
  CLI11_PARSE(app, argc, argv);
  try {
    if (large) {
      const Shape shape{"large", 1000 * kilo, 10000 * kilo, 128, 0, 10, 200, 1.5};
      std::cout << measure({shape, threads}, steps).dump() << std::endl;
      return 0;
    }
    for (const std::string& axis : axes) {
      for (const Point& point : points_of(axis, threads)) {
        nlohmann::ordered_json line{{"axis", axis}};
        line.update(measure(point, steps));
        std::cout << line.dump() << std::endl;
      }
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 1;
  }
  return 0;
}
