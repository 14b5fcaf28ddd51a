#include "tests/cuda/twin.hpp"

namespace gdkm {
namespace {

template <class T>
class CudaKernels : public TwinTest<T> {};
TYPED_TEST_SUITE(CudaKernels, Precisions, PrecisionNames);

/// Rows of about unit length: all kernels then have values and slopes of about 1. Row 1 of three or more is
/// zero.
template <class T>
std::vector<double> features(Index rows, Index cols, std::uint64_t seed) {
  auto f = numbers<T>(rows * cols, seed, 1 / std::sqrt(static_cast<double>(cols)));
  if (rows > 2) std::fill_n(f.begin() + cols, cols, 0.0);
  return f;
}

template <class T>
std::vector<double> norms_of(const std::vector<double>& f, Index rows, Index cols) {
  std::vector<double> s;
  for (Index r = 0; r < rows; ++r) {
    double sum = 0;
    for (Index c = 0; c < cols; ++c) sum += f[r * cols + c] * f[r * cols + c];
    s.push_back(static_cast<T>(std::sqrt(sum)));
  }
  return s;
}

TYPED_TEST(CudaKernels, MatrixAndItsBackward) {
  using T = TypeParam;
  for (const std::string& name : names_of<KernelKind>()) {
    const KernelKind kind = value_named<KernelKind>(name).value();
    for (const Index m : {1, 7, 33, 200, 400, 513}) {
      if (too_large(m, m)) continue;
      for (const Index pad : {0, 1}) {
        const Index width = m / 2 + 3;
        const auto f = features<T>(m, width, 51);
        std::vector<double> gram(static_cast<std::size_t>(m * m));
        for (Index r = 0; r < m; ++r) {
          for (Index c = 0; c <= r; ++c) {
            double sum = 0;
            for (Index k = 0; k < width; ++k) sum += f[r * width + k] * f[c * width + k];
            gram[r * m + c] = gram[c * m + r] = static_cast<T>(sum);
          }
        }
        const auto g = this->twin(m, m, gram, pad), s = this->twin(1, m, norms_of<T>(f, m, width), pad);
        const auto k = this->blank(m, m, pad), k_bar = this->random(m, m, 52, pad);
        const auto g_bar = this->blank(m, m, pad), s_bar = this->random(1, m, 53, pad);
        this->gpu().kernel_matrix(kind, g.gpu, s.gpu, k.gpu);
        this->cpu().kernel_matrix(kind, g.cpu, s.cpu, k.cpu);
        this->gpu().kernel_matrix_backward(kind, g.gpu, s.gpu, k_bar.gpu, g_bar.gpu, s_bar.gpu);
        this->cpu().kernel_matrix_backward(kind, g.cpu, s.cpu, k_bar.cpu, g_bar.cpu, s_bar.cpu);
        const auto what = this->at("kernel_matrix " + name_of(kind), m, m, pad);
        k.expect_same(what, tolerance<T>(1e-6));
        g_bar.expect_same(what + ", g_bar", tolerance<T>(1e-6));
        s_bar.expect_same(what + ", s_bar", tolerance<T>(5e-6));
      }
    }
  }
}

/// One call of kernel_times and of its backward, on both devices.
struct Case {
  Index n, m, width, cols;
  Fill fill;
  double beta;
  bool given_norms;  // s_t is not ‖F_t‖, and receives its gradient itself
  Index pad;
};

template <class T, class Test>
void compare(Test& test, KernelKind kind, const Case& c) {
  if (too_large(c.n, c.m)) return;
  auto fi = features<T>(c.m, c.width, 55);
  if (c.fill == Fill::lower) {
    for (Index r = 0; r < c.m; ++r) std::fill(fi.begin() + r * c.m + r + 1, fi.begin() + (r + 1) * c.m, 0.0);
    if (c.m > 2) fi[c.m] = 0.5;  // row 1, which features() left empty
  }
  const auto ft = features<T>(c.n, c.width, 54);
  auto norms = norms_of<T>(ft, c.n, c.width);
  if (c.given_norms) {
    for (double& s : norms) s = static_cast<T>(1.25 * s);
  }
  const auto f_t = test.twin(c.n, c.width, ft, c.pad), f_i = test.twin(c.m, c.width, fi, c.pad);
  const auto s_t = test.twin(1, c.n, norms), s_i = test.twin(1, c.m, norms_of<T>(fi, c.m, c.width));
  const auto s = test.random(c.m, c.cols, 56, c.pad), out_bar = test.random(c.n, c.cols, 57, c.pad);
  const auto out = test.blank(c.n, c.cols, c.pad), s_bar = test.blank(c.m, c.cols, c.pad);
  const auto f_t_bar = c.beta == 0 ? test.blank(c.n, c.width, c.pad) : test.random(c.n, c.width, 58, c.pad);
  const auto f_i_bar = test.random(c.m, c.width, 59, c.pad), s_i_bar = test.random(1, c.m, 60);
  const auto s_t_bar = test.random(c.given_norms ? 1 : 0, c.n, 61);

  const auto run = [&](auto& backend, auto pick, auto beta) {
    backend.kernel_times(kind, pick(f_t), pick(s_t), pick(f_i), pick(s_i), c.fill, pick(s), pick(out));
    backend.kernel_times_backward(kind, pick(f_t), pick(s_t), pick(f_i), pick(s_i), c.fill, pick(s),
                                  pick(out_bar), pick(s_bar), beta, pick(f_t_bar), pick(f_i_bar),
                                  pick(s_i_bar), pick(s_t_bar));
  };
  run(
      test.gpu(), [](const auto& x) { return x.gpu.view(); }, static_cast<T>(c.beta));
  run(
      test.cpu(), [](const auto& x) { return x.cpu.view(); }, c.beta);

  const std::string what = "kernel_times " + name_of(kind) + ", n " + std::to_string(c.n) + ", m " +
                           std::to_string(c.m) + ", width " + std::to_string(c.width) + ", columns " +
                           std::to_string(c.cols) + (c.fill == Fill::lower ? ", lower" : "") + ", beta " +
                           std::to_string(c.beta) + (c.given_norms ? ", norms given" : "") + ", padding " +
                           std::to_string(c.pad);
  // G is off by some 1e-7 in float; sin θ, which scales the gradients of the norms, by some times more.
  out.expect_same(what + ": out", tolerance<T>(1e-5));
  // The sums over n rows have as many roundings.
  const double sums = std::max(1.0, std::sqrt(static_cast<double>(c.n) / 1000));
  s_bar.expect_same(what + ": s_bar", tolerance<T>(1e-5 * sums));
  f_t_bar.expect_same(what + ": f_t_bar", tolerance<T>(3e-5));
  f_i_bar.expect_same(what + ": f_i_bar", tolerance<T>(3e-5 * sums), c.fill == Fill::lower);
  s_i_bar.expect_same(what + ": s_i_bar", tolerance<T>(3e-5 * sums));
  if (c.given_norms) s_t_bar.expect_same(what + ": s_t_bar", tolerance<T>(3e-5));
}

TYPED_TEST(CudaKernels, TimesAndItsBackward) {
  for (const std::string& name : names_of<KernelKind>()) {
    const KernelKind kind = value_named<KernelKind>(name).value();
    for (const Index pad : {0, 1}) {
      compare<TypeParam>(*this, kind, {1, 1, 3, 1, Fill::full, 0, false, pad});
      compare<TypeParam>(*this, kind, {7, 5, 9, 3, Fill::full, 1, false, pad});
      compare<TypeParam>(*this, kind, {200, 33, 60, 33, Fill::full, 0, true, pad});
      compare<TypeParam>(*this, kind, {513, 50, 50, 50, Fill::lower, 0, false, pad});
      compare<TypeParam>(*this, kind, {300, 129, 129, 7, Fill::lower, 1, true, pad});
      compare<TypeParam>(*this, kind, {1000, 200, 200, 200, Fill::lower, 0, false, pad});
      compare<TypeParam>(*this, kind, {700, 400, 400, 400, Fill::lower, 1, false, pad});
    }
  }
}

TYPED_TEST(CudaKernels, TimesWithMoreColumnsThanABlockHasThreadsFor) {
  compare<TypeParam>(*this, KernelKind::arccos, {40, 1100, 16, 5, Fill::full, 1, false, 0});
  compare<TypeParam>(*this, KernelKind::arccos, {300, 2057, 16, 5, Fill::full, 0, true, 0});
}

/// Two blocks of rows in float, three in double.
TYPED_TEST(CudaKernels, TimesBlockByBlock) {
  compare<TypeParam>(*this, KernelKind::arccos, {30000, 1000, 8, 5, Fill::full, 1, false, 0});
  compare<TypeParam>(*this, KernelKind::rbf, {27000, 1003, 8, 5, Fill::full, 0, true, 0});
}

/// From 15,000 rows and 256 inducing points on, products leave out the zeros of F_i: strips of 128 columns,
/// and a last one of 64 to 191.
TYPED_TEST(CudaKernels, TimesInStripsOfColumns) {
  compare<TypeParam>(*this, KernelKind::arccos, {14999, 256, 256, 5, Fill::lower, 0, false, 0});
  compare<TypeParam>(*this, KernelKind::arccos, {15000, 255, 255, 5, Fill::lower, 1, false, 1});
  compare<TypeParam>(*this, KernelKind::arccos, {15000, 256, 256, 5, Fill::lower, 0, false, 0});
  compare<TypeParam>(*this, KernelKind::rbf, {15001, 257, 257, 5, Fill::lower, 1, true, 1});
  compare<TypeParam>(*this, KernelKind::arccos, {15000, 330, 330, 5, Fill::lower, 1, false, 0});
}

TYPED_TEST(CudaKernels, TimesWithoutRowsClearsWhatItAssigns) {
  compare<TypeParam>(*this, KernelKind::arccos, {0, 7, 7, 3, Fill::full, 1, false, 0});
}

/// Equal, opposite and zero rows: cos θ is ±1 or undefined, and nothing may become infinite or NaN.
TYPED_TEST(CudaKernels, ArcCosineStaysBoundedAtTheEndsOfItsRange) {
  using T = TypeParam;
  const Index m = 6, width = 4, n = 6;
  auto f = features<T>(m, width, 62);
  for (Index c = 0; c < width; ++c) {
    f[2 * width + c] = f[3 * width + c] = f[c];
    f[4 * width + c] = -f[c];
  }
  const auto f_t = this->twin(n, width, f), f_i = this->twin(m, width, f), s = this->random(m, m, 63);
  const auto norms = this->twin(1, m, norms_of<T>(f, m, width)), out = this->blank(n, m);
  const auto out_bar = this->random(n, m, 64), s_bar = this->blank(m, m), f_t_bar = this->blank(n, width);
  const auto f_i_bar = this->random(m, width, 65), s_i_bar = this->random(1, m, 66);
  const auto run = [&](auto& backend, auto pick, auto zero) {
    const auto none = decltype(pick(s_i_bar)){};
    backend.kernel_times(KernelKind::arccos, pick(f_t), pick(norms), pick(f_i), pick(norms), Fill::full,
                         pick(s), pick(out));
    backend.kernel_times_backward(KernelKind::arccos, pick(f_t), pick(norms), pick(f_i), pick(norms),
                                  Fill::full, pick(s), pick(out_bar), pick(s_bar), zero, pick(f_t_bar),
                                  pick(f_i_bar), pick(s_i_bar), none);
  };
  run(
      this->gpu(), [](const auto& x) { return x.gpu.view(); }, T(0));
  run(
      this->cpu(), [](const auto& x) { return x.cpu.view(); }, 0.0);
  // At cos θ = 1 − δ, sin θ is √2δ: δ of a rounding error makes 5e-4 of it in float, 3e-8 in double.
  const double slope = std::is_same_v<T, float> ? 2e-3 : 1e-7;
  out.expect_same("arc-cosine of equal rows: out", tolerance<T>(1e-5));
  s_bar.expect_same("arc-cosine of equal rows: s_bar", tolerance<T>(1e-5));
  f_t_bar.expect_same("arc-cosine of equal rows: f_t_bar", slope);
  f_i_bar.expect_same("arc-cosine of equal rows: f_i_bar", slope);
  s_i_bar.expect_same("arc-cosine of equal rows: s_i_bar", slope);
}

}  // namespace
}  // namespace gdkm
