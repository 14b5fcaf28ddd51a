#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/training/divergence_guard.hpp"
#include "gdkm/training/early_stopping.hpp"
#include "gdkm/training/optimiser.hpp"
#include "gdkm/training/train_options.hpp"
#include "gdkm/training/trainable.hpp"
#include "gdkm/training/training_history.hpp"

namespace gdkm {

/// Trains any model on one split, by Adam. Batches take turns in an order drawn for each epoch. The
/// constructor allocates everything that a step needs, and a step is recorded once and replayed; only where
/// the nodes of one graph are cut into several batches, to save memory, does each batch have its layers just
/// for its step.
///
/// A model that can be validated ends up with the parameters of its best epoch (see EarlyStopping), another
/// with those of the last (see DivergenceGuard). Then it is finished (Trainable::finish) and calibrated.
///
/// Steps whose numbers are lost end the training of a model that has been validated: it ends up as any other,
/// with its best epoch. Without such an epoch step() throws.
///
/// The device may be some steps behind: losses come back while it works on.
template <class T>
class Trainer {
 public:
  /// Of a model that some make_trainable takes (dkm_trainable.hpp, gcn_trainable.hpp), and that outlives the
  /// trainer. Items without a label are left out. `problem` need not outlive the constructor.
  template <class Model>
  Trainer(Model& model, const Problem& problem, const Split& split, const TrainOptions& options)
      : Trainer(make_trainable(model, problem, labelled(problem, split.train), options), problem, split,
                options) {}
  Trainer(std::unique_ptr<Trainable<T>> model, const Problem& problem, const Split& split,
          const TrainOptions& options);

  Trainer(const Trainer&) = delete;  // recordings refer to it
  Trainer& operator=(const Trainer&) = delete;

  bool finished() const {
    return finished_ || !history_.lost.empty() || epoch() >= most_epochs() ||
           stopping_.out_of_patience(history_) ||
           (options_.epochs == 0 && epoch() % 10 == 0 && in_flight_ == 0 &&
            (loss_is_steady() || guard_.gave_up()));
  }
  /// How many were begun.
  int epoch() const { return static_cast<int>(history_.loss.size()) + epochs_in_flight_; }
  /// One epoch; returns the last loss that is known. Throws NumericalError, with the epoch and the remedy,
  /// when a number is lost for good.
  double step();
  /// Waits for all that was begun.
  void settle() { collect(0); }
  /// Ends training early: the model is then that of the best epoch so far, where it is validated.
  void stop();
  /// Gives back the memory of batches and layers of a training that is finished; what it came to stays.
  void let_go() {
    if (!finished_) return;
    slots_.clear();
    stopping_.let_go();
  }
  const TrainingHistory& history() const { return history_; }
  /// Of a finished model that has one.
  const std::optional<Calibration>& calibration() const { return calibration_; }
  int most_epochs() const { return options_.epochs > 0 ? options_.epochs : most_epochs_until_converged; }

  std::size_t batches() const { return slots_.size(); }
  /// In the largest batch.
  Index nodes_in_use() const;
  /// Bytes of graph, features and labels on the device.
  std::size_t input_bytes() const { return input_bytes_; }

  /// The whole state, and back; from there on training goes as if it had not been interrupted. An InputError
  /// names `path`.
  TensorFile save_state();
  void restore_state(const TensorFile& state, const std::filesystem::path& path);

 private:
  /// Whether the mean loss of ten epochs is that of the ten before, to 0.1 %.
  bool loss_is_steady() const;
  void begin();
  void finish();
  struct BatchSlot {
    std::unique_ptr<TrainingBatch<T>> batch;
    std::unique_ptr<Recording> recording;  // while the batch is built
  };
  /// A step whose numbers are on their way.
  struct Flight {
    std::unique_ptr<Readback> numbers;
    const TrainingBatch<T>* batch = nullptr;
    int epoch = 0;
    bool last_of_epoch = true;
  };
  void build(BatchSlot& slot);
  void release(BatchSlot& slot);
  void begin(BatchSlot& slot, std::size_t turn, double weight, bool last_of_epoch);
  /// Takes in what has come back, and waits until at most `most` steps are in flight.
  void collect(std::size_t most);
  /// Calls it; where numbers are lost and an epoch has been validated, training ends with that.
  template <class Work>
  void or_end_with_best(const Work& work);
  void take_in(const Flight& flight);

  std::unique_ptr<Trainable<T>> model_;
  Backend<T>& backend_;
  TrainOptions options_;
  double n_train_ = 0;
  std::vector<BatchSlot> slots_;
  std::vector<std::size_t> order_;
  bool keeps_layers_ = true;
  std::size_t input_bytes_ = 0;
  EarlyStopping<T> stopping_;
  DivergenceGuard<T> guard_;
  Buffer<Clock> clock_;
  Optimiser<T> optimiser_;
  std::vector<Flight> flights_;  // a ring
  std::size_t first_flight_ = 0, in_flight_ = 0;
  int epochs_in_flight_ = 0;
  double epoch_loss_ = 0;
  bool begun_ = false, finished_ = false;
  std::optional<Calibration> calibration_;
  TrainingHistory history_;
};

}  // namespace gdkm
