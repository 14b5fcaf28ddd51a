#pragma once

#include "gdkm/graph/features.hpp"
#include "gdkm/kernels/kernel_kind.hpp"
#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// Kernels over all n nodes of infinitely wide random graph networks, in closed form. W and V are independent
/// normal weights, of variance 1/width, but 1 where they meet X; σ is √2·ReLU, which the arc-cosine Φ stands
/// for (another Φ: the network whose kernel that is). The kernel is that of the outputs Z_L, which have no σ.
/// H_0 = X where nothing else is said; no biases.
///
/// Each takes one n × n matrix (GCN, GIN, baselines) or two (SAGE, GCNII). Where these would take more than
/// this many bytes, an InputError says how many nodes would do: 32,768, or 23,170.
inline constexpr std::size_t kernel_memory_limit = std::size_t{8} << 30;

/// GCN:  Z_ℓ = Â H_{ℓ−1} W_ℓ,  H_ℓ = σ(Z_ℓ).
///
///   K_1 = Â XXᵀ Âᵀ,   K_ℓ = Â Φ(K_{ℓ−1}) Âᵀ
Dense gcn_kernel(const Csr& mixing, const Features& x, int layers, KernelKind kind = KernelKind::arccos);

/// GraphSAGE with mean aggregation:  Z_ℓ = (H_{ℓ−1} W_ℓ + D⁻¹A H_{ℓ−1} V_ℓ)/√2,  H_ℓ = σ(Z_ℓ), with D the row
/// sums of A; a node without neighbours aggregates 0. The √2 keeps the scale through the layers.
///
///   K_ℓ = ½ (C + D⁻¹A C (D⁻¹A)ᵀ),   C = XXᵀ for ℓ = 1, Φ(K_{ℓ−1}) after
Dense sage_kernel(const Csr& adjacency, const Features& x, int layers, KernelKind kind = KernelKind::arccos);

/// GIN with perceptrons of one hidden layer:  Z_ℓ = σ(B H_{ℓ−1} V_ℓ) W_ℓ,  B = A + (1 + ε) I,  H_ℓ = σ(Z_ℓ).
/// A is not normalised, so the scale of a node grows with its degree.
///
///   K_ℓ = Φ(B C Bᵀ),   C = XXᵀ for ℓ = 1, Φ(K_{ℓ−1}) after
Dense gin_kernel(const Csr& adjacency, const Features& x, int layers, double epsilon = 0,
                 KernelKind kind = KernelKind::arccos);

struct GcniiOptions {
  double alpha = 0.1;  // share of the first features
  double beta = 0.5;   // share of the learned weights
};

/// GCNII:  H_0 = σ(X W_0),  Z_ℓ = M_ℓ ((1−β) V_ℓ + β W_ℓ),  M_ℓ = (1−α) Â H_{ℓ−1} + α H_0,  H_ℓ = σ(Z_ℓ).
///
/// V_ℓ stands where the published network has I: a fixed random matrix, normal of variance 1/width like W_ℓ.
/// With I the rectified columns of M_ℓ pass through unmixed, Z_ℓ is not normal, and beyond one layer there is
/// no closed form; V keeps what I does to the scale. Columns of H_{ℓ−1} and H_0 are independent for ℓ > 1,
/// but their means μ = √(diag(K)/π) (under the arc-cosine; else 0) are not 0 and make a cross term:
///
///   K_ℓ = ((1−β)² + β²) [(1−α)² Â C Âᵀ + α² C_0 + α(1−α) (Âμ μ_0ᵀ + μ_0 (Âμ)ᵀ)],
///
/// C = Φ(K_{ℓ−1}), C_0 = Φ(XXᵀ); in K_1, where H_{ℓ−1} = H_0, the bracket is B C_0 Bᵀ, B = (1−α)Â + αI.
Dense gcnii_kernel(const Csr& mixing, const Features& x, int layers, const GcniiOptions& options = {},
                   KernelKind kind = KernelKind::arccos);

/// Baselines without a graph: XXᵀ, and exp(−‖x − x'‖² / (2 length²)).
Dense linear_kernel(const Features& x);
Dense rbf_kernel(const Features& x, double length = 1);

}  // namespace gdkm
