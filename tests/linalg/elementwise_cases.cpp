#include "tests/linalg/backend_cases.hpp"

namespace gdkm::testing {
namespace {

template <class T>
void add(Trial<T>& t, Index rows, Index cols, double alpha, double beta) {
  const auto a = t.random(rows, cols), c = t.old(beta, rows, cols);
  t.call("add", {0, static_cast<double>((beta == 0 ? 2 : 3) * rows * cols)},
         [&] { t.backend.add(T(alpha), a, T(beta), c); });
  t.output("C", c, 5e-7);
}

template <class T>
void add_in_place(Trial<T>& t) {
  const auto c = t.random(70, 33);
  t.call("add", {}, [&] { t.backend.add(T(0.5), c, T(0), c); });
  t.output("C", c, 5e-7);
}

template <class T>
void add_exp_scaled(Trial<T>& t, double beta) {
  const auto exponent = t.given(1, 1, {0.75}), a = t.random(33, 50), c = t.old(beta, 33, 50);
  t.call("add_exp_scaled", {}, [&] { t.backend.add_exp_scaled(T(0.5), exponent, a, T(beta), c); });
  t.output("C", c, 5e-7);
}

template <class T>
void log_softmax(Trial<T>& t, Index count) {
  const auto raw = t.random(1, count), out = t.blank(1, count);
  t.call("log_softmax", {}, [&] { t.backend.log_softmax(raw, out); });
  t.output("out", out, 1e-6);
}

template <class T>
void log_softmax_backward(Trial<T>& t, Index count) {
  const auto raw = t.random(1, count), out = t.blank(1, count), out_bar = t.random(1, count),
             raw_bar = t.old(1, 1, count);
  t.backend.log_softmax(raw, out);
  t.call("log_softmax_backward", {}, [&] { t.backend.log_softmax_backward(out, out_bar, raw_bar); });
  t.output("raw_bar", raw_bar, 2e-6);
}

template <class T>
void fill(Trial<T>& t, Index rows, Index cols) {
  const auto a = t.blank(rows, cols);
  t.call("fill", {0, static_cast<double>(rows * cols)}, [&] { t.backend.fill(a, T(2.5)); });
  t.output("A", a, 0, Region::all, 0);
}

template <class T>
void identity(Trial<T>& t, Index m) {
  const auto a = t.blank(m, m);
  t.call("identity", {}, [&] { t.backend.identity(a); });
  t.output("A", a, 0, Region::all, 0);
}

template <class T>
void transpose(Trial<T>& t, Index rows, Index cols) {
  const auto a = t.random(rows, cols), b = t.blank(cols, rows);
  t.call("transpose", {0, static_cast<double>(2 * rows * cols)}, [&] { t.backend.transpose(a, b); });
  t.output("B", b, 0, Region::all, 0);
}

template <class T>
void anti_transpose(Trial<T>& t, Index m) {
  const auto a = t.random(m, m), b = t.blank(m, m);
  t.call("anti_transpose", {0, static_cast<double>(2 * m * m)}, [&] { t.backend.anti_transpose(a, b); });
  t.output("B", b, 0, Region::all, 0);
}

template <class T>
void keep_lower(Trial<T>& t, Index m) {
  const auto a = t.random(m, m);
  t.call("keep_lower", {}, [&] { t.backend.keep_lower(a, T(0.5)); });
  t.output("A", a, 0, Region::all, 0);
}

template <class T>
void symmetrise(Trial<T>& t, Index m) {
  const auto a = t.random(m, m);
  t.call("symmetrise", {0, static_cast<double>(2 * m * m)}, [&] { t.backend.symmetrise(a); });
  t.output("A", a, 2e-7);
}

template <class T>
void dot(Trial<T>& t, Index rows, Index cols, double beta) {
  const auto a = t.random(rows, cols), b = t.random(rows, cols), value = t.old(beta, 1, 1);
  t.call("dot", {0, static_cast<double>(2 * rows * cols)},
         [&] { t.backend.dot(T(2), a, b, T(beta), value); });
  t.output("value", value, 2e-6);
}

/// Two steps; the second takes its rate and count from a clock on the device.
template <class T>
void adam(Trial<T>& t, Index count) {
  auto squares = numbers<float>(count, 14, 0.1);
  for (double& x : squares) x = x * x + 0.01;
  const auto gradient = t.random(1, count), first = t.random(1, count, 0.1);
  const auto second = t.given(1, count, t.rounded(squares)), parameter = t.random(1, count);
  t.call("adam", {0, static_cast<double>(7 * count)}, [&] {
    t.backend.adam({.rate = 2e-2, .count = 3, .factor = 0.5}, gradient, first, second, parameter);
  });
  const Buffer<Clock> clock(t.backend, 1);
  t.call("set_clock", {}, [&] { t.backend.set_clock(Clock{3e-3, 17, 5}, clock.data()); });
  const AdamStep timed{.rate = 1, .count = 1, .clock = clock.data()};
  t.call("adam", {0, static_cast<double>(7 * count)},
         [&] { t.backend.adam(timed, gradient, first, second, parameter); });
  t.output("first moment", first, 1e-6);
  t.output("second moment", second, 2e-5);  // 1 − 0.999 in float is off by 1.3e-5
  t.output("parameter", parameter, 1e-6);
  t.output("turn of the clock", t.given(1, 1, {static_cast<double>(clock.to_host()[0].turn)}), 0);
}

}  // namespace

void add_elementwise_cases(Cases& cases) {
  for (const auto& [rows, cols] : matrix_shapes) {
    const double size = static_cast<double>(rows * cols);
    const std::vector<Index> shape{rows, cols};
    for (const auto& [alpha, beta] :
         {std::pair{1.0, 0.0}, std::pair{-2.0, 0.0}, std::pair{0.5, 1.0}, std::pair{2.0, -0.25}}) {
      cases.add("add", shape, "beta " + std::to_string(beta), size,
                [=, rows = rows, cols = cols, alpha = alpha, beta = beta](auto& t) {
                  add(t, rows, cols, alpha, beta);
                });
    }
    for (const double beta : {0.0, 0.5}) {
      cases.add("dot", shape, "beta " + std::to_string(beta), size,
                [=, rows = rows, cols = cols](auto& t) { dot(t, rows, cols, beta); });
    }
    cases.add("fill", shape, "", size, [rows = rows, cols = cols](auto& t) { fill(t, rows, cols); });
    cases.add("transpose", shape, "", size,
              [rows = rows, cols = cols](auto& t) { transpose(t, rows, cols); });
  }
  cases.add("add", {70, 33}, "in place", 2310, [](auto& t) { add_in_place(t); });
  cases.add("dot", {3000, 401}, "", 1.2e6, [](auto& t) { dot(t, 3000, 401, 0); });
  for (const double beta : {0.0, 1.0}) {
    cases.add("add_exp_scaled", {33, 50}, "beta " + std::to_string(beta), 1650,
              [beta](auto& t) { add_exp_scaled(t, beta); });
  }
  for (const Index count : {2, 5, 40}) {
    cases.add("log_softmax", {count}, "", static_cast<double>(count),
              [count](auto& t) { log_softmax(t, count); });
    cases.add("log_softmax_backward", {count}, "", static_cast<double>(count),
              [count](auto& t) { log_softmax_backward(t, count); });
  }
  for (const Index m : {1, 7, 31, 32, 33, 64, 200, 401, 513}) {
    const double size = static_cast<double>(m * m);
    cases.add("identity", {m, m}, "", size, [m](auto& t) { identity(t, m); });
    cases.add("anti_transpose", {m, m}, "", size, [m](auto& t) { anti_transpose(t, m); });
    cases.add("keep_lower", {m, m}, "", size, [m](auto& t) { keep_lower(t, m); });
    cases.add("symmetrise", {m, m}, "", size, [m](auto& t) { symmetrise(t, m); });
  }
  for (const Index count : {1, 7, 200, 5001, 40000, 600000}) {
    cases.add("adam", {count}, "", static_cast<double>(count), [count](auto& t) { adam(t, count); });
  }

  for (const auto& [n, m] : step_shapes) {
    const auto time = [&, n = n, m = m](const char* primitive, const char* more, auto body) {
      cases.add(primitive, {n, m}, more, static_cast<double>(n * m), body, true);
    };
    time("add", "", [n = n, m = m](auto& t) { add(t, n, m, 1, 1); });
    time("add", "m x m", [m = m](auto& t) { add(t, m, m, 1, 1); });
    time("fill", "", [n = n, m = m](auto& t) { fill(t, n, m); });
    time("transpose", "m x m", [m = m](auto& t) { transpose(t, m, m); });
    time("symmetrise", "m x m", [m = m](auto& t) { symmetrise(t, m); });
    time("dot", "m x m", [m = m](auto& t) { dot(t, m, m, 0); });
    time("adam", "", [n = n, m = m](auto& t) { adam(t, n * m); });
  }
}

}  // namespace gdkm::testing
