#include "tests/linalg/backend_cases.hpp"

namespace gdkm::testing {
namespace {

constexpr std::pair<Index, Index> shapes[] = {{1, 1},    {7, 1},   {3, 4},    {33, 2},  {200, 3},
                                              {513, 7},  {64, 8},  {1000, 9}, {31, 16}, {77, 17},
                                              {200, 41}, {5, 600}, {5000, 4}, {0, 3}};

template <class T>
Buffer<std::int32_t> labels(Trial<T>& t, Index rows, Index classes) {
  Random random(Stream{70, Purpose::generator, 0});
  std::vector<std::int32_t> label;
  for (Index r = 0; r < rows; ++r)
    label.push_back(static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(classes))));
  return t.indices(label);
}

template <class T>
Placed<T> positive(Trial<T>& t, Index count) {
  auto x = numbers<float>(count, 72);
  for (double& e : x) e = std::fabs(e);
  return t.given(1, count, x);
}

/// `turn`: of a clock on the device, added to the stream's step.
template <class T>
void normals(Trial<T>& t, Index count, std::uint32_t turn) {
  const Buffer<Clock> clock(t.backend, 1);
  t.backend.set_clock(Clock{0, 1, turn}, clock.data());
  Stream stream{123456789012345, Purpose::prediction, 7};
  if (turn > 0) stream.clock = &clock.data()->turn;
  const auto out = t.blank(1, count);
  t.call("normals", {}, [&] { t.backend.normals(stream, out); });
  t.output("out", out, 2e-6);
}

template <class T>
void node_log_likelihood(Trial<T>& t, Index rows, Index classes, Index samples) {
  const auto label = labels(t, rows, classes);
  const auto mean = t.random(rows, classes, 2), deviation = positive(t, rows), value = t.given(1, 1, {0.5});
  const auto mean_bar = t.blank(rows, classes), deviation_bar = t.blank(1, rows);
  const Stream stream{99, Purpose::sampling, 3};
  t.call("node_log_likelihood", {0, static_cast<double>(2 * rows * classes)}, [&] {
    t.backend.node_log_likelihood(mean, deviation, label.data(), 40, samples, stream, T(0.5), value, mean_bar,
                                  deviation_bar);
  });
  t.output("value", value, 2e-6);
  t.output("mean_bar", mean_bar, 5e-6);
  t.output("deviation_bar", deviation_bar, 5e-6);
  t.add_loss(0.5, value);
  t.gradient(mean, mean_bar, Bar::assigned);
  t.gradient(deviation, deviation_bar, Bar::assigned);
}

/// `size`: of the means. Where it is large, items are fitted or misfitted all but surely.
template <class T>
void softmax_moments(Trial<T>& t, Index rows, Index classes, Index pairs, double size) {
  const auto label = labels(t, rows, classes);
  const auto mean = t.random(rows, classes, size), deviation = positive(t, rows),
             value = t.given(1, 1, {0.5});
  const auto residual = t.blank(rows, classes), precision = t.blank(1, rows), curvature = t.blank(1, rows);
  const Stream stream{99, Purpose::sampling, 3};
  t.call("softmax_moments", {0, static_cast<double>(2 * rows * classes)}, [&] {
    t.backend.softmax_moments(mean, deviation, label.data(), 40, pairs, stream, value, residual, precision,
                              curvature);
  });
  t.output("value", value, 2e-6);
  if (classes > 1) {  // of one class they are zero, but for rounding
    t.output("residual", residual, 5e-6);
    t.output("precision", precision, 1e-5);
    t.output("curvature", curvature, 1e-5);
  }
  t.add_loss(1, value);
  t.gradient(mean, residual, Bar::assigned);
}

/// `scale`: of the deviations. The tolerances are the errors of the quadrature.
template <class T>
void softmax_expectations(Trial<T>& t, Index rows, Index classes, double scale) {
  const auto label = labels(t, rows, classes);
  auto spread = numbers<float>(rows, 72);
  for (double& e : spread) e = scale * std::fabs(e);
  const auto mean = t.random(rows, classes, 2 + scale), deviation = t.given(1, rows, t.rounded(spread)),
             value = t.given(1, 1, {0.5});
  const auto residual = t.blank(rows, classes), precision = t.blank(1, rows), curvature = t.blank(1, rows);
  t.call("softmax_expectations", {0, static_cast<double>(2 * rows * classes)}, [&] {
    t.backend.softmax_expectations(mean, deviation, label.data(), value, residual, precision, curvature);
  });
  t.output("value", value, 2e-4, Region::all, 2e-4);
  if (classes == 1) return;  // of one class the others are zero, but for rounding
  t.output("residual", residual, 2e-5, Region::all, 2e-5);
  t.output("precision", precision, 1e-3, Region::all, 1e-3);
  t.output("curvature", curvature, 1e-3, Region::all, 1e-3);
}

template <class T>
void softmax_log_likelihood(Trial<T>& t, Index rows, Index classes, Index samples) {
  const auto label = labels(t, rows, classes);
  const auto logits = t.random(rows, classes * samples, 3), value = t.given(1, 1, {-2.0});
  t.call("softmax_log_likelihood", {0, static_cast<double>(2 * rows * classes * samples)},
         [&] { t.backend.softmax_log_likelihood(logits, label.data(), samples, T(0.5), value); });
  t.output("value", value, 2e-6);
  t.output("gradient", logits, 5e-6);
  t.add_loss(0.5, value);
  t.gradient(logits, logits, Bar::assigned);
}

