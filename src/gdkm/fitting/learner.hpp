#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "gdkm/fitting/compute_device.hpp"
#include "gdkm/fitting/model_card.hpp"
#include "gdkm/fitting/prepared_data.hpp"
#include "gdkm/support/safetensors.hpp"
#include "gdkm/training/calibration.hpp"
#include "gdkm/training/training_history.hpp"

namespace gdkm {

/// Any model while it learns from one split.
class Learner {
 public:
  virtual ~Learner() = default;

  virtual bool finished() const = 0;
  virtual int epoch() const = 0;
  /// How many of the epochs_of(settings) are behind it; never less than before, as epoch() may be.
  virtual int progress() const { return epoch(); }
  /// One epoch; returns its loss. NumericalError where a number is lost for good.
  virtual double step() = 0;
  /// Ends training early: the model is then what was best so far.
  virtual void stop() {}
  virtual const std::vector<double>& losses() const = 0;
  /// Losses, and validation scores where the model has some.
  virtual TrainingHistory history() const {
    TrainingHistory out;
    out.loss = losses();
    return out;
  }
  /// Whether it ended because it had converged; how many epochs what it kept has seen; its calibration.
  virtual bool converged() const { return true; }
  virtual int best_epoch() const { return epoch(); }
  virtual std::optional<Calibration> calibration() const { return std::nullopt; }
  /// How strongly it mixes with each of several relations.
  virtual MixingWeights mixing() const { return {}; }
  /// The largest relative jitter that was needed, prediction included.
  virtual double jitter() const { return 0; }

  /// The ν that it chose, where it was to choose one.
  virtual std::vector<double> nu() const { return {}; }

  /// Class probabilities of every item (row-major, items × classes).
  virtual std::vector<double> predict() = 0;

  /// What it has learned, as a file; InputError for exact models, which are not saved.
  virtual TensorFile model_file(const ModelCard& card) = 0;
  /// The whole state, and back; from there on it goes as if nothing had happened.
  virtual TensorFile save_state() = 0;
  virtual void restore_state(const TensorFile& state, const std::filesystem::path& path) = 0;
};

/// The learner of the model that data.settings ask for. `data` and `split` outlive it; `split` numbers the
/// items of data.dataset.
std::unique_ptr<Learner> make_learner(ComputeDevice& device, const PreparedData& data, const Split& split,
                                      std::uint64_t seed);

/// How many epochs a learner of these settings takes at most.
int epochs_of(const Settings& settings);

}  // namespace gdkm
