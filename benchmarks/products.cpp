/// Times products of one block of rows, as the layers take them, beside the BLAS: gdkm_bench_products [Google
/// Benchmark's options]. One thread; of a triangular factor only what is not zero is counted.
#include <benchmark/benchmark.h>
#include <cblas.h>

#include <string>
#include <vector>

#include "gdkm/linalg/cpu/cache_aligned.hpp"
#include "gdkm/linalg/cpu/panels.hpp"
#include "gdkm/support/random.hpp"

namespace {

using namespace gdkm;

/// Blocks A and B of n×m numbers, a square factor S with its panels, and room for results.
struct Block {
  Block(Index n_, Index m_, Region part)
      : n(n_), m(m_), square{Op::none, ConstView<float>(s.data(), m, m), part} {
    panels = panels::pack(square, packed.data());
  }
  static std::vector<float> normals(Index count) {
    Random random(Stream{static_cast<std::uint64_t>(count)});
    std::vector<float> out(static_cast<std::size_t>(count));
    for (float& x : out) x = static_cast<float>(random.normal());
    return out;
  }

  Index n, m;
  std::vector<float> a = normals(n * m), b = normals(n * m), s = normals(m * m), out = normals(n * m),
                     small = normals(m * m);
  CacheAligned<float> packed = CacheAligned<float>(static_cast<std::size_t>(panels::size<float>(m, m))),
                      memory = CacheAligned<float>(static_cast<std::size_t>(panels::chunk));
  Factor<float> square;
  panels::Panels<float> panels{};
};

/// C ← A S, with S in panels.
void rows_times_panels(Block& x) {
  panels::times<float>(1, {Op::none, ConstView<float>(x.a.data(), x.n, x.m), Region::all}, x.panels, 0,
                       View<float>(x.out.data(), x.n, x.m));
}
void rows_times_square_by_blas(Block& x) {
  const auto n = static_cast<int>(x.n), m = static_cast<int>(x.m);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, m, m, 1, x.a.data(), m, x.s.data(), m, 0,
              x.out.data(), m);
}
/// C ← AᵀB, with the copying of B.
void sum_over_rows(Block& x) {
  panels::product<float>(1, {Op::transpose, ConstView<float>(x.a.data(), x.n, x.m), Region::all},
                         {Op::none, ConstView<float>(x.b.data(), x.n, x.m), Region::all}, 0,
                         View<float>(x.small.data(), x.m, x.m), Region::all, 0, 0, x.memory.data());
}
void sum_over_rows_by_blas(Block& x) {
  const auto n = static_cast<int>(x.n), m = static_cast<int>(x.m);
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, m, n, 1, x.a.data(), m, x.b.data(), m, 0,
              x.small.data(), m);
}

void enter(const std::string& name, void (*work)(Block&), Index n, Index m, Region part) {
  const auto run = [=](benchmark::State& state) {
    Block block(n, m, part);
    for (auto _ : state) work(block);
    const double half = part == Region::all ? 1 : 0.5 * static_cast<double>(m + 1) / static_cast<double>(m);
    state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * half * static_cast<double>(n * m * m),
                                                   benchmark::Counter::kIsIterationInvariantRate);
  };
  benchmark::RegisterBenchmark((name + "/" + std::to_string(n) + "x" + std::to_string(m)).c_str(), run)
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& [n, m] : {std::pair<Index, Index>{320, 200}, {160, 400}}) {
    enter("A S, S in panels", rows_times_panels, n, m, Region::all);
    enter("A S, BLAS", rows_times_square_by_blas, n, m, Region::all);
    enter("A L, L in panels", rows_times_panels, n, m, Region::lower);
    enter("A'B", sum_over_rows, n, m, Region::all);
    enter("A'B, BLAS", sum_over_rows_by_blas, n, m, Region::all);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
