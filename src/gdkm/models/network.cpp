#include "gdkm/models/network.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "gdkm/layers/center.hpp"
#include "gdkm/layers/half_sum.hpp"
#include "gdkm/layers/locations.hpp"
#include "gdkm/layers/mix_inter.hpp"
#include "gdkm/layers/mix_intra.hpp"
#include "gdkm/layers/mix_polynomial.hpp"
#include "gdkm/layers/mix_relations.hpp"
#include "gdkm/layers/nonlinearity.hpp"
#include "gdkm/layers/pool.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

/// How many gradients of node features exist at the same time: two, or one if every layer mixes before it
/// writes its own (see Workspace).
int gradient_slots(const ModelConfig& config, bool pools) {
  const bool always_mixes = traits_of(config.arch).mixes_before_every_gram &&
                            config.scheme == Scheme::inter && !config.center && !pools;
  return always_mixes ? 1 : 2;
}

/// Whether some K_ii is given by features and therefore factorised by QR.
bool needs_qr(const ModelConfig& config) {
  return config.scheme == Scheme::intra || config.center || traits_of(config.arch).needs_qr;
}

FeatureTraits traits_of(Use use) {
  return {.products = use != Use::chain, .is_state = use == Use::state};
}

}  // namespace

template <class T>
Network<T>::Network(Backend<T>& backend, const GraphInputs<T>& inputs, Parameters<T>& parameters,
                    const ModelConfig& config, Index classes, bool training)
    : backend_(backend),
      inputs_(inputs),
      parameters_(parameters),
      config_(config),
      workspace_(backend, inputs.nodes, config.variables(), training,
                 gradient_slots(config, !inputs.pool.empty()), inputs.all_nodes),
      classes_(classes) {
  const Index affine = config.affine ? 1 : 0, most = config.variables();
  const Index times = inputs.input.mixing == InputMixing::within ? inputs.mixing.count() : 1;
  backend.reserve(most, std::max(inputs.input.cols() * times, most) + affine, needs_qr(config));
}

template <class T>
void Network<T>::input() {
  linear_ = &layers_.template add<InputLayer<T>>(
      workspace_, inputs_.input, inputs_.mixing, parameters_, config_.locations(),
      RelationWeightOptions{config_.learned_relations, config_.degree()});
  if (config_.mixes_inputs()) ++mixings_;
}

template <class T>
void Network<T>::center() {
  FeatureKernel<T>& base = linear_ != nullptr ? *linear_ : need_features();
  auto& layer = layers_.template add<Center<T>>(
      workspace_, base, parameters_, "center" + std::to_string(++centers_), config_.affine, weights_);
  if (linear_ != nullptr) linear_ = &layer;
  features_ = nullptr;
}

template <class T>
void Network<T>::gram(int layer_of_nu, Use use) {
  const double nu = config_.nu_of(layer_of_nu);
  if (config_.center) center();
  const std::string name = "gram" + std::to_string(gram_features_.size() + 1);
  if (linear_ != nullptr && linear_->width() < linear_->inducing()) {
    auto& layer = layers_.template add<FeatureGramLayer<T>>(workspace_, *linear_, parameters_, name, nu,
                                                            traits_of(use));
    features_ = &layer.output();
    if (layer.learned()) terms_.push_back({nu, layer.kl()});
  } else {
    auto& layer = layers_.template add<GramLayer<T>>(workspace_, layers_.output(), parameters_, name, nu,
                                                     static_cast<T>(config_.jitter), traits_of(use));
    features_ = &layer.output();
    factorisations_.push_back({static_cast<int>(gram_features_.size()) + 1, layer.used_jitter()});
    if (layer.learned()) terms_.push_back({nu, layer.kl()});
  }
  linear_ = nullptr;
  gram_features_.push_back(features_);
}

