#pragma once

#include <functional>
#include <memory>

#include "gdkm/fitting/learner.hpp"

namespace gdkm {

/// Trains the members of a committee one after the other, all from the same seed and on the same split, and
/// predicts with all of them: see mixture(). Of a member that is done it keeps its file and its predictions,
/// so that the memory of its training is free for the next. If a member breaks down, so does the committee.
class Committee final : public Learner {
 public:
  using Make = std::function<std::unique_ptr<Learner>(const PreparedData& member)>;
  /// `data` and `split` outlive it.
  Committee(Make make, const PreparedData& data, const Split& split, std::uint64_t seed);

  bool finished() const override { return !current_; }
  /// Of all members together, as losses() are: those of one member, then those of the next.
  int epoch() const override;
  int progress() const override;
  double step() override;
  /// The committee is then made of the members up to the current one.
  void stop() override;
  const std::vector<double>& losses() const override { return losses_; }
  TrainingHistory history() const override;
  bool converged() const override;
  /// The sum over members.
  int best_epoch() const override;
  double jitter() const override;
  std::vector<double> predict() override;
  TensorFile model_file(const ModelCard& card) override;
  TensorFile save_state() override;
  void restore_state(const TensorFile& state, const std::filesystem::path& path) override;

 private:
  struct Member {
    TensorFile file;
    RunResult run;
    std::vector<double> predictions;
  };

  void take_losses();
  /// Keeps what the current member has learned, and begins with the next.
  void end_member();
  void begin_next();

  Make make_;
  const PreparedData& data_;
  const Split& split_;
  std::uint64_t seed_;
  std::vector<Member> done_;
  bool stopped_ = false;
  std::vector<double> losses_;
  std::size_t losses_before_ = 0;  // of members that are done
  std::unique_ptr<Learner> current_;
};

}  // namespace gdkm
