#include "tests/linalg/backend_cases.hpp"

namespace gdkm::testing {
namespace {

/// Rows of about unit length: all kernels then have values and slopes of about 1. Row 1 of nine or more is
/// zero, which has a gradient by convention alone.
template <class T>
Placed<T> features(Trial<T>& t, std::uint64_t seed, Index rows, Index cols, Fill fill = Fill::full) {
  auto f = numbers<float>(rows * cols, seed, 1 / std::sqrt(static_cast<double>(cols)));
  if (rows > 8) std::fill_n(f.begin() + cols, cols, 0.0);
  if (fill == Fill::lower) {
    for (Index r = 0; r < rows; ++r) std::fill(f.begin() + r * cols + r + 1, f.begin() + (r + 1) * cols, 0.0);
    if (rows > 2) f[cols] = 0.5;
  }
  return t.given(rows, cols, f);
}

/// Computed on the host: what two backends round differently here would show a hundredfold in gradients.
template <class T>
std::vector<double> norms_of(const Trial<T>& t, const Placed<T>& f, double factor = 1) {
  std::vector<double> s;
  for (Index r = 0; r < f.rows(); ++r) {
    double sum = 0;
    for (Index c = 0; c < f.cols(); ++c) sum += f.values()[r * f.cols() + c] * f.values()[r * f.cols() + c];
    s.push_back(factor * std::sqrt(sum));
  }
  return t.rounded(s);
}

template <class T>
void kernel_matrix(Trial<T>& t, KernelKind kind, Index m) {
  const auto f = features(t, 51, m, m / 2 + 3);
  std::vector<double> gram(static_cast<std::size_t>(m * m)), weights = numbers<float>(m * m, 52);
  for (Index r = 0; r < m; ++r) {
    for (Index c = 0; c <= r; ++c) {
      double sum = 0;
      for (Index k = 0; k < f.cols(); ++k) sum += f.values()[r * f.cols() + k] * f.values()[c * f.cols() + k];
      gram[r * m + c] = gram[c * m + r] = sum;
      weights[c * m + r] = weights[r * m + c];
    }
  }
  const auto g = t.given(m, m, t.rounded(gram)), s = t.given(1, m, norms_of(t, f));
  const auto k = t.blank(m, m), k_bar = t.given(m, m, weights), g_bar = t.blank(m, m);
  const auto s_bar = t.random(1, m), f_bar = t.random(m, f.cols());
  t.call("kernel_matrix", {0, static_cast<double>(2 * m * m)},
         [&] { t.backend.kernel_matrix(kind, g, s, k); });
  t.output("K", k, 1e-6);
  t.add_loss(k_bar, k);
  t.call("kernel_matrix_backward", {0, static_cast<double>(3 * m * m)},
         [&] { t.backend.kernel_matrix_backward(kind, g, s, k_bar, g_bar, s_bar); });
  t.output("g_bar", g_bar, 1e-6);
  t.output("s_bar", s_bar, 5e-6);
  // What reaches the features by way of the Gram matrix and of the norms.
  std::vector<double> norms_bar = s_bar.to_host();
  for (std::size_t j = 0; j < norms_bar.size(); ++j) norms_bar[j] -= s_bar.values()[j];
  t.backend.gemm(T(2), Op::none, g_bar, Op::none, f, T(1), f_bar);
  t.backend.row_norms_backward(f, s, t.given(1, m, norms_bar), f_bar);
  t.gradient(f, f_bar, Bar::added);
}

struct Shape {
  Index n, m, width, cols;
  Fill fill = Fill::full;
  double beta = 0;
  bool given_norms = false;  // s_t is not ‖F_t‖, and receives a gradient of its own
  bool kept = false;         // the backward pass has F_t F_iᵀ
};

template <class T>
void kernel_times(Trial<T>& t, KernelKind kind, const Shape& c) {
  const auto f_t = features(t, 54, c.n, c.width), f_i = features(t, 55, c.m, c.width, c.fill);
  const auto s_t = t.given(1, c.n, norms_of(t, f_t, c.given_norms ? 1.25 : 1));
  const auto s_i = t.given(1, c.m, norms_of(t, f_i));
  const auto s = t.random(c.m, c.cols), out_bar = t.random(c.n, c.cols);
  const auto out = t.blank(c.n, c.cols), s_bar = t.blank(c.m, c.cols), f_t_bar = t.old(c.beta, c.n, c.width);
  const auto f_i_bar = t.random(c.m, c.width), s_i_bar = t.random(1, c.m);
  const auto s_t_bar = t.random(c.given_norms ? 1 : 0, c.n);
  const auto kept = t.blank(c.kept ? c.n : 0, c.m);
  const double product = static_cast<double>(c.n * c.m) * static_cast<double>(c.width + c.cols);
  t.call("kernel_times", {(c.fill == Fill::lower ? 1.5 : 2) * product, static_cast<double>(2 * c.n * c.m)},
         [&] { t.backend.kernel_times(kind, f_t, s_t, f_i, s_i, c.fill, s, out, kept); });
  t.call("kernel_times_backward",
         {(c.fill == Fill::lower ? 3.5 : 5) * product, static_cast<double>(3 * c.n * c.m)}, [&] {
           t.backend.kernel_times_backward(kind, f_t, s_t, f_i, s_i, c.fill, s, out_bar, s_bar, T(c.beta),
                                           f_t_bar, f_i_bar, s_i_bar, s_t_bar, kept);
         });
  // G is off by some 1e-7 in float; sin θ, which scales the gradients of the norms, by some times more. Sums
  // over n rows have as many roundings.
  const double sums = std::max(1.0, std::sqrt(static_cast<double>(c.n) / 1000));
  t.output("out", out, 1e-5);
  if (c.kept) t.output("kept", kept, 1e-6);
  t.output("s_bar", s_bar, 1e-5 * sums);
  t.output("f_t_bar", f_t_bar, 3e-5);
  t.output("f_i_bar", f_i_bar, 3e-5 * sums, c.fill == Fill::lower ? Region::lower : Region::all);
  t.output("s_i_bar", s_i_bar, 3e-5 * sums);
  if (c.given_norms) t.output("s_t_bar", s_t_bar, 3e-5);
  t.add_loss(out_bar, out);
  t.gradient(s, s_bar, Bar::assigned);
  if (c.given_norms || c.fill == Fill::lower) return;
  // s_i is ‖F_i‖: what reaches it reaches F_i.
  std::vector<double> norms_bar = s_i_bar.to_host();
  for (std::size_t j = 0; j < norms_bar.size(); ++j) norms_bar[j] -= s_i_bar.values()[j];
  t.backend.row_norms_backward(f_i, s_i, t.given(1, c.m, norms_bar), f_i_bar);
  t.gradient(f_t, f_t_bar, c.beta == 0 ? Bar::assigned : Bar::added);
  t.gradient(f_i, f_i_bar, Bar::added);
}

/// Equal, opposite and zero rows: cos θ is ±1 or undefined, and nothing may become infinite or NaN.
template <class T>
void at_the_ends_of_the_range(Trial<T>& t) {
  const Index m = 6, width = 4;
  auto values = numbers<float>(m * width, 62, 0.5);
  for (Index c = 0; c < width; ++c) {
    values[width + c] = 0;
    values[2 * width + c] = values[3 * width + c] = values[c];
    values[4 * width + c] = -values[c];
  }
  const auto f = t.given(m, width, values), norms = t.given(1, m, norms_of(t, f)), s = t.random(m, m);
  const auto out = t.blank(m, m), out_bar = t.random(m, m), s_bar = t.blank(m, m),
             f_t_bar = t.blank(m, width);
  const auto f_i_bar = t.random(m, width), s_i_bar = t.random(1, m);
  t.call("kernel_times", {},
         [&] { t.backend.kernel_times(KernelKind::arccos, f, norms, f, norms, Fill::full, s, out); });
  t.call("kernel_times_backward", {}, [&] {
    t.backend.kernel_times_backward(KernelKind::arccos, f, norms, f, norms, Fill::full, s, out_bar, s_bar,
                                    T(0), f_t_bar, f_i_bar, s_i_bar, {});
  });
  // At cos θ = 1 − δ, sin θ is √2δ: δ of a rounding error makes 5e-4 of it in float, 3e-8 in double.
  t.output("out", out, 1e-5, Region::all, 1e-11);
  t.output("s_bar", s_bar, 1e-5, Region::all, 1e-11);
  t.output("f_t_bar", f_t_bar, 2e-3, Region::all, 1e-7);
  t.output("f_i_bar", f_i_bar, 2e-3, Region::all, 1e-7);
  t.output("s_i_bar", s_i_bar, 2e-3, Region::all, 1e-7);
}

}  // namespace

void add_kernel_cases(Cases& cases) {
  const auto times = [&](KernelKind kind, const Shape& c, bool timed_only = false) {
    const double work = static_cast<double>(c.n * c.m) * static_cast<double>(c.width + c.cols);
    cases.add(
        "kernel_times", {c.n, c.m, c.width, c.cols},
        name_of(kind) + (c.fill == Fill::lower ? ", lower" : "") + (c.beta != 0 ? ", added" : "") +
            (c.given_norms ? ", norms given" : "") + (c.kept ? ", kept" : ""),
        work, [=](auto& t) { kernel_times(t, kind, c); }, timed_only);
  };
  for (const std::string& name : names_of<KernelKind>()) {
    const KernelKind kind = *value_named<KernelKind>(name);
    for (const Index m : {1, 7, 33, 200, 400, 513}) {
      cases.add("kernel_matrix", {m}, name_of(kind), static_cast<double>(m * m) * static_cast<double>(m),
                [=](auto& t) { kernel_matrix(t, kind, m); });
    }
    times(kind, {1, 1, 3, 1});
    times(kind, {7, 5, 9, 3, Fill::full, 1});
    times(kind, {200, 33, 60, 33, Fill::full, 0, true});
    times(kind, {513, 50, 50, 50, Fill::lower});
    times(kind, {513, 50, 50, 50, Fill::lower, 0, false, true});
    times(kind, {77, 9, 33, 12, Fill::full, 1, true, true});
    times(kind, {300, 129, 129, 7, Fill::lower, 1, true});
    times(kind, {1000, 200, 200, 200, Fill::lower});
    times(kind, {700, 400, 400, 400, Fill::lower, 1});
  }
  // More columns than a block of a GPU has threads for.
  times(KernelKind::arccos, {40, 1100, 16, 5, Fill::full, 1});
  times(KernelKind::arccos, {300, 2057, 16, 5, Fill::full, 0, true});
  // Two blocks of rows on a GPU in float, three in double.
  times(KernelKind::arccos, {30000, 1000, 8, 5, Fill::full, 1});
  times(KernelKind::rbf, {27000, 1003, 8, 5, Fill::full, 0, true});
  // From 15,000 rows and 256 inducing points on, products on a GPU leave out the zeros of F_i: strips of 128
  // columns, and a last one of 64 to 191.
  times(KernelKind::arccos, {14999, 256, 256, 5, Fill::lower});
  times(KernelKind::arccos, {15000, 255, 255, 5, Fill::lower, 1});
  times(KernelKind::arccos, {15000, 256, 256, 5, Fill::lower});
  times(KernelKind::rbf, {15001, 257, 257, 5, Fill::lower, 1, true});
  times(KernelKind::arccos, {15000, 330, 330, 5, Fill::lower, 1});
  // Products that split their factors.
  times(KernelKind::arccos, {1100, 60, 52, 48, Fill::full, 1});
  times(KernelKind::rbf, {1500, 104, 104, 80, Fill::lower, 0, true});
  times(KernelKind::arccos, {9000, 400, 128, 400});
  times(KernelKind::arccos, {9000, 400, 128, 400, Fill::full, 0, false, true});
  times(KernelKind::arccos, {0, 7, 7, 3, Fill::full, 1});
  cases.add("kernel_times", {6, 6}, "equal, opposite and zero rows", 200,
            [](auto& t) { at_the_ends_of_the_range(t); });

  for (const auto& [n, m] : step_shapes) {
    times(KernelKind::arccos, {n, m, m, m, Fill::lower}, true);
    times(KernelKind::arccos, {n, m, m, m, Fill::lower, 0, false, true}, true);
    cases.add(
        "kernel_matrix", {m}, "", 0, [m = m](auto& t) { kernel_matrix(t, KernelKind::arccos, m); }, true);
  }
}

}  // namespace gdkm::testing
