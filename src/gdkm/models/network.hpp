#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gdkm/layers/feature_gram.hpp"
#include "gdkm/layers/gram.hpp"
#include "gdkm/layers/readout.hpp"
#include "gdkm/layers/sequential.hpp"
#include "gdkm/models/graph_inputs.hpp"
#include "gdkm/models/model_config.hpp"

namespace gdkm {

/// How the factorisations of the last forward went.
struct Factorisations {
  double jitter = 0;     // the largest relative jitter that was needed; NaN or ∞ when one failed
  int failed_layer = 0;  // the first (from 1) whose factorisation failed

  /// Throws a NumericalError, with the layer and a remedy, when one failed.
  void check() const;
};

/// The parts of the objective after a step, as plain numbers.
struct Objective {
  double elbo = 0, expected_log_likelihood = 0, kl_weights = 0;
  std::vector<double> kl_gram;  // without ν; 0 where ν is 0, since it is not computed there
};

/// What becomes of a layer's features: the next layer takes them, or they are the state of a residual chain,
/// or what is added to it.
enum class Use { chain, state, summand };

/// A model on one graph: layers over shared parameters, with all the memory a step needs.
///
/// The steps below are the vocabulary in which architectures are written (see architecture.hpp); each appends
/// a layer on top of the last.
template <class T>
class Network {
 public:
  Network(Backend<T>& backend, const GraphInputs<T>& inputs, Parameters<T>& parameters,
          const ModelConfig& config, Index classes, bool training);

  void input();                                // the features of nodes and inducing points, linear kernel
  void gram(double nu, Use use = Use::chain);  // learned Gram layer; in feature space where the kernel is
                                               // linear of rank < m; after centering, where that is asked for
  void nonlinearity();                         // Φ
  void mix();                                  // Â · Âᵀ, inter- or intra-domain
  void factor(Use use = Use::chain);      // the same kernel as features: a Gram layer that learns nothing
  void half_sum(DenseFeatures<T>& with);  // ½(K + K'): the residual connection
  void readout();

  /// How much this batch counts in the means that are kept for prediction (see Center); 1 for the first of a
  /// pass over the data, and where nothing is said.
  void set_mean_weight(double weight) { workspace_.set_mean_weight(weight); }
  void forward();
  /// Gradients of scale · ELBO, the likelihood in it taken `repeats` times: n_train / n_batch for a batch
  /// that stands for all training items.
  void backward(const Labels& labels, const Stream& stream, T scale, ConstView<T> noise = {},
                double repeats = 1);
  /// The same for numbers to predict.
  void backward(const Targets<T>& targets, T scale, double repeats = 1);
  /// The numbers that a step puts out, side by side on the device; the two below make sense of them.
  View<T> numbers() const { return workspace_.scalars(); }
  Objective objective(std::span<const T> numbers) const;
  Factorisations factorisations(std::span<const T> numbers) const;
  /// The same of the last step, read from the device.
  Objective objective() const { return objective(read_numbers()); }
  Factorisations factorisations() const { return factorisations(read_numbers()); }

  DenseFeatures<T>& features() { return *features_; }
  Readout<T>& output() { return *readout_; }
  Index nodes() const { return inputs_.nodes; }
  /// What has a class: nodes, or graphs.
  Index items() const { return inputs_.items(); }
  /// The features that each Gram layer put out, in order.
  const std::vector<DenseFeatures<T>*>& gram_features() const { return gram_features_; }

 private:
  struct Term {
    double nu;
    View<T> kl;
  };
  void center();
  /// The features of the last kernel; it is factorised where it has none.
  DenseFeatures<T>& need_features();
  std::vector<T> read_numbers() const;
  double at(std::span<const T> numbers, View<T> scalar) const;

  Backend<T>& backend_;
  const GraphInputs<T>& inputs_;
  Parameters<T>& parameters_;
  ModelConfig config_;
  Workspace<T> workspace_;
  Index classes_;
  Sequential<T> layers_;
  FeatureKernel<T>* linear_ = nullptr;    // while it is all there is: the inputs, or these centred
  DenseFeatures<T>* features_ = nullptr;  // when the last layer put out features
  std::unique_ptr<Readout<T>> readout_;
  std::vector<Term> terms_;
  struct Factorisation {
    int layer;
    View<T> used_jitter;
  };
  std::vector<Factorisation> factorisations_;
  std::vector<DenseFeatures<T>*> gram_features_;
  int centers_ = 0;
  double repeats_ = 1;
};

}  // namespace gdkm
