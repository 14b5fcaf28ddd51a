#include "gdkm/models/network.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gdkm/layers/mix_inter.hpp"
#include "gdkm/layers/mix_intra.hpp"
#include "gdkm/layers/nonlinearity.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

template <class T>
Network<T>::Network(Backend<T>& backend, const GraphInputs<T>& inputs, Parameters<T>& parameters,
                    const ModelConfig& config, Index classes, bool training)
    : backend_(backend),
      inputs_(inputs),
      parameters_(parameters),
      config_(config),
      workspace_(backend, inputs.nodes, config.inducing, training, config.scheme == Scheme::inter ? 1 : 2),
      classes_(classes) {
  backend.reserve(config.inducing, inputs.input.width(), config.scheme == Scheme::intra);
}

template <class T>
void Network<T>::mixed_input() {
  input_ = &layers_.template add<InputLayer<T>>(workspace_, inputs_.input, inputs_.mixing, parameters_,
                                                config_.inducing);
}

template <class T>
void Network<T>::gram(double nu) {
  const std::string name = "gram" + std::to_string(gram_features_.size() + 1);
  if (input_ != nullptr && input_->width() < config_.inducing) {
    auto& layer = layers_.template add<FeatureGramLayer<T>>(workspace_, *input_, parameters_, name, nu);
    features_ = &layer.output();
    if (layer.learned()) terms_.push_back({nu, layer.kl()});
  } else {
    auto& layer = layers_.template add<GramLayer<T>>(workspace_, layers_.output(), parameters_, name, nu,
                                                     static_cast<T>(config_.jitter));
    features_ = &layer.output();
    factorisations_.push_back({static_cast<int>(gram_features_.size()) + 1, layer.used_jitter()});
    if (layer.learned()) terms_.push_back({nu, layer.kl()});
  }
  input_ = nullptr;
  gram_features_.push_back(features_);
}

template <class T>
void Network<T>::nonlinearity() {
  assert(features_ != nullptr);
  layers_.template add<Nonlinearity<T>>(workspace_, *features_, config_.kernel);
  features_ = nullptr;
}

template <class T>
void Network<T>::mix() {
  if (config_.scheme == Scheme::inter) {
    layers_.template add<MixInter<T>>(workspace_, layers_.output(), inputs_.mixing);
    features_ = nullptr;
    return;
  }
  // Intra-domain mixing acts on features, U_i = chol K_ii and U_t = K_ti U_i⁻ᵀ: a Gram layer that learns
  // nothing.
  if (features_ == nullptr) {
    auto& factor = layers_.template add<GramLayer<T>>(workspace_, layers_.output(), parameters_, "factor",
                                                      std::numeric_limits<double>::infinity(),
                                                      static_cast<T>(config_.jitter));
    factorisations_.push_back({static_cast<int>(gram_features_.size()) + 1, factor.used_jitter()});
    features_ = &factor.output();
  }
  features_ = &layers_.template add<MixIntra<T>>(workspace_, *features_, inputs_.mixing).output();
}

template <class T>
void Network<T>::readout() {
  assert(features_ != nullptr);
  typename Readout<T>::Options options;
  options.classes = classes_;
  options.learned_scale = config_.learned_scale;
  options.temper = config_.temper;
  options.samples = config_.samples;
  options.sampling = config_.sampling;
  readout_ = std::make_unique<Readout<T>>(workspace_, *features_, parameters_, options);
}

template <class T>
void Network<T>::forward() {
  layers_.forward();
  readout_->forward();
}

template <class T>
void Network<T>::backward(const Labels& labels, const Stream& stream, T scale, ConstView<T> noise) {
  backend_.fill(parameters_.gradients(), T(0));
  readout_->objective(labels, stream, scale, noise);
  layers_.backward(scale);
}

template <class T>
double Network<T>::read(View<T> scalar) const {
  T value;
  backend_.download(scalar.data, &value, sizeof(T));
  return static_cast<double>(value);
}

template <class T>
Objective Network<T>::objective() const {
  Objective out;
  out.expected_log_likelihood = read(readout_->expected_log_likelihood());
  out.kl_weights =
      static_cast<double>(classes_) * read(readout_->kl_covariance()) + 0.5 * read(readout_->mean_square());
  out.elbo = out.expected_log_likelihood - (config_.temper > 0 ? config_.temper * out.kl_weights : 0);
  for (const Term& term : terms_) {
    out.kl_gram.push_back(read(term.kl));
    if (term.nu > 0) out.elbo -= term.nu * out.kl_gram.back();
  }
  return out;
}

template <class T>
Factorisations Network<T>::factorisations() const {
  Factorisations out;
  for (const auto& [layer, used_jitter] : factorisations_) {
    const double used = read(used_jitter);
    if (std::isfinite(out.jitter)) out.jitter = std::isfinite(used) ? std::max(out.jitter, used) : used;
    if (!std::isfinite(used) && out.failed_layer == 0) out.failed_layer = layer;
  }
  return out;
}

void Factorisations::check() const {
  if (std::isfinite(jitter)) return;
  throw NumericalError(
      "the kernel of the inducing points of layer " + std::to_string(failed_layer) +
      (std::isnan(jitter) ? " is not finite" : " is not positive definite, even with jitter 0.1") +
      "; try --precision float64, a smaller --lr or a larger --jitter");
}

template class Network<float>;
template class Network<double>;

}  // namespace gdkm
