#pragma once

#include <memory>
#include <span>

#include "gdkm/layers/parameters.hpp"
#include "gdkm/training/batches.hpp"
#include "gdkm/training/calibration.hpp"

namespace gdkm {

/// What one step reports.
struct StepReport {
  double loss = 0;    // of the batch, per item
  double jitter = 0;  // the largest relative jitter that was needed
};

/// A batch on the device: inputs, labels and, while it is built, the layers of the model over them.
template <class T>
class TrainingBatch {
 public:
  virtual ~TrainingBatch() = default;

  virtual Index nodes() const = 0;
  virtual Index items() const = 0;  // with labels
  /// Allocates the layers and all the memory that a step needs; release() frees it.
  virtual void build() = 0;
  virtual void release() = 0;

  /// How much this batch counts in means that the model keeps for prediction: 1 for the first batch of an
  /// epoch. Before the gradients.
  virtual void set_mean_weight(double /*weight*/) {}
  /// Leaves the gradients of the loss in the model's parameters. Calls primitives and nothing else that
  /// matters, so that it can be recorded; random numbers are those of `turn`, which lives on the device.
  virtual void compute_gradients(const std::uint32_t* turn) = 0;
  /// The numbers that this leaves on the device, side by side.
  virtual View<T> numbers() const = 0;
  /// The same numbers, interpreted on the host. NumericalError, with the remedy, when one is lost for good.
  virtual StepReport report(std::span<const T> numbers) const = 0;
};

/// Items that a model is scored on while it is trained.
template <class T>
class ValidationBatch {
 public:
  virtual ~ValidationBatch() = default;
  virtual Index items() const = 0;
  /// With the parameters as they are; of regression, the numbers of Problem::columns as means, and no
  /// variances.
  virtual Logits outputs() = 0;
  const std::vector<std::int32_t>& which() const { return which_; }

 protected:
  explicit ValidationBatch(std::vector<std::int32_t> which) : which_(std::move(which)) {}

 private:
  std::vector<std::int32_t> which_;  // their numbers in the problem
};

/// A model as the training loop sees it: Trainer does the rest.
template <class T>
class Trainable {
 public:
  virtual ~Trainable() = default;

  virtual Backend<T>& backend() = 0;
  virtual Parameters<T>& parameters() = 0;
  /// What steps change without a gradient, such as running moments; null where there is nothing of the kind.
  virtual Parameters<T>* statistics() { return nullptr; }

  /// Factor of the learning rate for a parameter; 0 where Adam leaves it alone.
  virtual double rate_factor(const std::string& /*parameter*/) const { return 1; }
  /// Before the first epoch, when all batches are uploaded.
  virtual void begin() {}
  /// Before the model is validated.
  virtual void refine() {}
  /// After the last epoch, with the parameters that the model keeps.
  virtual void finish() {}

  /// How much items count, by class; empty where all count the same.
  virtual const std::vector<double>& class_weights() const {
    static const std::vector<double> none;
    return none;
  }
  /// Which nodes the labels of some items depend on.
  struct Reach {
    int hops = 0;                     // mixes
    std::vector<std::int32_t> nodes;  // that every batch needs besides
    bool everywhere = false;          // all nodes matter, however far
  };
  virtual Reach reach() const = 0;
  virtual std::unique_ptr<TrainingBatch<T>> upload(const Problem& problem, const Batch& batch) = 0;
  /// Whether training keeps the epoch that validates best, rather than the last. If so, the next is there.
  virtual bool keeps_best_epoch() const { return false; }
  /// Epochs from one validation to the next.
  virtual int validation_interval() const { return 1; }
  virtual std::unique_ptr<ValidationBatch<T>> upload_validation(const Problem& /*problem*/,
                                                                const Batch& /*batch*/) {
    return nullptr;
  }
};

}  // namespace gdkm
