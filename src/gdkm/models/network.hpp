#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gdkm/layers/feature_gram.hpp"
#include "gdkm/layers/gram.hpp"
#include "gdkm/layers/readout.hpp"
#include "gdkm/layers/relation_weights.hpp"
#include "gdkm/layers/sequential.hpp"
#include "gdkm/models/graph_inputs.hpp"
#include "gdkm/models/model_config.hpp"

namespace gdkm {

/// Whether the factorisations of the last forward pass succeeded.
struct Factorisations {
  double jitter = 0;     // the largest relative jitter that one needed; NaN or ∞ if one failed
  int failed_layer = 0;  // the first layer (from 1) whose factorisation failed

  /// Throws a NumericalError that names the layer and a remedy if one failed.
  void check() const;
};

/// The parts of the objective after a step, as plain numbers.
struct Objective {
  double elbo = 0, expected_log_likelihood = 0, kl_weights = 0;
  std::vector<double> kl_gram;  // not multiplied by ν; 0 if ν is 0, because it is not computed then
};

/// A model on one graph: layers that share parameters, and all the memory that a training step needs.
///
/// Architectures are written with the functions from input() to readout(): see architecture.hpp. Each appends
/// one layer on top of the last.
template <class T>
class Network {
 public:
  Network(Backend<T>& backend, const GraphInputs<T>& inputs, Parameters<T>& parameters,
          const ModelConfig& config, Index classes, bool training);

  /// The linear kernel of the features of nodes and inducing points.
  void input();
  /// A learned Gram layer with the ν of layer `layer_of_nu`. It works in feature space if the kernel is
  /// linear of rank < m. It centres the kernel first if the configuration asks for that.
  void gram(int layer_of_nu, Use use = Use::chain);
  void nonlinearity();                    // Φ
  void mix();                             // Â · Âᵀ, inter- or intra-domain, or Σ_r w_r P_r · P_rᵀ
  void factor(Use use = Use::chain);      // the same kernel as features: a Gram layer that learns nothing
  void half_sum(DenseFeatures<T>& with);  // ½(K + K'): the residual connection
  void readout();
  int layers() const { return config_.layers; }

  /// The weight of this batch in the means that are kept for prediction (see Center); 1 for the first batch
  /// of a pass over the data, which is also the default.
  void set_mean_weight(double weight) { workspace_.set_mean_weight(weight); }
  void forward();
  /// Computes the gradients of scale · ELBO. The likelihood in it is multiplied by `repeats`: the number
  /// of batches, where each comes once in an epoch.
  void backward(const Labels& labels, const Stream& stream, T scale, ConstView<T> noise = {},
                double repeats = 1);
  /// The same for regression.
  void backward(const Targets<T>& targets, T scale, double repeats = 1);

  // Natural-gradient inference, after forward(): see Sites.
  void start_sites(const Labels& labels, Sites<T>& sites) { readout_->start(labels, sites); }
  /// q(W) from the sites, with the features as they are.
  void solve(const Labels& labels, Sites<T>& sites, WeightPosterior<T>& posterior);
  void solve(const Targets<T>& targets, Sites<T>& sites, WeightPosterior<T>& posterior);
  /// The sums of the sites, for WeightPosterior::move; refresh() after it.
  void add_up(const Labels& labels, Sites<T>& sites, bool only_residuals);
  void refresh() { readout_->forward(); }
  /// The sites from q(W). objective() then has the expected log-likelihood and KL(W) of q(W) as it is.
  void update(const Labels& labels, const Stream& stream, Index pairs, double rate, Sites<T>& sites);
  /// backward() at a q(W) that solve() left, with an update of the sites.
  void backward(const Labels& labels, const Stream& stream, T scale, double repeats, Sites<T>& sites);
  double repeats() const { return repeats_; }
  /// See Readout.
  void weigh_rows(const Labels& labels, ConstView<T> weight, const typename WeightPosterior<T>::Rows& out) {
    readout_->weigh_rows(labels.row, weight, out);
  }
  /// The sum of σ²‖u_t‖² over some items: how large the output kernel is.
  double sum_of_kernel(const ItemRows& items) { return readout_->sum_of_kernel(items); }

  /// The scalars that a step writes, in one row on the device; objective() and factorisations() interpret
  /// them.
  View<T> numbers() const { return workspace_.scalars(); }
  Objective objective(std::span<const T> numbers) const;
  Factorisations factorisations(std::span<const T> numbers) const;
  /// The same for the last step, read from the device.
  Objective objective() const { return objective(read_numbers()); }
  Factorisations factorisations() const { return factorisations(read_numbers()); }

  DenseFeatures<T>& features() { return *features_; }
  Readout<T>& output() { return *readout_; }
  Index nodes() const { return inputs_.nodes; }
  /// The number of items: nodes, or graphs. Of this rank alone, as all that has rows of nodes.
  Index items() const { return inputs_.items(); }
  /// The output of every Gram layer, in order.
  const std::vector<DenseFeatures<T>*>& gram_features() const { return gram_features_; }

 private:
  struct Term {
    double nu;
    View<T> kl;
  };
  void center();
  /// The features of the last kernel. Factorises the kernel if it has none yet.
  DenseFeatures<T>& need_features();
  /// The same at the inducing locations, where several relations have given each of them several variables.
  DenseFeatures<T>& need_locations(FeatureTraits traits = {});
  std::vector<T> read_numbers() const;
  double at(std::span<const T> numbers, View<T> scalar) const;

  Backend<T>& backend_;
  const GraphInputs<T>& inputs_;
  Parameters<T>& parameters_;
  ModelConfig config_;
  Workspace<T> workspace_;
  Index classes_;
  Sequential<T> layers_;
  FeatureKernel<T>* linear_ = nullptr;     // the input layer, perhaps centred, until a layer follows it
  DenseFeatures<T>* features_ = nullptr;   // the output of the last layer, if that is features
  RelationWeights<T>* weights_ = nullptr;  // of the last mixing, while inducing variables are those of it
  std::unique_ptr<Readout<T>> readout_;
  std::vector<Term> terms_;
  struct Factorisation {
    int layer;
    View<T> used_jitter;
  };
  std::vector<Factorisation> factorisations_;
  std::vector<DenseFeatures<T>*> gram_features_;
  int centers_ = 0, mixings_ = 0;
  double repeats_ = 1;
};

}  // namespace gdkm
