#include "gdkm/models/gcn/gcn_network.hpp"

#include <algorithm>

#include "gdkm/models/gcn/gcn_activation.hpp"
#include "gdkm/models/gcn/gcn_input.hpp"
#include "gdkm/models/gcn/gcn_norm.hpp"
#include "gdkm/models/gcn/graph_convolution.hpp"
#include "gdkm/models/gcn/residual_block.hpp"

namespace gdkm {

namespace {

template <class T>
using Layers = std::vector<std::unique_ptr<GcnLayer<T>>>;

template <class Layer, class T, class... Arguments>
void append(Layers<T>& layers, GcnContext<T>& context, Arguments&&... arguments) {
  layers.push_back(std::make_unique<Layer>(context, std::forward<Arguments>(arguments)...));
}

template <class T>
void kipf(Layers<T>& layers, GcnContext<T>& context, Index classes) {
  if (context.config.layers == 1) return append<GcnInput<T>>(layers, context, "output", classes);
  for (int l = 1; l < context.config.layers; ++l) {
    const std::string name = "layer" + std::to_string(l);
    if (l == 1) {
      append<GcnInput<T>>(layers, context, name, context.config.width);
    } else {
      append<GraphConvolution<T>>(layers, context, name);
    }
    if (context.config.normalised()) append<GcnNorm<T>>(layers, context, name);
    append<GcnActivation<T>>(layers, context, name);
  }
}

template <class T>
void platonov(Layers<T>& layers, GcnContext<T>& context) {
  append<GcnInput<T>>(layers, context, "input", context.config.width);
  append<GcnActivation<T>>(layers, context, "input");
  for (int l = 1; l <= context.config.layers; ++l) {
    append<ResidualBlock<T>>(layers, context, "block" + std::to_string(l));
  }
  if (context.config.normalised()) append<GcnNorm<T>>(layers, context, "output");
}

}  // namespace

template <class T>
GcnNetwork<T>::GcnNetwork(Backend<T>& backend, const GcnInputs<T>& inputs, const GcnConfig& config,
                          Parameters<T>& parameters, Parameters<T>& statistics, Index classes, bool training)
    : context_{backend, inputs, config, parameters, statistics, training, {}} {
  const bool only_input = config.arch == GcnArch::kipf && config.layers == 1;
  hidden_ = only_input ? classes : config.width;
  backend.reserve(std::max(hidden_, classes), inputs.width(), false);
  context_.scratch = Matrix<T>(backend, inputs.nodes, std::max(hidden_, classes));
  if (config.arch == GcnArch::kipf) {
    kipf(layers_, context_, classes);
  } else {
    platonov(layers_, context_);
  }
  output_ = std::make_unique<GcnOutput<T>>(context_, classes, !only_input);
  labelled_ = Matrix<T>(backend, inputs.outputs, classes);
  score_ = Matrix<T>(backend, 1, 2);
  if (training) {
    h_bar_ = Matrix<T>(backend, inputs.nodes, hidden_);
    logits_bar_ = Matrix<T>(backend, inputs.outputs, classes);
  }
}

template <class T>
void GcnNetwork<T>::run() {
  View<T> h;
  for (const auto& layer : layers_) h = layer->forward(h);
  output_->forward(h);
}

template <class T>
void GcnNetwork<T>::predict() {
  context_.learning = false;
  run();
}

template <class T>
void GcnNetwork<T>::forward(const Stream& stream) {
  assert(context_.training);
  context_.learning = true;
  context_.stream = stream;
  run();
}

/// Leaves the score on the device and returns scale · gradient of the loss, row by row of `labels`.
template <class T>
View<T> GcnNetwork<T>::score_rows(const Labels& labels, T scale) {
  Backend<T>& backend = context_.backend;
  scored_ = labels.count();
  const View<T> rows = labelled_.view().block_rows(0, scored_), score = score_;
  backend.gather_rows(logits(), labels.row.data(), rows);
  backend.count_correct(rows, labels.label.data(), score.block_cols(1, 1));
  backend.fill(score.block_cols(0, 1), T(0));
  const T share = scored_ > 0 ? T(-1) / static_cast<T>(scored_) : T(0);
  backend.softmax_log_likelihood(rows, labels.label.data(), 1, share * scale, score.block_cols(0, 1));
  return rows;
}

template <class T>
void GcnNetwork<T>::score(const Labels& labels) {
  score_rows(labels, T(0));
}

template <class T>
void GcnNetwork<T>::backward(const Labels& labels, T scale) {
  assert(context_.learning);
  Backend<T>& backend = context_.backend;
  backend.fill(context_.parameters.gradients(), T(0));
  const View<T> rows_bar = score_rows(labels, scale);
  backend.fill(logits_bar_, T(0));
  backend.scatter_rows(rows_bar, labels.row.data(), logits_bar_);
  output_->backward(logits_bar_, h_bar_);
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) (*layer)->backward(h_bar_);
}

template <class T>
GcnScore GcnNetwork<T>::read_score() const {
  const auto host = score_.to_host();
  const auto count = static_cast<double>(scored_);
  return {-static_cast<double>(host[0]) / count, 100 * static_cast<double>(host[1]) / count};
}

template class GcnNetwork<float>;
template class GcnNetwork<double>;

}  // namespace gdkm
