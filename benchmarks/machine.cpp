/// What the machine can do, to measure steps by: gdkm_bench_machine [THREADS]. Prints one line of JSON: the
/// rate of single-precision products (square, and tall times m×m as in a layer), each the better of the
/// backend's way to share them out and the library's own threads, and the bandwidth of memory (a ← b + s c
/// over arrays that no cache holds).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <vector>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"

namespace {

using namespace gdkm;
using Time = std::chrono::steady_clock;

/// The shortest of a few runs: what the machine can do, other programs aside.
double best_seconds(int runs, const std::function<void()>& work) {
  work();
  double best = 1e30;
  for (int k = 0; k < runs; ++k) {
    const auto start = Time::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Time::now() - start).count());
  }
  return best;
}

Matrix<float> filled(CpuBackend<float>& backend, Index rows, Index cols) {
  Matrix<float> out(backend, rows, cols);
  backend.normals(Stream{}, out);
  return out;
}

/// GFLOP/s of a (rows × inner) (inner × cols) product.
double product_rate(CpuBackend<float>& backend, int threads, Index rows, Index inner, Index cols) {
  const auto a = filled(backend, rows, inner), b = filled(backend, inner, cols),
             c = filled(backend, rows, cols);
  const double shared = best_seconds(7, [&] { backend.gemm(1.0f, Op::none, a, Op::none, b, 0.0f, c); });
  double library = shared;
  {
    const blas::Threads scope(threads);
    library = best_seconds(7, [&] { blas::gemm(1.0f, Op::none, a, Op::none, b, 0.0f, c); });
  }
  return 2e-9 * static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(cols) /
         std::min(shared, library);
}

double triad_rate(ThreadPool& pool) {
  constexpr Index count = 1 << 25;  // 128 MiB each
  std::vector<float> a(count), b(count, 1.0f), c(count, 2.0f);
  const double seconds = best_seconds(5, [&] {
    pool.share(count, 4096, [&](Index begin, Index end) {
      for (Index k = begin; k < end; ++k) a[k] = b[k] + 3.0f * c[k];
    });
  });
  return 3e-9 * sizeof(float) * count / seconds;
}

}  // namespace

int main(int argc, char** argv) {
  CpuBackend<float> backend(argc > 1 ? std::atoi(argv[1]) : 0);
  ThreadPool pool(argc > 1 ? std::atoi(argv[1]) : 0);
  fmt::print("{{\"backend\": \"{}\", \"threads\": {}, \"sgemm_square\": {:.1f}, ", backend.description(),
             pool.size(), product_rate(backend, pool.size(), 2048, 2048, 2048));
  fmt::print("\"sgemm_tall_200\": {:.1f}, \"sgemm_tall_400\": {:.1f}, \"triad_GB_per_s\": {:.2f}}}\n",
             product_rate(backend, pool.size(), 20000, 200, 200),
             product_rate(backend, pool.size(), 20000, 400, 400), triad_rate(pool));
  return 0;
}
