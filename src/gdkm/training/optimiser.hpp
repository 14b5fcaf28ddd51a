#pragma once

#include "gdkm/layers/parameters.hpp"

namespace gdkm {

/// Adam, with a factor of the rate for each parameter; one with the factor 0 stays as it is.
template <class T>
class Optimiser {
 public:
  template <class FactorOf>
  Optimiser(Backend<T>& backend, Parameters<T>& parameters, const FactorOf& factor_of)
      : backend_(backend),
        parameters_(parameters),
        first_(backend, 1, parameters.size()),
        second_(backend, 1, parameters.size()) {
    for (const auto& entry : parameters.entries()) {
      const Group next{entry.offset, entry.rows * entry.cols, factor_of(entry.name)};
      if (!groups_.empty() && groups_.back().factor == next.factor) {
        groups_.back().size += next.size;  // entries lie one behind the other
      } else {
        groups_.push_back(next);
      }
    }
  }
  Optimiser(Backend<T>& backend, Parameters<T>& parameters)
      : Optimiser(backend, parameters, [](const std::string&) { return 1.0; }) {}

  void step(double rate) {
    AdamStep step{.rate = rate};
    step.count = ++count_;
    apply(step);
  }
  /// The same with rate and count from a clock on the device, which the caller sets; see count_one().
  void step(const Clock* clock) {
    AdamStep step;
    step.clock = clock;
    apply(step);
  }
  std::int64_t count_one() { return ++count_; }

  /// Forgets all steps.
  void restart() {
    count_ = 0;
    backend_.fill(first_, T(0));
    backend_.fill(second_, T(0));
  }

  std::int64_t count() const { return count_; }
  std::vector<T> first() const { return first_.to_host(); }
  std::vector<T> second() const { return second_.to_host(); }
  void restore(std::int64_t count, const std::vector<T>& first, const std::vector<T>& second) {
    count_ = count;
    backend_.upload(first.data(), first_.view().data, first.size() * sizeof(T));
    backend_.upload(second.data(), second_.view().data, second.size() * sizeof(T));
  }

 private:
  struct Group {
    Index offset, size;
    double factor;
  };
  void apply(AdamStep step) {
    for (const Group& group : groups_) {
      if (group.factor == 0) continue;
      step.factor = group.factor;
      const auto part = [&](View<T> all) { return all.block_cols(group.offset, group.size); };
      backend_.adam(step, part(parameters_.gradients()), part(first_), part(second_),
                    part(parameters_.values()));
    }
  }

  Backend<T>& backend_;
  Parameters<T>& parameters_;
  Matrix<T> first_, second_;
  std::vector<Group> groups_;
  std::int64_t count_ = 0;
};

}  // namespace gdkm
