#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/linalg/placed.hpp"

namespace gdkm::testing {

/// One matrix that a primitive wrote, and how far two backends may differ in it.
struct Output {
  std::string name;
  Index rows, cols;
  std::vector<double> values;
  double tolerance;  // relative to the largest entry
  Region part;
};

/// What a primitive has to compute and to read or write at least.
struct Cost {
  double operations = 0, numbers = 0;
};

/// Whether a gradient is added to what its matrix held, or replaces it.
enum class Bar { added, assigned };

/// One execution of a case on one backend: the case asks it for matrices, hands it the calls of primitives,
/// and tells it what came out.
template <class T>
class Trial {
 public:
  struct Options {
    Index pad = 0;                            // between rows; see Placed
    bool single = std::is_same_v<T, float>;   // inputs are numbers that a float holds
    Index moved_input = -1, moved_entry = 0;  // the number that finite differences move by `step`
    double step = 0;
    std::function<void(const char* primitive, const Cost&, const std::function<void()>&)> caller = {};
  };
  struct Gradient {
    Index input;
    std::vector<double> values;
  };

  Trial(Backend<T>& on, Options options) : backend(on), options_(std::move(options)) {}

  Backend<T>& backend;
  std::vector<Output> outputs;
  double loss = 0;
  std::vector<Gradient> gradients;

  /// Inputs: random numbers, or these.
  Placed<T> random(Index rows, Index cols, double scale = 1) {
    return given(rows, cols, normals(rows * cols, scale));
  }
  Placed<T> given(Index rows, Index cols, std::vector<double> values) {
    return place(rows, cols, std::move(values), options_.pad);
  }
  /// Without gaps between rows, for primitives that number their entries.
  Placed<T> dense(Index rows, Index cols) { return place(rows, cols, normals(rows * cols, 1), 0); }
  /// For results. It holds NaN, so that old contents that were used show.
  Placed<T> blank(Index rows, Index cols, bool gaps = true) {
    const std::vector<double> nan(static_cast<std::size_t>(rows * cols), std::nan(""));
    return Placed<T>(backend, rows, cols, nan, options_.pad, gaps ? options_.pad : 0);
  }
  /// The old value of β C + …: not to be read where β is zero.
  Placed<T> old(double beta, Index rows, Index cols) {
    return beta == 0 ? blank(rows, cols) : random(rows, cols);
  }
  Buffer<std::int32_t> indices(const std::vector<std::int32_t>& host) {
    return Buffer<std::int32_t>(backend, host);
  }
  /// Computed on the host from inputs, as numbers that all backends hold alike.
  std::vector<double> rounded(std::vector<double> values) const {
    for (double& x : values) x = options_.single ? static_cast<double>(static_cast<float>(x)) : x;
    return values;
  }

  /// `work` calls this primitive and nothing else.
  void call(const char* primitive, const Cost& cost, const std::function<void()>& work) {
    if (options_.caller) {
      options_.caller(primitive, cost, work);
    } else {
      work();
    }
  }
  /// `single`: the tolerance in float; in double it is `full`.
  void output(const std::string& name, const Placed<T>& matrix, double single, Region part = Region::all,
              double full = 1e-11) {
    outputs.push_back(
        {name, matrix.rows(), matrix.cols(), matrix.to_host(name), options_.single ? single : full, part});
  }

  /// The function that gradients are of: Σ weights ∘ out, summed over all calls.
  void add_loss(const Placed<T>& weights, const Placed<T>& out) {
    const auto values = out.to_host();
    for (std::size_t k = 0; k < values.size(); ++k) loss += weights.values()[k] * values[k];
  }
  void add_loss(double weight, const Placed<T>& out) {
    for (const double value : out.to_host()) loss += weight * value;
  }
  /// `bar` holds the gradient of the loss with respect to the input `x`.
  void gradient(const Placed<T>& x, const Placed<T>& bar, Bar how) {
    auto values = bar.to_host();
    for (std::size_t k = 0; how == Bar::added && k < values.size(); ++k) values[k] -= bar.values()[k];
    const auto input = std::find(inputs_.begin(), inputs_.end(), x.view().data) - inputs_.begin();
    gradients.push_back({static_cast<Index>(input), values});
  }

