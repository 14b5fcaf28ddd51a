#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gdkm/layers/readout.hpp"
#include "gdkm/models/gcn/gcn_output.hpp"

namespace gdkm {

/// How good the logits of labelled rows are.
struct GcnScore {
  double loss = 0;      // mean cross-entropy
  double accuracy = 0;  // percent
};

/// A GCN on particular inputs: layers over shared parameters, with all the memory that a step needs. One that
/// is not for `training` can only predict.
template <class T>
class GcnNetwork {
 public:
  GcnNetwork(Backend<T>& backend, const GcnInputs<T>& inputs, const GcnConfig& config,
             Parameters<T>& parameters, Parameters<T>& statistics, Index classes, bool training);

  GcnNetwork(const GcnNetwork&) = delete;  // its layers refer to its context
  GcnNetwork& operator=(const GcnNetwork&) = delete;

  /// As in prediction: no dropout, running moments.
  void predict();
  /// As in training, with the dropout of `stream`, whose step and clock count passes.
  void forward(const Stream& stream);
  /// Scores the last pass on `labels`, which name rows of the logits.
  void score(const Labels& labels);
  /// The same, and the gradients of scale · loss, after `forward`. Gradients of earlier passes are forgotten.
  void backward(const Labels& labels, T scale = T(1));
  /// The numbers that a score leaves on the device, side by side; the next function interprets them.
  View<T> numbers() const { return score_; }
  GcnScore score_from(std::span<const T> numbers) const;
  /// Reads the last score from the device.
  GcnScore read_score() const;

  View<T> logits() const { return output_->logits(); }
  /// H_layer of the last pass (nodes × width), for layer 1 … config.hidden_layers(); the last of
  /// `platonov` is N(H_L), which the output layer takes.
  View<T> hidden(int layer) const { return hidden_[static_cast<std::size_t>(layer) - 1]; }

 private:
  void run();
  View<T> score_rows(const Labels& labels, T scale);

  GcnContext<T> context_;
  std::vector<std::unique_ptr<GcnLayer<T>>> layers_;
  std::unique_ptr<GcnOutput<T>> output_;
  std::vector<std::size_t> block_end_;  // layers_ up to and with each hidden layer
  std::vector<View<T>> hidden_;
  Index scored_ = 0;
  Matrix<T> h_bar_, logits_bar_, labelled_, score_, part_;
};

}  // namespace gdkm
