/// Times primitives of the CPU backend at the sizes of training steps: the timed cases of tests/linalg.
/// gdkm_bench_primitives [Google Benchmark's options]. `GFLOP/s` and `GB/s` count what a primitive has to
/// compute and to touch at least.
#include <benchmark/benchmark.h>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "tests/linalg/backend_cases.hpp"

namespace {

using namespace gdkm;
using namespace gdkm::testing;

/// Runs a case and times its first call of `primitive`.
void run(benchmark::State& state, const Case& each, const std::string& primitive) {
  CpuBackend<float> backend;
  bool timed = false;
  const auto caller = [&](const char* name, const Cost& cost, const std::function<void()>& work) {
    if (timed || name != primitive) return work();
    timed = true;
    for (auto _ : state) work();
    const auto rate = [&](const char* unit, double value) {
      constexpr auto per_second = benchmark::Counter::kIsIterationInvariantRate;
      if (value > 0) state.counters[unit] = benchmark::Counter(value, per_second);
    };
    rate("GFLOP/s", 1e-9 * cost.operations);
    rate("GB/s", 4e-9 * cost.numbers);
  };
  Trial<float> trial(backend, {.caller = caller});
  each.run(trial);
}

}  // namespace

int main(int argc, char** argv) {
  for (const Case& each : backend_cases().all()) {
    if (!each.timed_only) continue;
    std::vector<std::string> primitives{each.primitive};
    if (each.primitive.starts_with("kernel_")) primitives.push_back(each.primitive + "_backward");
    for (const std::string& primitive : primitives) {
      const std::string name = primitive + each.name.substr(each.primitive.size());
      const auto body = [&each, primitive](benchmark::State& state) { run(state, each, primitive); };
      benchmark::RegisterBenchmark(name.c_str(), body)->Unit(benchmark::kMicrosecond)->UseRealTime();
    }
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
