/// Times single primitives of the CPU backend at the sizes of a layer: gdkm_bench_primitives [Google
/// Benchmark's options]. `GFLOP/s` and `GB/s` count what the primitive has to do and to touch at least.
#include <benchmark/benchmark.h>

#include <functional>
#include <string>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "shapes.hpp"

namespace {

using namespace gdkm;
using namespace gdkm::bench;

/// Matrices of a layer with n nodes and m inducing points, filled with normals; F_i is triangular.
struct Layer {
  explicit Layer(Index n_, Index m_) : n(n_), m(m_) {
    backend.reserve(m, m, true);
    backend.keep_lower(f_i, 1.0f);
    backend.gram(f_i, g);
    for (Index j = 0; j < m; ++j) g.view().row(j)[j] += static_cast<float>(m);
    backend.row_norms(f_t, s_t);
    backend.row_norms(f_i, s_i);
  }
  Matrix<float> normal(Index rows, Index cols) {
    Matrix<float> out(backend, rows, cols);
    backend.normals(Stream{static_cast<std::uint64_t>(rows + cols)}, out);
    return out;
  }

  Index n, m;
  CpuBackend<float> backend;
  Matrix<float> f_t = normal(n, m), f_i = normal(m, m), square = normal(m, m), out = normal(n, m),
                bar = normal(n, m), value = normal(n, m), small = normal(m, m), g = normal(m, m),
                s_t = normal(1, n), s_i = normal(1, m), s_i_bar = normal(1, m), scalar = normal(1, 1);
};

/// One primitive: what it runs, and the operations and bytes it cannot do without.
using Work = void (*)(Layer&);
struct Primitive {
  const char* name;
  Work work;
  double operations, bytes;  // per n m² and per n m (m³ and m² where `small`); bytes in floats
  bool small = false;
};

const Primitive primitives[] = {
    {"gemm n×m×m", [](Layer& l) { l.backend.gemm(1, Op::none, l.f_t, Op::none, l.square, 0, l.out); }, 2, 2},
    {"gemm m×n×m", [](Layer& l) { l.backend.gemm(1, Op::transpose, l.f_t, Op::none, l.bar, 0, l.small); }, 2,
     2},
    {"times_lower", [](Layer& l) { l.backend.times_lower(l.f_t, Op::none, l.f_i, l.out); }, 1, 2},
    {"lower_product", [](Layer& l) { l.backend.lower_product(l.f_t, l.bar, 0, l.small); }, 1, 2},
    {"kernel_times",
     [](Layer& l) {
       l.backend.kernel_times(KernelKind::arccos, l.f_t, l.s_t, l.f_i, l.s_i, Fill::lower, l.square, l.out);
     },
     3, 2},
    {"kernel_times_backward",
     [](Layer& l) {
       l.backend.kernel_times_backward(KernelKind::arccos, l.f_t, l.s_t, l.f_i, l.s_i, Fill::lower, l.square,
                                       l.bar, l.small, 0, l.out, l.g, l.s_i_bar, {});
     },
     7, 3},
    {"row_norms", [](Layer& l) { l.backend.row_norms(l.f_t, l.s_t); }, 0, 1},
    {"fill", [](Layer& l) { l.backend.fill(l.out, 0.0f); }, 0, 1},
    {"add", [](Layer& l) { l.backend.add(1.0f, l.f_t, 1.0f, l.out); }, 0, 3},
    {"gemm m×m×m", [](Layer& l) { l.backend.gemm(1, Op::none, l.f_i, Op::none, l.square, 0, l.small); }, 2, 3,
     true},
    {"gram m×m×m", [](Layer& l) { l.backend.gram(l.f_i, l.small); }, 1, 2, true},
    {"cholesky", [](Layer& l) { l.backend.cholesky(l.g, 1e-5f, l.small, l.square, l.scalar); }, 1.0 / 3, 2,
     true},
    {"kernel_matrix", [](Layer& l) { l.backend.kernel_matrix(KernelKind::arccos, l.g, l.s_i, l.small); }, 0,
     2, true},
    {"kernel_matrix_backward",
     [](Layer& l) {
       l.backend.kernel_matrix_backward(KernelKind::arccos, l.g, l.s_i, l.square, l.small, l.s_i_bar);
     },
     0, 3, true},
    {"positive_lower", [](Layer& l) { l.backend.positive_lower(l.f_i, l.small); }, 0, 2, true},
    {"normal_kl", [](Layer& l) { l.backend.normal_kl(l.g, 1e-9f, l.small, l.scalar); }, 0, 3, true},
    {"adam", [](Layer& l) { l.backend.adam({.rate = 1e-9}, l.bar, l.out, l.f_t, l.value); }, 0, 7},
};

void run(benchmark::State& state, const Primitive& primitive, Index n, Index m) {
  Layer layer(n, m);
  for (auto _ : state) primitive.work(layer);
  const auto rows = static_cast<double>(primitive.small ? m : n), cols = static_cast<double>(m);
  const auto each = [](double value) {
    return benchmark::Counter(value, benchmark::Counter::kIsIterationInvariantRate);
  };
  if (primitive.operations > 0)
    state.counters["GFLOP/s"] = each(1e-9 * primitive.operations * rows * cols * cols);
  state.counters["GB/s"] = each(4e-9 * primitive.bytes * rows * cols);
}

/// Â times an n×m matrix at the shape's graph; bytes as if every row were read once for each of its
/// neighbours.
void spmm(benchmark::State& state, const Shape& shape) {
  CpuBackend<float> backend;
  const Sparse<float> a(backend, random_problem(shape).mixing);
  Matrix<float> b(backend, shape.nodes, shape.inducing), c(backend, shape.nodes, shape.inducing);
  backend.normals(Stream{}, b);
  for (auto _ : state) backend.spmm(1, Op::none, a, b, 0, c);
  const double entries = static_cast<double>(shape.mixing_nonzeros()) * static_cast<double>(shape.inducing);
  state.counters["GFLOP/s"] =
      benchmark::Counter(2e-9 * entries, benchmark::Counter::kIsIterationInvariantRate);
  state.counters["GB/s"] = benchmark::Counter(4e-9 * entries, benchmark::Counter::kIsIterationInvariantRate);
}

void likelihood(benchmark::State& state, const Shape& shape, bool by_nodes) {
  constexpr Index samples = 4;
  CpuBackend<float> backend;
  const std::vector<std::int32_t> label = random_problem(shape).label;
  const Index n = shape.nodes, classes = shape.classes;
  Matrix<float> logits(backend, n, samples * classes), mean(backend, n, classes),
      mean_bar(backend, n, classes), deviation(backend, 1, n), deviation_bar(backend, 1, n),
      value(backend, 1, 1);
  backend.normals(Stream{}, logits);
  backend.fill(deviation, 0.1f);
  for (auto _ : state) {
    if (by_nodes) {
      backend.node_log_likelihood(mean, deviation, label.data(), 0, samples, Stream{}, 1, value, mean_bar,
                                  deviation_bar);
    } else {
      backend.softmax_log_likelihood(logits, label.data(), samples, 1, value);
    }
  }
  const double logits_count = static_cast<double>(n * samples * classes);
  state.counters["logits/s"] =
      benchmark::Counter(logits_count, benchmark::Counter::kIsIterationInvariantRate);
}

void enter(const std::string& name, const std::function<void(benchmark::State&)>& body) {
  benchmark::RegisterBenchmark(name.c_str(), body)->Unit(benchmark::kMicrosecond)->UseRealTime();
}

}  // namespace

int main(int argc, char** argv) {
  for (const auto& [n, m] : {std::pair<Index, Index>{2708, 200}, {22662, 400}}) {
    for (const Primitive& primitive : primitives) {
      enter(std::string(primitive.name) + "/" + std::to_string(n) + "x" + std::to_string(m),
            [&primitive, n = n, m = m](benchmark::State& state) { run(state, primitive, n, m); });
    }
  }
  for (const Shape& shape : known_shapes()) {
    if (shape.name == "reddit") continue;  // takes minutes to make
    enter("spmm/" + shape.name, [&](benchmark::State& state) { spmm(state, shape); });
    enter("softmax_log_likelihood/" + shape.name,
          [&](benchmark::State& state) { likelihood(state, shape, false); });
    enter("node_log_likelihood/" + shape.name,
          [&](benchmark::State& state) { likelihood(state, shape, true); });
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
