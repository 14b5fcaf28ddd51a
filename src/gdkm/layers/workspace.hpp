#pragma once

#include <vector>

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// Memory of the size "nodes × columns" that layers share, because no two of them need it at the same time;
/// all of it is taken when a network is built.
template <class T>
class Workspace {
 public:
  /// A network that only predicts (`training` false) gets no memory for gradients.
  Workspace(Backend<T>& backend, Index nodes, Index widest, bool training)
      : backend_(backend), nodes_(nodes), widest_(widest), training_(training) {}

  Backend<T>& backend() { return backend_; }
  Index nodes() const { return nodes_; }
  bool training() const { return training_; }

  /// For the inside of one product K_ti·S. Products nest (a mix asks its input for one), hence `depth`.
  View<T> scratch(int depth, Index cols) { return shared(scratch_, depth, cols); }

  /// For F̄_t: it lives from the consumer's backward to the producer's, so two take turns along a chain.
  View<T> gradient(Index cols) {
    if (!training_) return {};
    return shared(gradient_, turn_++ % 2, cols);
  }

 private:
  View<T> shared(std::vector<Matrix<T>>& from, int k, Index cols) {
    assert(cols <= widest_);
    while (static_cast<int>(from.size()) <= k) from.emplace_back(backend_, nodes_, widest_);
    return {from[static_cast<std::size_t>(k)].view().data, nodes_, cols};
  }

  Backend<T>& backend_;
  Index nodes_, widest_;
  bool training_;
  int turn_ = 0;
  std::vector<Matrix<T>> scratch_, gradient_;
};

}  // namespace gdkm
