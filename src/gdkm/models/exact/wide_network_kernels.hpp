#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "gdkm/graph/features.hpp"
#include "gdkm/graph/relation.hpp"
#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// Closed-form kernels over all n nodes of random graph networks of infinite width. W and V are independent
/// normal weights of variance 1/width, or of variance 1 where they multiply X. σ is √2·ReLU for the
/// arc-cosine Φ; for another Φ it is the nonlinearity that has Φ as its kernel. There are no biases. Each
/// function returns the kernel of the outputs Z_L, to which no σ is applied. H_0 = X unless stated otherwise.
///
/// A kernel needs up to three n × n matrices; see features_gram.hpp for the largest possible n. It is on
/// `device` if one is given, and on the host otherwise.

/// A network that mixes by relations, each with weights of its own:  Z_ℓ = Σ_r √w_ℓr P_r H_{ℓ−1} W_ℓr,
/// H_ℓ = σ(Z_ℓ).
///
///   K_ℓ = Σ_r w_ℓr P_r C P_rᵀ,   C = XXᵀ for ℓ = 1, Φ(K_{ℓ−1}) for ℓ > 1
///
/// `weights` has w_ℓr layer by layer; if it is empty, each is 1/R. So GCN is the relation Â, GraphSAGE with
/// mean aggregation I and D⁻¹A, Dir-GCN I and the two directions, MixHop powers of Â, R-GCN I and one matrix
/// for each type of edges. `degree` > 0: the one matrix is Â of P = Σ_k γ_k Â^k, with γ as first_gamma has
/// it.
Dense relation_kernel(const Relations& relations, const std::vector<std::vector<double>>& weights,
                      const Features& x, int layers, KernelKind kind = KernelKind::arccos, int degree = 0,
                      Backend<double>* device = nullptr);

/// One relation, Â:  K_1 = Â XXᵀ Âᵀ,   K_ℓ = Â Φ(K_{ℓ−1}) Âᵀ.
Dense gcn_kernel(const Csr& mixing, const Features& x, int layers, KernelKind kind = KernelKind::arccos);

/// GIN with perceptrons of one hidden layer:  Z_ℓ = σ(B H_{ℓ−1} V_ℓ) W_ℓ,  H_ℓ = σ(Z_ℓ), where B is the
/// relation A + I. It is not normalised, so the scale grows with the degree of a node.
///
///   K_ℓ = Φ(B C Bᵀ),   C = XXᵀ for ℓ = 1, Φ(K_{ℓ−1}) for ℓ > 1
Dense gin_kernel(const Relations& relations, const Features& x, int layers,
                 KernelKind kind = KernelKind::arccos, Backend<double>* device = nullptr);

/// H2GCN, linear after its first layer:  H_0 = σ(X W_0),  H_ℓ = √½ (H_{ℓ−1} V_ℓ + Σ_r √w_r P_r H_{ℓ−1} W_ℓr),
/// with w_r = 1/R.
///
///   K_0 = Φ(XXᵀ),   K_ℓ = ½ (K_{ℓ−1} + Σ_r w_r P_r K_{ℓ−1} P_rᵀ)
Dense h2gcn_kernel(const Relations& relations, const Features& x, int layers,
                   KernelKind kind = KernelKind::arccos, Backend<double>* device = nullptr);

struct GcniiOptions {
  double alpha = 0.1;  // weight of H_0
  double beta = 0.5;   // weight of W_ℓ against V_ℓ
};

/// GCNII:  H_0 = σ(X W_0),  Z_ℓ = M_ℓ ((1−β) V_ℓ + β W_ℓ),  M_ℓ = (1−α) Â H_{ℓ−1} + α H_0,  H_ℓ = σ(Z_ℓ).
///
/// The published network has I in place of V_ℓ, a fixed random matrix with variance 1/width like W_ℓ. With I,
/// the rectified columns of M_ℓ would pass through unmixed and Z_ℓ would not be normal, so there would be no
/// closed form beyond one layer. V_ℓ has the same effect on the scale as I. For ℓ > 1 the columns of H_{ℓ−1}
/// and H_0 are independent, but their means μ (√(diag(K)/π) for the arc-cosine, otherwise 0) add a cross
/// term:
///
///   K_ℓ = ((1−β)² + β²) [(1−α)² Â C Âᵀ + α² C_0 + α(1−α) (Âμ μ_0ᵀ + μ_0 (Âμ)ᵀ)],
///
/// with C = Φ(K_{ℓ−1}) and C_0 = Φ(XXᵀ). In K_1, where H_{ℓ−1} = H_0, the bracket is B C_0 Bᵀ with
/// B = (1−α)Â + αI.
Dense gcnii_kernel(const Csr& mixing, const Features& x, int layers, const GcniiOptions& options = {},
                   KernelKind kind = KernelKind::arccos, Backend<double>* device = nullptr);

/// Baselines that ignore the graph: XXᵀ, and exp(−‖x − x'‖² / (2 length²)).
Dense linear_kernel(const Features& x, Backend<double>* device = nullptr);
Dense rbf_kernel(const Features& x, double length = 1, Backend<double>* device = nullptr);

struct WideNetworkInputs {
  const Relations& relations;  // those that the entry names, or others for the network `gcn`
  const Features& x;
  int layers;
  KernelKind kernel;
  int degree = 0;                     // of a polynomial
  Backend<double>* device = nullptr;  // where; null for the host
};

/// The entry of a network that users can choose by name.
struct WideNetwork {
  std::string_view name;
  /// What it mixes with, as users write it; nothing for a network that uses no graph, which has neither
  /// layers nor a nonlinearity.
  const char* relations;
  Dense (*kernel)(const WideNetworkInputs& inputs);
  /// What stands for `relations` where edges keep their direction; null for the same.
  const char* directed_relations = nullptr;

  bool uses_graph() const { return *relations != 0; }
};

std::span<const WideNetwork> wide_networks();
/// The network of that name, which must be one of wide_networks().
const WideNetwork& wide_network(std::string_view name);

}  // namespace gdkm
