#pragma once

#include <functional>
#include <limits>
#include <memory>

#include "gdkm/fitting/learner.hpp"

namespace gdkm {

/// The values of ν that are tried where it is to be chosen; of equally good ones the first is taken.
inline constexpr double nu_candidates[] = {1, 0.1, 10, std::numeric_limits<double>::infinity(), 0.01, 100};

/// Trains a DKM with each of these values, one after the other, and then is the one that scored best on the
/// validation items of the split. Test items have no part in it. A value at which training breaks down is
/// left out. An OptionError where the split has no validation items.
class NuSearch final : public Learner {
 public:
  using Make = std::function<std::unique_ptr<Learner>(double nu)>;
  NuSearch(Make make, const PreparedData& data, const Split& split);

  bool finished() const override { return !current_; }
  /// Of all values together; in the end of the chosen one.
  int epoch() const override { return current_ ? epochs_ + current_->epoch() : best_->epoch(); }
  int progress() const override;
  double step() override;
  void stop() override;
  /// None until one is chosen.
  const std::vector<double>& losses() const override;
  TrainingHistory history() const override { return chosen().history(); }
  bool converged() const override { return chosen().converged(); }
  int best_epoch() const override { return chosen().best_epoch(); }
  std::optional<Calibration> calibration() const override { return chosen().calibration(); }
  MixingWeights mixing() const override { return chosen().mixing(); }
  double jitter() const override { return chosen().jitter(); }
  std::vector<double> nu() const override { return {best_nu_}; }
  std::vector<double> predict() override { return chosen().predict(); }
  TensorFile model_file(const ModelCard& card) override { return chosen().model_file(card); }
  TensorFile save_state() override;
  void restore_state(const TensorFile& state, const std::filesystem::path& path) override;

 private:
  Learner& chosen() const { return current_ ? *current_ : *best_; }
  /// Compares the current learner with the best, and begins with the next value.
  void judge();
  void begin_next();

  Make make_;
  const PreparedData& data_;
  const Split& split_;
  std::size_t at_ = 0;  // of the candidates
  int epochs_ = 0;      // of those before it
  bool stopped_ = false;
  std::unique_ptr<Learner> current_, best_;
  double best_nu_ = 0, best_score_ = 0;
};

}  // namespace gdkm
