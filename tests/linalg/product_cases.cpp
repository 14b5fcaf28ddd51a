#include "tests/linalg/backend_cases.hpp"

namespace gdkm::testing {
namespace {

/// Sums of k products of normal numbers are about √k, with as many rounding errors.
double sum_tolerance(Index terms) {
  return 1e-7 * (8 + std::sqrt(static_cast<double>(terms)));
}

double product(Index m, Index n, Index k) {
  return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

template <class T>
Placed<T> lower_triangular(Trial<T>& t, Index m) {
  const Placed<T> l = t.random(m, m);
  t.backend.keep_lower(l, T(1));
  return l;
}

template <class T>
void gemm(Trial<T>& t, Index m, Index n, Index k, Op op_a, Op op_b, double alpha, double beta) {
  const auto a = op_a == Op::none ? t.random(m, k) : t.random(k, m);
  const auto b = op_b == Op::none ? t.random(k, n) : t.random(n, k);
  const auto c = t.old(beta, m, n);
  t.call("gemm", {2 * product(m, n, k), static_cast<double>(m * k + k * n + m * n)},
         [&] { t.backend.gemm(T(alpha), op_a, a, op_b, b, T(beta), c); });
  t.output("C", c, sum_tolerance(k));
}

/// A triangle times a triangle, then a full matrix times a triangle is taken away.
template <class T>
void gemm_part(Trial<T>& t, Index m, Op op, Region wanted) {
  const auto l = lower_triangular(t, m), b = t.random(m, m), c = t.random(m, m);
  const Factor<T> left{op, l.view(), op == Op::none ? Region::lower : Region::upper};
  t.call("gemm_part", {}, [&] {
    t.backend.gemm_part(T(2), left, {Op::none, l.view(), Region::lower}, T(0.5), c, wanted);
    t.backend.gemm_part(T(-1), {Op::none, b.view()}, left, T(1), c, wanted);
  });
  t.output("C", c, sum_tolerance(m), wanted);
}

template <class T>
void gram(Trial<T>& t, Index m, Index d) {
  const auto f = t.random(m, d), g = t.blank(m, m);
  t.call("gram", {product(m, m, d), static_cast<double>(m * d + m * m)}, [&] { t.backend.gram(f, g); });
  t.output("G", g, sum_tolerance(d));
  const auto got = g.to_host();
  for (Index r = 0; r < m; ++r) {
    for (Index c = 0; c < r; ++c) ASSERT_EQ(got[r * m + c], got[c * m + r]) << r << ", " << c;
  }
}

template <class T>
void times_lower(Trial<T>& t, Index n, Index m, Op op) {
  const auto a = t.random(n, m), l = lower_triangular(t, m), c = t.blank(n, m);
  t.call("times_lower", {product(n, m, m), static_cast<double>(2 * n * m)},
         [&] { t.backend.times_lower(a, op, l, c); });
  t.output("C", c, sum_tolerance(m));
}

template <class T>
void lower_product(Trial<T>& t, Index n, Index m, double beta) {
  const auto a = t.random(n, m), b = t.random(n, m), c = t.old(beta, m, m);
  t.call("lower_product", {product(n, m, m), static_cast<double>(2 * n * m)},
         [&] { t.backend.lower_product(a, b, T(beta), c); });
  t.output("C", c, sum_tolerance(n), Region::lower);
}

/// Well-conditioned: with more columns than rows. Singular and broken matrices have tests of their own
/// (cholesky_cases.hpp).
template <class T>
void cholesky(Trial<T>& t, Index m, Index d, bool of_gram) {
  const auto f = t.random(m, d, 1 / std::sqrt(static_cast<double>(d)));
  const auto k = t.blank(m, m), h = t.blank(m, m), inverse = t.blank(m, m), used = t.blank(1, 1);
  const double jitter = of_gram ? 1e-3 : 1e-2;
  t.backend.gram(f, k);
  const Cost cost{product(m, m, m) / 3, static_cast<double>(2 * m * m)};
  if (of_gram) {
    t.call("cholesky_of_gram", cost, [&] { t.backend.cholesky_of_gram(f, T(jitter), h, inverse, used); });
  } else {
    t.call("cholesky", cost, [&] { t.backend.cholesky(k, T(jitter), h, inverse, used); });
  }
  t.output("H", h, 2e-5);
  t.output("the inverse", inverse, 2e-5);
  t.output("the jitter used", used, 1e-7);
}

/// A factor with a large diagonal. Above it are numbers that are not to be read.
template <class T>
void solve_lower(Trial<T>& t, Index m, Index n, Op op) {
  std::vector<double> values(static_cast<std::size_t>(m * m));
  for (Index r = 0; r < m; ++r) {
    for (Index c = 0; c < m; ++c) {
      double& value = values[static_cast<std::size_t>(r * m + c)];
      if (c > r) value = std::nan("");
      if (c < r) value = (r * 7 + c * 3) % 5 == 0 ? 0.25 : -0.125;
      if (c == r) value = 2 + 0.5 * static_cast<double>(r % 3);
      if (c + 8 < r) value /= static_cast<double>(m);
    }
  }
  const auto l = t.given(m, m, values), b = t.random(m, n);
  t.call("solve_lower", {product(m, m, n), static_cast<double>(2 * n * m)},
         [&] { t.backend.solve_lower(op, l, b); });
  t.output("X", b, sum_tolerance(m));
}

}  // namespace

void add_product_cases(Cases& cases) {
  // Rows shared, columns shared, the inner sum shared, and too small to share.
  const Index sizes[][3] = {
      {1, 1, 1},       {5, 3, 4},        {7, 5, 3},        {33, 65, 17},    {700, 40, 33},   {40, 700, 33},
      {300, 1, 300},   {35, 30, 3000},   {200, 200, 200},  {400, 400, 400}, {513, 129, 257}, {1, 400, 400},
      {5000, 33, 400}, {33, 200, 5000},  {400, 1, 1433},   {6, 4, 0},       {0, 4, 6},       {1029, 52, 60},
      {60, 52, 1030},  {1300, 200, 148}, {148, 300, 2100}, {1024, 128, 640}};
  int turn = 0;
  for (const auto& [m, n, k] : sizes) {
    for (const Op op_a : {Op::none, Op::transpose}) {
      for (const Op op_b : {Op::none, Op::transpose}) {
        const double alpha = turn % 2 == 0 ? 1 : -2, beta = turn % 3 == 0 ? 0 : (turn % 3 == 1 ? 1 : 0.5);
        const std::string ops = std::string(op_a == Op::none ? "A" : "A'") + (op_b == Op::none ? "B" : "B'");
        cases.add("gemm", {m, n, k}, ops, product(m, n, k),
                  [=, m = m, n = n, k = k](auto& t) { gemm(t, m, n, k, op_a, op_b, alpha, beta); });
        ++turn;
      }
    }
  }
  for (const Region wanted : {Region::all, Region::lower, Region::upper}) {
    for (const Op op : {Op::none, Op::transpose}) {
      for (const Index m : {7, 163, 400}) {
        cases.add("gemm_part", {m, m}, "region " + std::to_string(static_cast<int>(wanted)),
                  2 * product(m, m, m), [=](auto& t) { gemm_part(t, m, op, wanted); });
      }
    }
  }
  for (const auto& [m, d] : {std::pair<Index, Index>{1, 1},
                             {7, 20},
                             {33, 5},
                             {64, 65},
                             {130, 130},
                             {200, 1433},
                             {400, 400},
                             {513, 64},
                             {900, 130}}) {
    cases.add("gram", {m, d}, "", product(m, m, d) / 4, [m = m, d = d](auto& t) { gram(t, m, d); });
  }
  // From 1,024 rows on, CUDA splits factors on some GPUs, in float; on others it multiplies by strips from
  // 15,000 rows and 256 columns on.
  const std::pair<Index, Index> triangular[] = {
      {1, 1},      {7, 5},       {7, 33},      {64, 65},     {900, 130},   {64, 513},   {1100, 60},
      {5000, 200}, {14999, 256}, {15000, 255}, {15000, 256}, {15001, 257}, {15000, 330}};
  for (const auto& [n, m] : triangular) {
    for (const Op op : {Op::none, Op::transpose}) {
      cases.add("times_lower", {n, m}, op == Op::none ? "L" : "L'", product(n, m, m),
                [=, n = n, m = m](auto& t) { times_lower(t, n, m, op); });
    }
    for (const double beta : {0.0, 1.0, 0.5}) {
      cases.add("lower_product", {n, m}, "beta " + std::to_string(beta), product(n, m, m),
                [=, n = n, m = m](auto& t) { lower_product(t, n, m, beta); });
    }
  }
  for (const Index m : {1, 2, 7, 31, 32, 33, 48, 49, 64, 65, 130, 200, 257, 400, 512, 513, 640, 641, 1100}) {
    cases.add("cholesky", {m}, "", product(m, m, m), [m](auto& t) { cholesky(t, m, 2 * m + 5, false); });
  }
  for (const auto& [m, n] :
       {std::pair<Index, Index>{1, 1}, {7, 5}, {33, 1}, {64, 65}, {130, 700}, {513, 40}}) {
    for (const Op op : {Op::none, Op::transpose}) {
      cases.add("solve_lower", {m, n}, op == Op::none ? "L" : "L'", product(m, m, n),
                [=, m = m, n = n](auto& t) { solve_lower(t, m, n, op); });
    }
  }
  for (const auto& [m, d] :
       {std::pair<Index, Index>{1, 1}, {7, 3}, {20, 33}, {33, 100}, {45, 70}, {200, 450}}) {
    cases.add("cholesky_of_gram", {m, d}, "", product(m, m, d),
              [m = m, d = d](auto& t) { cholesky(t, m, d, true); });
  }

  for (const auto& [n, m] : step_shapes) {
    const auto time = [&, n = n, m = m](const char* primitive, const char* more, auto body) {
      cases.add(primitive, {n, m}, more, product(n, m, m), body, true);
    };
    time("gemm", "n x m x m", [n = n, m = m](auto& t) { gemm(t, n, m, m, Op::none, Op::none, 1, 0); });
    time("gemm", "m x n x m", [n = n, m = m](auto& t) { gemm(t, m, m, n, Op::transpose, Op::none, 1, 0); });
    time("gemm", "m x m x m", [m = m](auto& t) { gemm(t, m, m, m, Op::none, Op::none, 1, 0); });
    time("gram", "m x m", [m = m](auto& t) { gram(t, m, m); });
    time("times_lower", "", [n = n, m = m](auto& t) { times_lower(t, n, m, Op::none); });
    time("lower_product", "", [n = n, m = m](auto& t) { lower_product(t, n, m, 0); });
    time("cholesky", "m x m", [m = m](auto& t) { cholesky(t, m, m + 9, false); });
  }
}

}  // namespace gdkm::testing
