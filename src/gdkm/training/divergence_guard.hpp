#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "gdkm/training/trainable.hpp"
#include "gdkm/training/trainer_state.hpp"

namespace gdkm {

/// Watches the loss of a model that nothing validates, every few epochs. When it has risen by more than a nat
/// per item above its lowest mean, training has diverged: sites that belong to other features make q(W)
/// useless, and Adam's steps with it. The model then goes back to where it was sound, and on at a quarter of
/// the rate.
template <class T>
class DivergenceGuard {
 public:
  DivergenceGuard(Trainable<T>& model, bool active) : model_(model), active_(active) {}

  bool active() const { return active_; }
  double loss() const { return loss_; }
  double rate_multiple() const { return std::pow(0.25, times_); }
  /// It went back so often that the rate is of no use: what is kept is the best that can be had.
  bool gave_up() const { return times_ >= 8; }

  /// Before the first epoch, when the batches of the model are uploaded and its parameters have started.
  void begin() {
    if (!active_) return;
    allocate();
    keep();
  }
  /// After some epochs with these losses, all of them. Keeps the model, or puts what was kept into it and
  /// returns true.
  bool goes_back(const std::vector<double>& losses) {
    const std::size_t done = losses.size();
    if (!active_ || done == seen_) return false;
    if (seen_ == 0) loss_ = losses.front();  // before any step
    const double mean =
        std::accumulate(losses.begin() + static_cast<std::ptrdiff_t>(seen_), losses.end(), 0.0) /
        static_cast<double>(done - seen_);
    seen_ = done;
    if (losses.back() <= loss_ + 1 && mean <= loss_ + 1) {
      loss_ = std::min(loss_, mean);
      keep();
      return false;
    }
    ++times_;
    copy(parameters_, model_.parameters().values());
    if (auto* statistics = model_.statistics()) copy(statistics_, statistics->values());
    return true;
  }

  void save(StateWriter& state) const {
    if (!active_ || parameters_.empty()) return;
    state.add("guard", std::vector<double>{loss_, times_, static_cast<double>(seen_)});
    state.add("guard.parameter", model_.parameters(), parameters_.to_host());
    if (const auto* statistics = model_.statistics())
      state.add("guard.statistic", *statistics, statistics_.to_host());
  }
  /// When the model has its parameters again. Earlier versions kept nothing: then what is there is sound.
  void restore(const StateReader& state, const std::vector<double>& losses) {
    if (!active_ || losses.empty()) return;
    allocate();
    if (!state.has("guard")) {
      loss_ = losses.back();
      seen_ = losses.size();
      return keep();
    }
    const auto numbers = state.get<double>("guard", 3);
    loss_ = numbers[0];
    times_ = numbers[1];
    seen_ = static_cast<std::size_t>(numbers[2]);
    if (seen_ > losses.size()) state.damaged("'guard' has seen more epochs than there were");
    const auto upload = [&](const std::vector<T>& from, const Matrix<T>& to) {
      model_.backend().upload(from.data(), to.view().data, from.size() * sizeof(T));
    };
    upload(state.get<T>("guard.parameter", model_.parameters()), parameters_);
    if (auto* statistics = model_.statistics())
      upload(state.get<T>("guard.statistic", *statistics), statistics_);
  }

 private:
  void allocate() {
    parameters_ = Matrix<T>(model_.backend(), 1, model_.parameters().size());
    if (auto* statistics = model_.statistics())
      statistics_ = Matrix<T>(model_.backend(), 1, statistics->size());
  }
  void keep() {
    copy(model_.parameters().values(), parameters_);
    if (auto* statistics = model_.statistics()) copy(statistics->values(), statistics_);
  }
  void copy(ConstView<T> from, View<T> to) { model_.backend().add(T(1), from, T(0), to); }

  Trainable<T>& model_;
  bool active_;
  double loss_ = 0, times_ = 0;  // the lowest mean loss, and how often it went back
  std::size_t seen_ = 0;         // epochs
  Matrix<T> parameters_, statistics_;
};

}  // namespace gdkm
