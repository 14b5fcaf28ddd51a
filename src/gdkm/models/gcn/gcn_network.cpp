#include "gdkm/models/gcn/gcn_network.hpp"

#include <algorithm>

#include "gdkm/models/gcn/gcn_activation.hpp"
#include "gdkm/models/gcn/gcn_input.hpp"
#include "gdkm/models/gcn/gcn_norm.hpp"
#include "gdkm/models/gcn/graph_convolution.hpp"
#include "gdkm/models/gcn/residual_block.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

template <class T>
using Layers = std::vector<std::unique_ptr<GcnLayer<T>>>;

template <class Layer, class T, class... Arguments>
void append(Layers<T>& layers, GcnContext<T>& context, Arguments&&... arguments) {
  layers.push_back(std::make_unique<Layer>(context, std::forward<Arguments>(arguments)...));
}

/// Appends the layers and returns how many there are after each hidden layer of the equations.
template <class T>
std::vector<std::size_t> kipf(Layers<T>& layers, GcnContext<T>& context, Index classes) {
  std::vector<std::size_t> ends;
  if (context.config.layers == 1) append<GcnInput<T>>(layers, context, "output", classes);
  for (int l = 1; l < context.config.layers; ++l) {
    const std::string name = "layer" + std::to_string(l);
    if (l == 1) {
      append<GcnInput<T>>(layers, context, name, context.config.width);
    } else {
      append<GraphConvolution<T>>(layers, context, name);
    }
    if (context.config.normalised()) append<GcnNorm<T>>(layers, context, name);
    append<GcnActivation<T>>(layers, context, name);
    ends.push_back(layers.size());
  }
  return ends;
}

template <class T>
std::vector<std::size_t> platonov(Layers<T>& layers, GcnContext<T>& context) {
  std::vector<std::size_t> ends;
  append<GcnInput<T>>(layers, context, "input", context.config.width);
  append<GcnActivation<T>>(layers, context, "input");
  for (int l = 1; l <= context.config.layers; ++l) {
    append<ResidualBlock<T>>(layers, context, "block" + std::to_string(l));
    ends.push_back(layers.size());
  }
  if (context.config.normalised()) append<GcnNorm<T>>(layers, context, "output");
  return ends;
}

}  // namespace

template <class T>
GcnNetwork<T>::GcnNetwork(Backend<T>& backend, const GcnInputs<T>& inputs, const GcnConfig& config,
                          Parameters<T>& parameters, Parameters<T>& statistics, Index classes, bool training)
    : context_{backend, inputs, config, parameters, statistics, training, {}} {
  const bool only_input = config.arch == Architecture::kipf && config.layers == 1;
  const Index width = only_input ? classes : config.width;
  backend.reserve(std::max(config.relations * width, classes), inputs.width(), false);
  context_.scratch = Matrix<T>(backend, inputs.nodes, std::max(width, classes));
  if (config.arch == Architecture::kipf) {
    block_end_ = kipf(layers_, context_, classes);
  } else if (config.arch == Architecture::platonov) {
    block_end_ = platonov(layers_, context_);
  } else {
    throw OptionError("arch", name_of(config.arch), "a GCN is kipf or platonov", "use one of these");
  }
  hidden_.resize(block_end_.size());
  output_ = std::make_unique<GcnOutput<T>>(context_, classes, !only_input);
  labelled_ = Matrix<T>(backend, inputs.outputs, classes);
  score_ = Matrix<T>(backend, 1, 2);
  part_ = Matrix<T>(backend, 1, 1);
  if (training) {
    h_bar_ = Matrix<T>(backend, inputs.nodes, width);
    logits_bar_ = Matrix<T>(backend, inputs.outputs, classes);
  }
}

template <class T>
void GcnNetwork<T>::run() {
  View<T> h;
  std::size_t block = 0;
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    h = layers_[k]->forward(h);
    if (block < block_end_.size() && k + 1 == block_end_[block]) hidden_[block++] = h;
  }
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
  by_weight<T>(backend, labels.weights, 0, scored_, part_, score.block_cols(0, 1),
               [&](Index at, Index count, T weight, View<T> value) {
                 backend.softmax_log_likelihood(rows.block_rows(at, count), labels.label.data() + at, 1,
                                                weight * share * scale, value);
               });
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
GcnScore GcnNetwork<T>::score_from(std::span<const T> numbers) const {
  const auto count = static_cast<double>(scored_);
  return {-static_cast<double>(numbers[0]) / count, 100 * static_cast<double>(numbers[1]) / count};
}

template <class T>
GcnScore GcnNetwork<T>::read_score() const {
  return score_from(score_.to_host());
}

template class GcnNetwork<float>;
template class GcnNetwork<double>;

}  // namespace gdkm
