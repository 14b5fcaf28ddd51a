#include "tests/linalg/backend_cases.hpp"

namespace gdkm::testing {
namespace {

template <class T>
void relu(Trial<T>& t, Index rows, Index cols, double dropout) {
  const auto x = t.dense(rows, cols), bar = t.dense(rows, cols);
  t.call("relu", {}, [&] { t.backend.relu(dropout, Stream{8, Purpose::dropout, 4}, x); });
  t.output("x", x, 2e-7);
  t.add_loss(bar, x);
  t.call("relu_backward", {}, [&] { t.backend.relu_backward(x, dropout, bar); });
  t.output("x_bar", bar, 2e-7);
  t.gradient(x, bar, Bar::assigned);
}

/// Far from zero, and one column is constant.
template <class T>
void column_moments(Trial<T>& t, Index rows, Index cols) {
  auto values = numbers<float>(rows * cols, 83);
  for (double& x : values) x += 50;
  for (Index r = 0; cols > 1 && r < rows; ++r) values[r * cols + cols / 2] = 3;
  const auto x = t.given(rows, cols, t.rounded(values)), mean = t.blank(1, cols), variance = t.blank(1, cols);
  t.call("column_moments", {}, [&] { t.backend.column_moments(x, mean, variance); });
  t.output("mean", mean, 1e-6);
  t.output("variance", variance, 1e-6);
}

template <class T>
void standardise(Trial<T>& t, Index rows, Index cols) {
  const auto x = t.random(rows, cols), bar = t.random(rows, cols);
  // On the host, so that backends do not differ in them already.
  std::vector<double> means, variances;
  for (Index c = 0; c < cols; ++c) {
    double mean = 0, variance = 0;
    const auto at = [&](Index r) { return x.values()[r * cols + c]; };
    for (Index r = 0; r < rows; ++r) mean += at(r) / static_cast<double>(rows);
    for (Index r = 0; r < rows; ++r) variance += (at(r) - mean) * (at(r) - mean) / static_cast<double>(rows);
    means.push_back(mean);
    variances.push_back(variance);
  }
  const auto mean = t.given(1, cols, t.rounded(means)), variance = t.given(1, cols, t.rounded(variances));
  t.call("standardise", {}, [&] { t.backend.standardise(mean, variance, T(0.01), x); });
  t.output("x", x, 2e-6);
  t.add_loss(bar, x);
  t.call("standardise_backward", {}, [&] { t.backend.standardise_backward(x, variance, T(0.01), bar); });
  t.output("x_bar", bar, 2e-5);
  t.gradient(x, bar, Bar::assigned);
}

template <class T>
void normalise_rows(Trial<T>& t, Index rows, Index cols) {
  auto values = numbers<float>(rows * cols, 85);
  if (rows > 2) std::fill_n(values.begin() + cols, cols, 0.0);
  const auto x = t.given(rows, cols, values), length = t.blank(1, rows), bar = t.random(rows, cols);
  t.call("normalise_rows", {}, [&] { t.backend.normalise_rows(T(0.1), x, length); });
  t.output("x", x, 2e-6);
  t.output("length", length, 2e-6);
  t.add_loss(bar, x);
  t.call("normalise_rows_backward", {}, [&] { t.backend.normalise_rows_backward(x, length, bar); });
  t.output("x_bar", bar, cols == 1 ? 2e-5 : 5e-6);  // in a single column almost everything cancels
  t.gradient(x, bar, Bar::assigned);
}

/// Scores are small whole numbers: many ties.
template <class T>
void count_correct(Trial<T>& t, Index rows, Index cols) {
  Random random(Stream{87, Purpose::generator, 0});
  std::vector<double> scores;
  std::vector<std::int32_t> label;
  for (Index k = 0; k < rows * cols; ++k) scores.push_back(static_cast<double>(random.below(4)));
  for (Index r = 0; r < rows; ++r)
    label.push_back(static_cast<std::int32_t>(random.below(std::min<std::uint64_t>(3, cols))));
  const auto labels = t.indices(label);
  const auto a = t.given(rows, cols, scores), count = t.blank(1, 1);
  t.call("count_correct", {}, [&] { t.backend.count_correct(a, labels.data(), count); });
  t.output("count", count, 0, Region::all, 0);
}

}  // namespace

void add_neural_network_cases(Cases& cases) {
  for (const auto& [rows, cols] : matrix_shapes) {
    const double size = static_cast<double>(rows * cols);
    const std::vector<Index> shape{rows, cols};
    for (const double dropout : {0.0, 0.3, 0.5}) {
      cases.add("relu", shape, "dropout " + std::to_string(dropout), size,
                [=, rows = rows, cols = cols](auto& t) { relu(t, rows, cols, dropout); });
    }
    cases.add("normalise_rows", shape, "", size,
              [rows = rows, cols = cols](auto& t) { normalise_rows(t, rows, cols); });
    cases.add("count_correct", shape, "", size,
              [rows = rows, cols = cols](auto& t) { count_correct(t, rows, cols); });
    if (rows == 0) continue;
    cases.add("column_moments", shape, "", size,
              [rows = rows, cols = cols](auto& t) { column_moments(t, rows, cols); });
    cases.add("standardise", shape, "", size,
              [rows = rows, cols = cols](auto& t) { standardise(t, rows, cols); });
  }
}

}  // namespace gdkm::testing