template <class T>
void Network<T>::factor(Use use) {
  constexpr double learns_nothing = std::numeric_limits<double>::infinity();
  FeatureTraits traits = traits_of(use);
  if (linear_ != nullptr && linear_->width() < linear_->inducing()) {
    features_ = &layers_
                     .template add<FeatureGramLayer<T>>(workspace_, *linear_, parameters_, "factor",
                                                        learns_nothing, traits)
                     .output();
  } else {
    // The norms of the inputs are known exactly; K_ti alone would lose them.
    traits.given_norms = linear_ != nullptr;
    auto& layer = layers_.template add<GramLayer<T>>(workspace_, layers_.output(), parameters_, "factor",
                                                     learns_nothing, static_cast<T>(config_.jitter), traits);
    if (linear_ != nullptr) layer.set_norms(inputs_.input.norm);
    features_ = &layer.output();
    factorisations_.push_back({static_cast<int>(gram_features_.size()) + 1, layer.used_jitter()});
  }
  linear_ = nullptr;
}

template <class T>
DenseFeatures<T>& Network<T>::need_features() {
  if (features_ == nullptr) factor();
  return *features_;
}

template <class T>
DenseFeatures<T>& Network<T>::need_locations(FeatureTraits traits) {
  DenseFeatures<T>& features = need_features();
  if (weights_ == nullptr) return features;
  features_ = &layers_.template add<Locations<T>>(workspace_, features, *weights_, traits).output();
  weights_ = nullptr;
  return *features_;
}

template <class T>
void Network<T>::nonlinearity() {
  assert(features_ != nullptr);
  layers_.template add<Nonlinearity<T>>(workspace_, need_locations(), config_.kernel);
  features_ = nullptr;
}

template <class T>
void Network<T>::mix() {
  ++mixings_;
  if (inputs_.mixing.count() > 1) {
    if (features_ != nullptr) need_locations({.products = true});
    auto& layer =
        layers_.template add<MixRelations<T>>(workspace_, layers_.output(), inputs_.mixing, parameters_,
                                              "mix" + std::to_string(mixings_), config_.learned_relations);
    weights_ = &layer.weights();
    features_ = nullptr;
    return;
  }
  if (const int degree = config_.degree(); degree > 0) {
    layers_.template add<MixPolynomial<T>>(workspace_, layers_.output(), inputs_.mixing, parameters_,
                                           "mix" + std::to_string(mixings_), degree);
    features_ = nullptr;
    return;
  }
  if (config_.scheme == Scheme::inter) {
    layers_.template add<MixInter<T>>(workspace_, layers_.output(), inputs_.mixing);
    features_ = nullptr;
    return;
  }
  // Intra-domain mixing acts on features, U_i = chol K_ii and U_t = K_ti U_i⁻ᵀ.
  features_ = &layers_.template add<MixIntra<T>>(workspace_, need_features(), inputs_.mixing).output();
}

template <class T>
void Network<T>::half_sum(DenseFeatures<T>& with) {
  auto& layer = layers_.template add<HalfSum<T>>(workspace_, with, need_locations({.products = true}),
                                                 static_cast<T>(config_.jitter));
  factorisations_.push_back({static_cast<int>(gram_features_.size()), layer.used_jitter()});
  features_ = &layer.output();
}

template <class T>
void Network<T>::readout() {
  typename Readout<T>::Options options;
  options.classes = classes_;
  options.learned_scale = config_.learned_scale;
  options.bias = config_.bias;
  options.temper = config_.temper;
  options.samples = config_.samples;
  options.sampling = config_.sampling;
  options.regression = config_.regression;
  DenseFeatures<T>* rows = &need_features();
  if (!inputs_.pool.empty()) rows = &layers_.template add<Pool<T>>(workspace_, *rows, inputs_.pool).output();
  readout_ = std::make_unique<Readout<T>>(workspace_, *rows, parameters_, options);
}

template <class T>
void Network<T>::forward() {
  layers_.forward();
  readout_->forward();
}

