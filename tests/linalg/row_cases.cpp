#include "tests/linalg/backend_cases.hpp"

namespace gdkm::testing {
namespace {

constexpr std::pair<Index, Index> row_shapes[] = {{1, 1},    {7, 5},    {33, 200},  {200, 33}, {5000, 50},
                                                  {2000, 7}, {1, 4814}, {513, 129}, {0, 4}};

template <class T>
void row_norms(Trial<T>& t, Index rows, Index cols) {
  auto values = numbers<float>(rows * cols, 21);
  if (rows > 2) std::fill_n(values.begin() + cols, cols, 0.0);  // a zero row has no direction
  const auto f = t.given(rows, cols, values), s = t.blank(1, rows);
  const auto s_bar = t.random(1, rows), f_bar = t.random(rows, cols);
  t.call("row_norms", {0, static_cast<double>(rows * cols)}, [&] { t.backend.row_norms(f, s); });
  t.output("s", s, 2e-6);
  t.call("row_norms_backward", {0, static_cast<double>(3 * rows * cols)},
         [&] { t.backend.row_norms_backward(f, s, s_bar, f_bar); });
  t.output("f_bar", f_bar, 5e-6);
  t.add_loss(s_bar, s);
  t.gradient(f, f_bar, Bar::added);
}

template <class T>
void scale_rows(Trial<T>& t, Index rows, Index cols) {
  const auto s = t.random(1, rows), a = t.random(rows, cols), out = t.blank(rows, cols);
  t.call("scale_rows", {0, static_cast<double>(2 * rows * cols)}, [&] { t.backend.scale_rows(s, a, out); });
  t.output("out", out, 5e-7);
}

template <class T>
void add_row(Trial<T>& t, Index rows, Index cols) {
  const auto row = t.random(1, cols), a = t.random(rows, cols);
  t.call("add_row", {}, [&] { t.backend.add_row(T(-0.5), row, a); });
  t.output("A", a, 5e-7);
}

template <class T>
void column_sums(Trial<T>& t, Index rows, Index cols, double beta) {
  const auto a = t.random(rows, cols), sums = t.old(beta, 1, cols);
  t.call("column_sums", {0, static_cast<double>(rows * cols)},
         [&] { t.backend.column_sums(T(2), a, T(beta), sums); });
  t.output("sums", sums, 2e-6 * std::max(1.0, std::sqrt(static_cast<double>(rows)) / 40));
}

/// Every other row, from the last one back; then they are added to the rows of another matrix.
template <class T>
void gather_rows(Trial<T>& t, Index rows, Index cols) {
  std::vector<std::int32_t> host;
  for (Index r = rows - 1; r >= 0; r -= 2) host.push_back(static_cast<std::int32_t>(r));
  const auto index = t.indices(host);
  const auto count = static_cast<Index>(host.size());
  const auto a = t.random(rows, cols), out = t.blank(count, cols), b = t.random(rows, cols);
  t.call("gather_rows", {}, [&] { t.backend.gather_rows(a, index.data(), out); });
  t.output("gathered", out, 0, Region::all, 0);
  t.call("scatter_rows", {}, [&] { t.backend.scatter_rows(out, index.data(), b); });
  t.output("scattered", b, 2e-7);
}

template <class T>
void positive_lower(Trial<T>& t, Index m) {
  const auto raw = t.random(m, m, 0.5), l = t.blank(m, m);
  t.call("positive_lower", {0, static_cast<double>(2 * m * m)}, [&] { t.backend.positive_lower(raw, l); });
  t.output("L", l, 5e-7);
  const auto again = t.blank(m, m);
  t.call("lower_parameter", {}, [&] { t.backend.lower_parameter(l, again); });
  t.output("raw", again, 2e-6);
  // What is above the diagonal of a gradient may be anything: NaN must not come through.
  auto bar = numbers<float>(m * m, 32);
  for (Index r = 0; r < m; ++r)
    std::fill(bar.begin() + r * m + r + 1, bar.begin() + (r + 1) * m, std::nan(""));
  const auto l_bar = t.given(m, m, bar), raw_bar = t.random(m, m);
  t.call("positive_lower_backward", {}, [&] { t.backend.positive_lower_backward(l, l_bar, raw_bar); });
  t.output("raw_bar", raw_bar, 5e-7);
  for (double& x : bar) x = std::isnan(x) ? 0 : x;
  t.add_loss(t.given(m, m, bar), l);
  t.gradient(raw, raw_bar, Bar::added);
}

template <class T>
void normal_kl(Trial<T>& t, Index m) {
  auto values = numbers<float>(m * m, 34, 0.5);
  for (Index r = 0; r < m; ++r) {
    std::fill(values.begin() + r * m + r + 1, values.begin() + (r + 1) * m, 0.0);
    values[r * m + r] = 0.5 + std::fabs(values[r * m + r]);
  }
  const auto l = t.given(m, m, t.rounded(values)), l_bar = t.random(m, m), value = t.blank(1, 1);
  t.call("normal_kl", {0, static_cast<double>(3 * m * m)},
         [&] { t.backend.normal_kl(l, T(-0.25), l_bar, value); });
  t.output("value", value, 2e-6);
  t.output("l_bar", l_bar, 2e-6);
  t.add_loss(-0.25, value);
  t.gradient(l, l_bar, Bar::added);
}

}  // namespace

void add_row_cases(Cases& cases) {
  for (const auto& [rows, cols] : row_shapes) {
    const double size = static_cast<double>(rows * cols);
    const std::vector<Index> shape{rows, cols};
    cases.add("row_norms", shape, "", size,
              [rows = rows, cols = cols](auto& t) { row_norms(t, rows, cols); });
    cases.add("scale_rows", shape, "", size,
              [rows = rows, cols = cols](auto& t) { scale_rows(t, rows, cols); });
    cases.add("add_row", shape, "", size, [rows = rows, cols = cols](auto& t) { add_row(t, rows, cols); });
    for (const double beta : {0.0, 0.5}) {
      cases.add("column_sums", shape, "beta " + std::to_string(beta), size,
                [=, rows = rows, cols = cols](auto& t) { column_sums(t, rows, cols, beta); });
    }
    if (rows > 0) {
      cases.add("gather_rows", shape, "", size,
                [rows = rows, cols = cols](auto& t) { gather_rows(t, rows, cols); });
    }
  }
  cases.add("column_sums", {40000, 41}, "", 1.6e6, [](auto& t) { column_sums(t, 40000, 41, 0); });
  for (const Index m : {1, 7, 33, 200, 513}) {
    const double size = static_cast<double>(m * m);
    cases.add("positive_lower", {m, m}, "", size, [m](auto& t) { positive_lower(t, m); });
    cases.add("normal_kl", {m, m}, "", size, [m](auto& t) { normal_kl(t, m); });
  }

  for (const auto& [n, m] : step_shapes) {
    const auto time = [&, n = n, m = m](const char* primitive, const char* more, auto body) {
      cases.add(primitive, {n, m}, more, static_cast<double>(n * m), body, true);
    };
    time("row_norms", "", [n = n, m = m](auto& t) { row_norms(t, n, m); });
    time("column_sums", "", [n = n, m = m](auto& t) { column_sums(t, n, m, 0); });
    time("positive_lower", "m x m", [m = m](auto& t) { positive_lower(t, m); });
    time("normal_kl", "m x m", [m = m](auto& t) { normal_kl(t, m); });
  }
}

}  // namespace gdkm::testing
