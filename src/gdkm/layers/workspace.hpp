#pragma once

#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// Memory that layers share because no two of them need it at the same time. All of it is allocated when a
/// network is built.
template <class T>
class Workspace {
 public:
  /// A network that only predicts (`training` is false) needs no memory for gradients. `gradient_slots`: see
  /// gradient(). `all_nodes`: those of all ranks; as many as `nodes` where it is negative.
  Workspace(Backend<T>& backend, Index nodes, Index widest, bool training, int gradient_slots = 2,
            Index all_nodes = -1)
      : backend_(backend),
        nodes_(nodes),
        all_nodes_(all_nodes < 0 ? nodes : all_nodes),
        widest_(widest),
        training_(training),
        gradient_slots_(gradient_slots),
        scalars_(backend, 1, most_scalars),
        log_weight_(backend, 1, 2) {
    set_mean_weight(1);
  }

  /// The weight w of this batch in the means that are kept for prediction (see Center); the old mean has
  /// weight 1 − w. The logarithms are on the device, so that a recorded step can be replayed with another w.
  void set_mean_weight(double weight) {
    backend_.fill(log_weight_.view().block_cols(0, 1), static_cast<T>(std::log(weight)));
    backend_.fill(log_weight_.view().block_cols(1, 1), static_cast<T>(std::log1p(-weight)));
  }
  View<T> log_weight() const { return log_weight_.view().block_cols(0, 1); }
  View<T> log_weight_of_before() const { return log_weight_.view().block_cols(1, 1); }

  /// A scalar that a step writes; it is zero before. All scalars are in one row, so that one copy reads them.
  View<T> scalar() {
    if (used_scalars_ == most_scalars) throw std::length_error("[Workspace] too many layers");
    return scalars_.view().block_cols(used_scalars_++, 1);
  }
  View<T> scalars() const { return scalars_.view().block_cols(0, used_scalars_); }

  Backend<T>& backend() { return backend_; }
  Index nodes() const { return nodes_; }
  Index all_nodes() const { return all_nodes_; }
  bool training() const { return training_; }

  /// A temporary within one product K_ti·S. Products nest (mixing computes one of its input), hence `depth`.
  View<T> scratch(int depth, Index cols) { return shared(scratch_, depth, cols); }

  /// Memory for F̄_t. It is in use from the backward of the consumer to that of the producer, so two take
  /// turns along a chain. One is enough if every consumer, like MixInter, first mixes the gradient into
  /// scratch and then writes the gradient of its producer.
  View<T> gradient(Index cols) {
    if (!training_) return {};
    return shared(gradient_, turn_++ % gradient_slots_, cols);
  }

  /// The same for the state of a residual chain. Its F̄_t is in use throughout the backward of a block, from
  /// the sum at the end of the block to the producer of the state, while gradient() serves the layers within.
  View<T> state_gradient(Index cols) {
    if (!training_) return {};
    return shared(state_gradient_, state_turn_++ % 2, cols);
  }

  /// An m×m temporary within the backward of one layer.
  Matrix<T> small(int k, Index rows, Index cols) {
    if (!training_) return {};
    for (const auto& [key, matrix] : small_) {
      if (key == k && matrix.rows() == rows && matrix.cols() == cols) return matrix;
    }
    return small_.emplace_back(k, Matrix<T>(backend_, rows, cols)).second;
  }

 private:
  View<T> shared(std::vector<Matrix<T>>& from, int k, Index cols) {
    assert(cols <= widest_);
    while (static_cast<int>(from.size()) <= k) from.emplace_back(backend_, nodes_, widest_, Space::nodes);
    return from[static_cast<std::size_t>(k)].view().reshaped(nodes_, cols);
  }

  Backend<T>& backend_;
  Index nodes_, all_nodes_, widest_;
  bool training_;
  int gradient_slots_, turn_ = 0, state_turn_ = 0;
  static constexpr Index most_scalars = 4096;
  Matrix<T> scalars_, log_weight_;
  Index used_scalars_ = 0;
  std::vector<Matrix<T>> scratch_, gradient_, state_gradient_;
  std::vector<std::pair<int, Matrix<T>>> small_;
};

}  // namespace gdkm