template <class T>
void Network<T>::backward(const Labels& labels, const Stream& stream, T scale, ConstView<T> noise,
                          double repeats) {
  repeats_ = repeats;
  backend_.fill(parameters_.gradients(), T(0));
  readout_->objective(labels, stream, scale, static_cast<T>(repeats), noise);
  layers_.backward(scale);
}

template <class T>
void Network<T>::backward(const Targets<T>& targets, T scale, double repeats) {
  repeats_ = repeats;
  backend_.fill(parameters_.gradients(), T(0));
  readout_->objective(targets, scale, static_cast<T>(repeats));
  layers_.backward(scale);
}

template <class T>
void Network<T>::solve(const Labels& labels, Sites<T>& sites, WeightPosterior<T>& posterior) {
  readout_->add_up(labels.row, sites);
  posterior.solve();
  readout_->forward();
}

template <class T>
void Network<T>::solve(const Targets<T>& targets, Sites<T>& sites, WeightPosterior<T>& posterior) {
  readout_->add_up(targets, sites);
  posterior.solve();
  readout_->forward();
}

template <class T>
void Network<T>::add_up(const Labels& labels, Sites<T>& sites, bool only_residuals) {
  if (!only_residuals) readout_->add_up(labels.row, sites);
  readout_->add_up_residuals(labels.row, sites);
}

template <class T>
void Network<T>::update(const Labels& labels, const Stream& stream, Index pairs, double rate,
                        Sites<T>& sites) {
  readout_->update(labels, stream, pairs, static_cast<T>(rate), sites);
  readout_->compute_prior();
}

template <class T>
void Network<T>::backward(const Labels& labels, const Stream& stream, T scale, double repeats,
                          Sites<T>& sites) {
  repeats_ = repeats;
  backend_.fill(parameters_.gradients(), T(0));
  readout_->objective(labels, stream, scale, static_cast<T>(repeats), sites);
  layers_.backward(scale);
}

template <class T>
std::vector<T> Network<T>::read_numbers() const {
  std::vector<T> out(static_cast<std::size_t>(numbers().cols));
  backend_.download(numbers().data, out.data(), out.size() * sizeof(T));
  return out;
}

template <class T>
double Network<T>::at(std::span<const T> numbers, View<T> scalar) const {
  return static_cast<double>(numbers[static_cast<std::size_t>(scalar.data - this->numbers().data)]);
}

template <class T>
Objective Network<T>::objective(std::span<const T> numbers) const {
  Objective out;
  out.expected_log_likelihood = repeats_ * at(numbers, readout_->expected_log_likelihood());
  out.kl_weights = static_cast<double>(classes_) * at(numbers, readout_->kl_covariance()) +
                   0.5 * at(numbers, readout_->mean_square());
  out.elbo = out.expected_log_likelihood - (config_.temper > 0 ? config_.temper * out.kl_weights : 0);
  for (const Term& term : terms_) {
    out.kl_gram.push_back(at(numbers, term.kl));
    if (term.nu > 0) out.elbo -= term.nu * out.kl_gram.back();
  }
  return out;
}

template <class T>
Factorisations Network<T>::factorisations(std::span<const T> numbers) const {
  Factorisations out;
  for (const auto& [layer, used_jitter] : factorisations_) {
    const double used = at(numbers, used_jitter);
    if (std::isfinite(out.jitter)) out.jitter = std::isfinite(used) ? std::max(out.jitter, used) : used;
    if (!std::isfinite(used) && out.failed_layer == 0) out.failed_layer = layer;
  }
  return out;
}

void Factorisations::check() const {
  if (std::isfinite(jitter)) return;
  throw NumericalError(
      "the kernel of the inducing points of layer " + std::to_string(failed_layer) +
      (std::isnan(jitter) ? " is not finite" : " is not positive definite, even with jitter 0.1") + "; try " +
      option("precision", "float64") + ", a smaller " + option("lr") + " or a larger " + option("jitter"));
}

template class Network<float>;
template class Network<double>;

}  // namespace gdkm
