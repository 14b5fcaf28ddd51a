/// One training step at the shapes of well-known graphs, and the memory that it takes. `matrices` is the peak
/// memory of the step, beyond inputs and parameters, in units of one n×m matrix.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/training/trainer.hpp"

namespace {

using namespace gdkm;

struct Shape {
  const char* name;
  Index nodes, edges, features;
  double density;
  int classes;
  Index inducing;
};

constexpr Shape shapes[] = {{"cora", 2708, 5278, 1433, 0.0127, 7, 200},
                            {"roman-empire", 22662, 32927, 300, 1, 18, 400},
                            {"penn94", 41554, 1362229, 4814, 0.001, 2, 400},
                            {"arxiv", 169343, 1157799, 128, 1, 40, 400}};

/// A random graph of that shape; every node is labelled and trains.
Problem random_problem(const Shape& shape) {
  Random random(Stream{1, Purpose::generator, 0});
  Dataset data;
  data.graph.nodes = shape.nodes;
  const auto n = static_cast<std::uint64_t>(shape.nodes);
  for (Index k = 0; k < shape.edges; ++k) {
    data.graph.edges.push_back(
        {static_cast<std::int32_t>(random.below(n)), static_cast<std::int32_t>(random.below(n))});
  }
  data.features.rows = shape.nodes;
  data.features.cols = shape.features;
  data.features.is_sparse = shape.density < 0.5;
  if (data.features.is_sparse) {
    const auto row = static_cast<int>(shape.density * static_cast<double>(shape.features) + 0.5);
    std::vector<Triplet> entries;
    for (std::int32_t r = 0; r < shape.nodes; ++r) {
      for (int k = 0; k < row; ++k) {
        entries.push_back(
            {r, static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(shape.features))), 1.0});
      }
    }
    data.features.sparse = csr_from_triplets(shape.nodes, shape.features, std::move(entries));
  } else {
    for (Index k = 0; k < shape.nodes * shape.features; ++k)
      data.features.dense.push_back(static_cast<float>(random.normal()));
  }
  data.classes = shape.classes;
  for (Index r = 0; r < shape.nodes; ++r)
    data.label.push_back(static_cast<std::int32_t>(random.below(shape.classes)));
  return prepare(data, Preprocessing{}, 0);
}

void step(benchmark::State& state, const Shape& shape, Scheme scheme) {
  const Problem problem = random_problem(shape);
  std::vector<std::int32_t> train(static_cast<std::size_t>(shape.nodes));
  for (std::size_t k = 0; k < train.size(); ++k) train[k] = static_cast<std::int32_t>(k);
  ModelConfig config;
  config.inducing = shape.inducing;
  config.scheme = scheme;
  TrainOptions options;
  options.epochs = 1000000;
  options.init = Init::random;
  CpuBackend<float> backend;
  Trainer<float> trainer(backend, problem, train, config, options);
  trainer.step();
  for (auto _ : state) benchmark::DoNotOptimize(trainer.step());

  const double matrix = static_cast<double>(shape.nodes * shape.inducing) * sizeof(float);
  const double parameters = 4.0 * static_cast<double>(trainer.model().parameters().size()) * sizeof(float);
  const double inputs = static_cast<double>(trainer.input_bytes());
  const auto total = static_cast<double>(backend.bytes_in_use());
  state.counters["matrices"] = (total - inputs - parameters) / matrix;
  state.counters["MiB"] = total / (1 << 20);
}

int register_all() {
  for (const Shape& shape : shapes) {
    for (const auto& [scheme, name] : {std::pair{Scheme::inter, "inter"}, {Scheme::intra, "intra"}}) {
      benchmark::RegisterBenchmark(
          (std::string("step/") + shape.name + "/" + name).c_str(),
          [&shape, scheme = scheme](benchmark::State& state) { step(state, shape, scheme); })
          ->Unit(benchmark::kMillisecond)
          ->UseRealTime();
    }
  }
  return 0;
}

const int registered = register_all();

}  // namespace
