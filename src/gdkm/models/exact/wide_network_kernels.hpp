#pragma once

#include <span>
#include <string_view>

#include "gdkm/graph/features.hpp"
#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// Closed-form kernels over all n nodes of random graph networks of infinite width. W and V are independent
/// normal weights of variance 1/width, or of variance 1 where they multiply X. σ is √2·ReLU for the
/// arc-cosine Φ; for another Φ it is the nonlinearity that has Φ as its kernel. There are no biases. Each
/// function returns the kernel of the outputs Z_L, to which no σ is applied. H_0 = X unless stated otherwise.
///
/// A kernel needs one n × n matrix (GCN, GIN, baselines) or two (SAGE, GCNII). If they would take more than
/// this many bytes, the functions throw an InputError with the largest possible n: 32,768, or 23,170.
inline constexpr std::size_t kernel_memory_limit = std::size_t{8} << 30;

/// GCN:  Z_ℓ = Â H_{ℓ−1} W_ℓ,  H_ℓ = σ(Z_ℓ).
///
///   K_1 = Â XXᵀ Âᵀ,   K_ℓ = Â Φ(K_{ℓ−1}) Âᵀ
Dense gcn_kernel(const Csr& mixing, const Features& x, int layers, KernelKind kind = KernelKind::arccos);

/// GraphSAGE with mean aggregation:  Z_ℓ = (H_{ℓ−1} W_ℓ + D⁻¹A H_{ℓ−1} V_ℓ)/√2,  H_ℓ = σ(Z_ℓ), where D has
/// the row sums of A. The aggregate of a node without neighbours is 0. The √2 keeps the scale constant over
/// layers.
///
///   K_ℓ = ½ (C + D⁻¹A C (D⁻¹A)ᵀ),   C = XXᵀ for ℓ = 1, Φ(K_{ℓ−1}) for ℓ > 1
Dense sage_kernel(const Csr& adjacency, const Features& x, int layers, KernelKind kind = KernelKind::arccos);

/// GIN with perceptrons of one hidden layer:  Z_ℓ = σ(B H_{ℓ−1} V_ℓ) W_ℓ,  B = A + (1 + ε) I,  H_ℓ = σ(Z_ℓ).
/// A is not normalised, so the scale grows with the degree of a node.
///
///   K_ℓ = Φ(B C Bᵀ),   C = XXᵀ for ℓ = 1, Φ(K_{ℓ−1}) for ℓ > 1
Dense gin_kernel(const Csr& adjacency, const Features& x, int layers, double epsilon = 0,
                 KernelKind kind = KernelKind::arccos);

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
                   KernelKind kind = KernelKind::arccos);

/// Baselines that ignore the graph: XXᵀ, and exp(−‖x − x'‖² / (2 length²)).
Dense linear_kernel(const Features& x);
Dense rbf_kernel(const Features& x, double length = 1);

/// The matrix of the graph that a network uses: Â_λ, the plain adjacency A, or none. Only a network that uses
/// Â_λ depends on λ; one that uses no graph has neither layers nor a nonlinearity.
enum class GraphMatrix { mixing, adjacency, none };

struct WideNetworkInputs {
  const Csr& graph;  // the matrix that GraphMatrix names; ignored for GraphMatrix::none
  const Features& x;
  int layers;
  KernelKind kernel;
};

/// The entry of a network that users can choose by name.
struct WideNetwork {
  std::string_view name;
  GraphMatrix graph;
  Dense (*kernel)(const WideNetworkInputs& inputs);
};

std::span<const WideNetwork> wide_networks();
/// The network of that name, which must be one of wide_networks().
const WideNetwork& wide_network(std::string_view name);

}  // namespace gdkm
