#pragma once

#include <memory>
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

  /// `weight`: how much this batch counts in the means that are kept for prediction (see Center); 1 for the
  /// first of a pass over the data.
  void forward(double weight = 1);
  /// Gradients of scale · ELBO, the likelihood in it taken `repeats` times: n_train / n_batch for a batch
  /// that stands for all training items.
  void backward(const Labels& labels, const Stream& stream, T scale, ConstView<T> noise = {},
                double repeats = 1);
  /// The same for numbers to predict.
  void backward(const Targets<T>& targets, T scale, double repeats = 1);
  /// Reads the numbers of the last backward from the device.
  Objective objective() const;
  /// The same of the last forward's factorisations.
  Factorisations factorisations() const;

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
  double read(View<T> scalar) const;

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