 private:
  /// A timer takes the same numbers again and again: making many takes longer than what is timed.
  std::vector<double> normals(Index count, double scale) const {
    const Index made = options_.caller ? std::min<Index>(count, 5000) : count;
    const auto seed = 100 + inputs_.size();
    auto out = options_.single ? numbers<float>(made, seed, scale) : numbers<double>(made, seed, scale);
    for (Index k = made; k < count; ++k) out.push_back(out[static_cast<std::size_t>(k - made)]);
    return out;
  }
  Placed<T> place(Index rows, Index cols, std::vector<double> values, Index gap) {
    if (options_.moved_input == static_cast<Index>(inputs_.size()))
      values[static_cast<std::size_t>(options_.moved_entry)] += options_.step;
    Placed<T> out(backend, rows, cols, std::move(values), options_.pad, gap);
    inputs_.push_back(out.view().data);
    return out;
  }

  Options options_;
  std::vector<T*> inputs_;
};

/// One entry of the table.
struct Case {
  std::string primitive;  // that it is about; it may call others
  std::string name;
  double work;      // about how many multiplications; tests that are slow leave out the large ones
  bool timed_only;  // the size of a training step: for timing
  std::function<void(Trial<float>&)> in_float;
  std::function<void(Trial<double>&)> in_double;

  void run(Trial<float>& trial) const { in_float(trial); }
  void run(Trial<double>& trial) const { in_double(trial); }
  bool is_small() const { return !timed_only && work <= 1e7; }
};

class Cases {
 public:
  template <class Body>
  void add(const std::string& primitive, const std::vector<Index>& shape, const std::string& more,
           double work, Body body, bool timed_only = false) {
    std::string name = primitive;
    for (std::size_t k = 0; k < shape.size(); ++k) name += (k == 0 ? " " : "x") + std::to_string(shape[k]);
    all_.push_back({primitive, name + (more.empty() ? "" : ", " + more), work, timed_only, body, body});
  }
  const std::vector<Case>& all() const { return all_; }
  std::vector<std::string> primitives() const {
    std::vector<std::string> out;
    for (const Case& each : all_) {
      if (!each.timed_only && std::find(out.begin(), out.end(), each.primitive) == out.end())
        out.push_back(each.primitive);
    }
    return out;
  }

 private:
  std::vector<Case> all_;
};

void add_product_cases(Cases& cases);
void add_elementwise_cases(Cases& cases);
void add_row_cases(Cases& cases);
void add_sparse_cases(Cases& cases);
void add_kernel_cases(Cases& cases);
void add_likelihood_cases(Cases& cases);
void add_neural_network_cases(Cases& cases);

/// The table. Four uses: agreement of a backend with another one, gradients against finite differences,
/// timing, and whether every primitive is tested at all.
inline const Cases& backend_cases() {
  static const Cases cases = [] {
    Cases out;
    add_product_cases(out);
    add_elementwise_cases(out);
    add_row_cases(out);
    add_sparse_cases(out);
    add_kernel_cases(out);
    add_likelihood_cases(out);
    add_neural_network_cases(out);
    return out;
  }();
  return cases;
}

/// Shapes of matrices: small, long, wide, odd, empty.
inline const std::pair<Index, Index> matrix_shapes[] = {{1, 1},   {7, 5},   {33, 200}, {200, 33}, {400, 400},
                                                        {513, 1}, {1, 513}, {5000, 7}, {3, 2050}, {0, 4}};
/// Nodes and inducing points of training steps, for timing.
inline const std::pair<Index, Index> step_shapes[] = {{2708, 200}, {22662, 400}};

template <class T>
std::vector<Output> outputs_of(const Case& each, Backend<T>& backend, typename Trial<T>::Options options) {
  Trial<T> trial(backend, std::move(options));
  each.run(trial);
  return trial.outputs;
}

inline void expect_same(const Case& each, const std::vector<Output>& want, const std::vector<Output>& got) {
  ASSERT_EQ(want.size(), got.size()) << each.name;
  for (std::size_t k = 0; k < want.size(); ++k) {
    expect_close(each.name + ": " + want[k].name, want[k].rows, want[k].cols, want[k].values, got[k].values,
                 want[k].tolerance, want[k].part);
  }
}

}  // namespace gdkm::testing
