#pragma once

#include "gdkm/layers/parameters.hpp"

namespace gdkm {

/// Adam over all parameters at once.
template <class T>
class Optimiser {
 public:
  explicit Optimiser(Backend<T>& backend, Parameters<T>& parameters)
      : backend_(backend),
        parameters_(parameters),
        first_(backend, 1, parameters.size()),
        second_(backend, 1, parameters.size()) {}

  void step(double rate) {
    AdamStep step{.rate = rate};
    step.count = ++count_;
    backend_.adam(step, parameters_.gradients(), first_, second_, parameters_.values());
  }
  /// The same with rate and count from a clock on the device, which the caller sets; see count_one().
  void step(const Clock* clock) {
    AdamStep step;
    step.clock = clock;
    backend_.adam(step, parameters_.gradients(), first_, second_, parameters_.values());
  }
  std::int64_t count_one() { return ++count_; }

  std::int64_t count() const { return count_; }
  std::vector<T> first() const { return first_.to_host(); }
  std::vector<T> second() const { return second_.to_host(); }
  void restore(std::int64_t count, const std::vector<T>& first, const std::vector<T>& second) {
    count_ = count;
    backend_.upload(first.data(), first_.view().data, first.size() * sizeof(T));
    backend_.upload(second.data(), second_.view().data, second.size() * sizeof(T));
  }

 private:
  Backend<T>& backend_;
  Parameters<T>& parameters_;
  Matrix<T> first_, second_;
  std::int64_t count_ = 0;
};

}  // namespace gdkm
