#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "gdkm/linalg/backend.hpp"
#include "gdkm/support/safetensors.hpp"
#include "gdkm/training/model_file.hpp"
#include "gdkm/training/problem.hpp"
#include "gdkm/training/settings.hpp"

namespace gdkm {

/// Any model while it learns from one split: what a study needs of it.
class Learner {
 public:
  virtual ~Learner() = default;

  virtual bool finished() const = 0;
  virtual int epoch() const = 0;
  /// One epoch; returns its loss. NumericalError where a number is lost for good.
  virtual double step() = 0;
  virtual const std::vector<double>& losses() const = 0;
  /// The largest relative jitter that was needed, prediction included.
  virtual double jitter() const { return 0; }

  /// Class probabilities of every item (row-major, items × classes).
  virtual std::vector<double> predict() = 0;

  /// What it has learned, as a file; InputError for models that are nothing apart from their data.
  virtual TensorFile model_file(const ModelCard& card) = 0;
  /// The whole state, and back; from there on it goes as if nothing had happened.
  virtual TensorFile save_state() = 0;
  virtual void restore_state(const TensorFile& state, const std::filesystem::path& path) = 0;
};

/// The learner that `settings` ask for: a sparse DKM, a GCN, or an exact model. `dataset` is what `problem`
/// was made of.
template <class T>
std::unique_ptr<Learner> make_learner(Backend<T>& backend, const Settings& settings, const Dataset& dataset,
                                      const Problem& problem, const Split& split, std::uint64_t seed);

/// Class probabilities of every item.
template <class T>
std::vector<double> predict_gcn(Gcn<T>& model, const Settings& settings, const Problem& problem);

/// How many epochs a learner of these settings takes at most.
int epochs_of(const Settings& settings);

}  // namespace gdkm
