#pragma once

#include <type_traits>

#include "gdkm/models/model_config.hpp"

namespace gdkm {

/// Options that only a graph convolutional network has.
struct GcnOptions {
  Index width = 64;
  double dropout = 0.5;
  bool batch_norm = false;
  bool row_normalise = false;  // of hidden layers; rows of X are normalised with the data
  double weight_decay = 5e-4;  // of every weight matrix but the last, added to its gradient: Kipf's, at L = 2
};

/// Whether an architecture is the order of kipf, with its relations or with others.
constexpr bool is_kipf(Architecture arch) {
  return with_architecture(arch, []<class A>() { return std::is_base_of_v<Kipf, A>; });
}

/// Everything that defines a graph convolutional network, but for the data. With N the normalisation that
/// `batch_norm` and `row_normalise` ask for (gcn_norm.hpp; the identity without them) and φ =
/// dropout(relu(·)):
///
///     kipf      H_1 = φ(N(ÂX W_1) + b_1);  H_ℓ = φ(N(Â H_{ℓ−1} W_ℓ) + b_ℓ);  logits = Â H_{L−1} W_L + b_L
///     platonov  H_0 = φ(X W_0 + b_0);  H_ℓ = H_{ℓ−1} + φ(Â N(H_{ℓ−1}) W_ℓ + b_ℓ) V_ℓ + c_ℓ;
///               logits = N(H_L) W_{L+1} + b_{L+1}
///
/// `kipf` is that of Kipf & Welling (2017); `platonov` that of Platonov et al. (2023), a residual network
/// with two linear layers in each block, in the form in which kernels follow it: ReLU for their GELU, and no
/// dropout after the second linear layer. Inputs are not dropped, so that ÂX can be computed once. With R
/// relations each convolution Â H W is Σ_r P_r H W_r, and W has the rows of W_1, then those of W_2, and so
/// on. There is no GCN of the other architectures.
struct GcnConfig : GcnOptions {
  Architecture arch = Architecture::kipf;
  Index relations = 1;              // matrices to mix with, each with weights of its own
  int layers = 2;                   // graph convolutions
  Pooling pooling = Pooling::mean;  // of graphs, before the last linear layer

  bool normalised() const { return batch_norm || row_normalise; }
  /// Hidden layers H_1, H_2, …
  int hidden_layers() const { return arch == Architecture::kipf ? layers - 1 : layers; }
};

}  // namespace gdkm