template <class T>
void gaussian_log_likelihood(Trial<T>& t, Index rows, Index outputs) {
  const auto mean = t.random(rows, outputs), target = t.random(rows, outputs), deviation = positive(t, rows);
  const auto log_noise = t.given(1, 1, {-0.75}), value = t.given(1, 1, {0.25});
  const auto log_noise_bar = t.given(1, 1, {0.125}), mean_bar = t.blank(rows, outputs);
  const auto deviation_bar = t.blank(1, rows);
  t.call("gaussian_log_likelihood", {}, [&] {
    t.backend.gaussian_log_likelihood(mean, deviation, target, log_noise, T(0.5), value, mean_bar,
                                      deviation_bar, log_noise_bar);
  });
  t.output("value", value, 1e-6);
  t.output("mean_bar", mean_bar, 1e-6);
  t.output("deviation_bar", deviation_bar, 1e-6);
  t.output("log_noise_bar", log_noise_bar, 1e-6);
  t.add_loss(0.5, value);
  t.gradient(mean, mean_bar, Bar::assigned);
  t.gradient(deviation, deviation_bar, Bar::assigned);
  t.gradient(log_noise, log_noise_bar, Bar::added);
}

template <class T>
void mean_softmax(Trial<T>& t, Index rows, Index classes, Index samples) {
  const auto mean = t.random(rows, classes, 2), noise = t.random(samples, classes);
  const auto deviation = positive(t, rows), out = t.blank(rows, classes);
  t.call("mean_softmax", {}, [&] { t.backend.mean_softmax(mean, deviation, noise, out); });
  t.output("out", out, 2e-6);
}

}  // namespace

void add_likelihood_cases(Cases& cases) {
  for (const Index count : {1, 3, 4, 7, 1025, 50001}) {
    cases.add("normals", {count}, "", static_cast<double>(count), [count](auto& t) { normals(t, count, 0); });
  }
  cases.add("normals", {999}, "with a clock", 999, [](auto& t) { normals(t, 999, 9); });
  for (const auto& [rows, classes] : shapes) {
    const double size = static_cast<double>(rows * classes);
    const auto add = [&, rows = rows, classes = classes](const char* primitive, Index samples, auto body) {
      cases.add(primitive, {rows, classes}, std::to_string(samples) + " samples",
                static_cast<double>(samples) * size, body);
    };
    for (const Index samples : {1, 4, 7}) {
      add("node_log_likelihood", samples,
          [=, rows = rows, classes = classes](auto& t) { node_log_likelihood(t, rows, classes, samples); });
    }
    for (const Index pairs : {1, 4, 7}) {
      add("softmax_moments", pairs,
          [=, rows = rows, classes = classes](auto& t) { softmax_moments(t, rows, classes, pairs, 2); });
    }
    cases.add("softmax_moments", {rows, classes}, "large means", 4 * size,
              [rows = rows, classes = classes](auto& t) { softmax_moments(t, rows, classes, 4, 5); });
    for (const Index samples : {1, 4}) {
      add("softmax_log_likelihood", samples, [=, rows = rows, classes = classes](auto& t) {
        softmax_log_likelihood(t, rows, classes, samples);
      });
    }
    for (const Index samples : {1, 65}) {
      add("mean_softmax", samples,
          [=, rows = rows, classes = classes](auto& t) { mean_softmax(t, rows, classes, samples); });
    }
    add("gaussian_log_likelihood", 1,
        [rows = rows, classes = classes](auto& t) { gaussian_log_likelihood(t, rows, classes); });
  }

  for (const auto& [rows, classes] :
       {std::pair<Index, Index>{1, 1}, {0, 3}, {33, 2}, {40, 3}, {20, 8}, {9, 17}, {5, 41}}) {
    for (const double scale : {0.0, 0.5, 3.0, 20.0}) {
      cases.add("softmax_expectations", {rows, classes}, "deviations of " + std::to_string(scale), 0,
                [rows = rows, classes = classes, scale](auto& t) {
                  softmax_expectations(t, rows, classes, scale);
                });
    }
  }
  for (const auto& [rows, classes] : {std::pair<Index, Index>{140, 7}, {20777, 2}}) {
    cases.add(
        "softmax_expectations", {rows, classes}, "deviations of 3", 0,
        [rows = rows, classes = classes](auto& t) { softmax_expectations(t, rows, classes, 3); }, true);
  }
  for (const auto& [rows, classes] : {std::pair<Index, Index>{140, 7}, {20777, 2}, {90941, 40}}) {
    cases.add(
        "node_log_likelihood", {rows, classes}, "4 samples", 0,
        [rows = rows, classes = classes](auto& t) { node_log_likelihood(t, rows, classes, 4); }, true);
    cases.add(
        "softmax_moments", {rows, classes}, "4 pairs", 0,
        [rows = rows, classes = classes](auto& t) { softmax_moments(t, rows, classes, 4, 2); }, true);
    cases.add(
        "softmax_log_likelihood", {rows, classes}, "4 samples", 0,
        [rows = rows, classes = classes](auto& t) { softmax_log_likelihood(t, rows, classes, 4); }, true);
  }
}

}  // namespace gdkm::testing
