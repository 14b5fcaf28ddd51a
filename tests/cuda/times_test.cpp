#include <algorithm>
#include <chrono>
#include <cstdio>
#include <numeric>

#include "tests/cuda/cuda_test.hpp"

// Times of the primitives that a training step spends its own on, at the shapes of large data sets. Printed
// where GDKM_CUDA_TIMES is set; nothing is checked.

namespace gdkm {
namespace {

class CudaTimes : public CudaTest<float> {
 protected:
  void SetUp() override {
    if (std::getenv("GDKM_CUDA_TIMES") == nullptr) GTEST_SKIP() << "set GDKM_CUDA_TIMES to see times";
    CudaTest<float>::SetUp();
  }

  /// Random numbers by the device itself.
  static Matrix<float> random(Index rows, Index cols, std::uint64_t seed) {
    const Matrix<float> out(gpu(), rows, cols);
    gpu().normals(Stream{seed, Purpose::initial, 0}, out);
    gpu().add(1 / std::sqrt(static_cast<float>(cols)), out, 0, out);
    return out;
  }

  /// Median time of `work`, recorded and replayed. `bytes` and `flops`: what it moves and computes.
  static void time(const std::string& what, double bytes, double flops, const std::function<void()>& work) {
    const Matrix<float> one(gpu(), 1, 1);
    const auto wait = [&] { static_cast<void>(one.to_host()); };
    const auto recording = gpu().record(work);
    for (int k = 0; k < 3; ++k) recording->replay();
    wait();
    std::vector<double> seconds;
    for (int k = 0; k < 21; ++k) {
      constexpr int repeats = 4;
      const auto begin = std::chrono::steady_clock::now();
      for (int r = 0; r < repeats; ++r) recording->replay();
      wait();
      const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
      seconds.push_back(passed.count() / repeats);
    }
    std::nth_element(seconds.begin(), seconds.begin() + 10, seconds.end());
    std::printf("[   TIME   ] %-48s %9.1f us", what.c_str(), 1e6 * seconds[10]);
    if (bytes > 0) std::printf("  %7.0f GB/s", 1e-9 * bytes / seconds[10]);
    if (flops > 0) std::printf("  %7.0f GFLOP/s", 1e-9 * flops / seconds[10]);
    std::printf("\n");
    std::fflush(stdout);
  }
};

/// A graph of n nodes whose degrees fall as rank^(1/power − 1), hubs scattered over the numbering.
Csr skewed_graph(Index n, Index entries, double power) {
  std::uint64_t step = 2654435761u % static_cast<std::uint64_t>(n) | 1u;
  while (std::gcd(step, static_cast<std::uint64_t>(n)) != 1) step += 2;
  const auto node = [&](double rank) {
    const auto k =
        std::min<std::uint64_t>(static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(n - 1));
    return static_cast<Index>(k * step % static_cast<std::uint64_t>(n));
  };
  const double mean = static_cast<double>(entries) / static_cast<double>(n);
  std::vector<Index> degree(static_cast<std::size_t>(n), 0);
  for (Index rank = 0; rank < n; ++rank) {
    const double x = (static_cast<double>(rank) + 0.5) / static_cast<double>(n);
    degree[node(static_cast<double>(rank))] = std::lround(mean / power * std::pow(x, 1 / power - 1));
  }
  Csr graph;
  graph.rows = graph.cols = n;
  graph.row_start.resize(static_cast<std::size_t>(n) + 1);
  std::partial_sum(degree.begin(), degree.end(), graph.row_start.begin() + 1);
  const auto count = static_cast<std::size_t>(graph.row_start.back());
  graph.col.resize(count);
  graph.value.assign(count, 0.5);
  for (std::size_t k = 0; k < count; k += 4) {
    const Random4 words = random_block(Stream{1, Purpose::generator, 0}, k / 4);
    for (std::size_t i = k; i < std::min(k + 4, count); ++i) {
      const double u = words.v[i - k] / 4294967296.0;
      graph.col[i] = static_cast<std::int32_t>(node(static_cast<double>(n) * std::pow(u, power)));
    }
  }
  return graph;
}

TEST_F(CudaTimes, Spmm) {
  const struct {
    const char* name;
    Index n, entries, cols;
    double power;
  } graphs[] = {{"cora", 2708, 13264, 200, 1.5},
                {"penn94", 41554, 2765978, 400, 1.7},
                {"arxiv", 169343, 2484927, 400, 2},
                {"reddit", 232965, 114848435, 400, 1.5}};
  for (const auto& g : graphs) {
    const Csr csr = skewed_graph(g.n, g.entries, g.power);
    const Sparse<float> a(gpu(), csr);
    const Matrix<float> b = random(g.n, g.cols, 1), c(gpu(), g.n, g.cols);
    const double entries = static_cast<double>(csr.nonzeros()), cols = static_cast<double>(g.cols);
    time(std::string("spmm, ") + g.name + " shape, bytes gathered", 4 * entries * cols, 2 * entries * cols,
         [&] { gpu().spmm(1, Op::none, a, b, 0, c); });
  }
}

TEST_F(CudaTimes, KernelTimes) {
  for (const auto& [n, m] : {std::pair<Index, Index>{2708, 200}, {22662, 400}, {169343, 400}}) {
    const Matrix<float> f_t = random(n, m, 2), f_i = random(m, m, 3), s = random(m, m, 4), out(gpu(), n, m);
    const Matrix<float> s_t(gpu(), 1, n), s_i(gpu(), 1, m), s_bar(gpu(), m, m), f_t_bar(gpu(), n, m);
    const Matrix<float> f_i_bar(gpu(), m, m), s_i_bar(gpu(), 1, m);
    gpu().keep_lower(f_i, 1);
    gpu().row_norms(f_t, s_t);
    gpu().row_norms(f_i, s_i);
    const double product = 2.0 * static_cast<double>(n * m * m);
    const std::string size = ", n " + std::to_string(n) + ", m " + std::to_string(m);
    time("kernel_times" + size, 0, 2 * product,
         [&] { gpu().kernel_times(KernelKind::arccos, f_t, s_t, f_i, s_i, Fill::lower, s, out); });
    time("kernel_times_backward" + size, 0, 5 * product, [&] {
      gpu().kernel_times_backward(KernelKind::arccos, f_t, s_t, f_i, s_i, Fill::lower, s, out, s_bar, 0,
                                  f_t_bar, f_i_bar, s_i_bar, {});
    });
    time("one product" + size, 0, product, [&] { gpu().gemm(1, Op::none, f_t, Op::none, s, 0, out); });
    time("row_norms" + size, 4.0 * static_cast<double>(n * m), 0, [&] { gpu().row_norms(f_t, s_t); });
    time("column_sums" + size, 4.0 * static_cast<double>(n * m), 0,
         [&] { gpu().column_sums(1, f_t, 0, s_i_bar); });
    time("add" + size, 12.0 * static_cast<double>(n * m), 0, [&] { gpu().add(1, f_t, 1, out); });
  }
}

TEST_F(CudaTimes, SmallMatrices) {
  for (const Index m : {200, 400}) {
    const Matrix<float> a = random(m, m, 5), b = random(m, m, 6), c(gpu(), m, m), s(gpu(), 1, m),
                        one(gpu(), 1, 1);
    const Matrix<float> s_bar(gpu(), 1, m);
    gpu().row_norms(a, s);
    const auto size = ", m " + std::to_string(m);
    time("add" + size, 0, 0, [&] { gpu().add(1, a, 1, c); });
    time("transpose" + size, 0, 0, [&] { gpu().transpose(a, c); });
    time("symmetrise" + size, 0, 0, [&] { gpu().symmetrise(c); });
    time("dot" + size, 0, 0, [&] { gpu().dot(1, a, b, 0, one); });
    time("normal_kl" + size, 0, 0, [&] { gpu().normal_kl(b, 1, c, one); });
    time("kernel_matrix" + size, 0, 0, [&] { gpu().kernel_matrix(KernelKind::arccos, a, s, c); });
    time("kernel_matrix_backward" + size, 0, 0,
         [&] { gpu().kernel_matrix_backward(KernelKind::arccos, a, s, b, c, s_bar); });
  }
}

TEST_F(CudaTimes, LikelihoodAndAdam) {
  for (const auto& [rows, classes] :
       {std::pair<Index, Index>{140, 7}, {20777, 2}, {32768, 40}, {90941, 40}}) {
    const std::vector<std::int32_t> label(static_cast<std::size_t>(rows), 0);
    const Buffer<std::int32_t> labels(gpu(), label);
    const Matrix<float> mean = random(rows, classes, 7), deviation = random(1, rows, 8), value(gpu(), 1, 1);
    const Matrix<float> mean_bar(gpu(), rows, classes), deviation_bar(gpu(), 1, rows);
    time("node_log_likelihood, " + std::to_string(rows) + "x" + std::to_string(classes) + ", 4 samples",
         8.0 * static_cast<double>(rows * classes), 0, [&] {
           gpu().node_log_likelihood(mean, deviation, labels.data(), 0, 4, Stream{1, Purpose::sampling, 0}, 1,
                                     value, mean_bar, deviation_bar);
         });
  }
  for (const Index count : {400000, 2000000, 50000000}) {
    const Matrix<float> g = random(1, count, 9), first(gpu(), 1, count), second(gpu(), 1, count),
                        parameter(gpu(), 1, count);
    time("adam, " + std::to_string(count) + " parameters", 28.0 * static_cast<double>(count), 0,
         [&] { gpu().adam(AdamStep{}, g, first, second, parameter); });
  }
}

}  // namespace
}  // namespace gdkm
