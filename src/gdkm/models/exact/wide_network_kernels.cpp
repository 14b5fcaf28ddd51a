#include "gdkm/models/exact/wide_network_kernels.hpp"

#include <cassert>
#include <stdexcept>
#include <string>

#include "gdkm/linalg/csr_plus_identity.hpp"
#include "gdkm/models/exact/features_gram.hpp"
#include "gdkm/models/exact/gram_nonlinearity.hpp"
#include "gdkm/models/exact/relation_mixing.hpp"

namespace gdkm {

namespace {
/// The mean of σ(Z) for every node, where k is the kernel of Z.
Dense mean_activations(KernelKind kind, const Dense& k) {
  Dense mean(k.rows, 1, diagonal(k));
  with_kernel(kind, [&]<template <class> class K>() {
    for (double& v : mean.value) v = K<double>::mean_activation(v);
  });
  return mean;
}

Dense by_relations(const WideNetworkInputs& in) {
  return relation_kernel(in.relations, {}, in.x, in.layers, in.kernel, in.degree, in.device);
}

/// The networks that users can choose.
constexpr WideNetwork entries[] = {
    {"gcn", "gcn", by_relations},
    {"sage", "self,und:row", by_relations, "self,in:row"},
    {"gin", "gin",
     [](const WideNetworkInputs& in) {
       return gin_kernel(in.relations, in.x, in.layers, in.kernel, in.device);
     }},
    {"gcnii", "gcn",
     [](const WideNetworkInputs& in) {
       return gcnii_kernel(in.relations.first(), in.x, in.layers, {}, in.kernel, in.device);
     }},
    {"mixhop", "self,gcn,gcn2", by_relations},
    {"h2gcn", "und,hop2",
     [](const WideNetworkInputs& in) {
       return h2gcn_kernel(in.relations, in.x, in.layers, in.kernel, in.device);
     }},
    {"rgcn", "self,types:row", by_relations},
    {"dirgnn", "self,in,out", by_relations},
    {"gpr", "poly:3", by_relations},
    {"rbf", "", [](const WideNetworkInputs& in) { return rbf_kernel(in.x, 1, in.device); }},
    {"linear", "", [](const WideNetworkInputs& in) { return linear_kernel(in.x, in.device); }},
};
}  // namespace

std::span<const WideNetwork> wide_networks() {
  return entries;
}

const WideNetwork& wide_network(std::string_view name) {
  for (const WideNetwork& each : entries) {
    if (each.name == name) return each;
  }
  throw std::logic_error("[wide_network] no network is named '" + std::string(name) + "'");
}

Dense relation_kernel(const Relations& relations, const std::vector<std::vector<double>>& weights,
                      const Features& x, int layers, KernelKind kind, int degree, Backend<double>* device) {
  assert(layers >= 1 && relations.nodes() == x.rows);
  assert(weights.empty() || weights.size() == static_cast<std::size_t>(layers));
  const RelationMixing mixing(relations, degree);
  Dense k = features_gram(x, mixing.matrices(), device);
  for (int layer = 1; layer <= layers; ++layer) {
    if (layer > 1) apply_nonlinearity(kind, k);
    mixing.mix(weights.empty() ? mixing.equal_weights() : weights[static_cast<std::size_t>(layer) - 1], k);
  }
  return k;
}

Dense gcn_kernel(const Csr& mixing, const Features& x, int layers, KernelKind kind) {
  return relation_kernel(Relations(mixing), {}, x, layers, kind);
}

Dense gin_kernel(const Relations& relations, const Features& x, int layers, KernelKind kind,
                 Backend<double>* device) {
  assert(layers >= 1 && relations.nodes() == x.rows);
  const RelationMixing mixing(relations);
  Dense k = features_gram(x, mixing.matrices(), device);
  for (int layer = 1; layer <= layers; ++layer) {
    if (layer > 1) apply_nonlinearity(kind, k);
    mixing.mix(mixing.equal_weights(), k);
    apply_nonlinearity(kind, k);
  }
  return k;
}

Dense h2gcn_kernel(const Relations& relations, const Features& x, int layers, KernelKind kind,
                   Backend<double>* device) {
  assert(layers >= 1 && relations.nodes() == x.rows);
  const RelationMixing mixing(relations);
  auto half = mixing.equal_weights();
  for (double& w : half) w /= 2;
  Dense k = features_gram(x, mixing.matrices(true), device);
  apply_nonlinearity(kind, k);
  for (int layer = 1; layer <= layers; ++layer) mixing.mix(half, k, 0.5);
  return k;
}

Dense gcnii_kernel(const Csr& mixing, const Features& x, int layers, const GcniiOptions& options,
                   KernelKind kind, Backend<double>* device) {
  assert(layers >= 1 && mixing.rows == x.rows);
  const double alpha = options.alpha, beta = options.beta, factor = (1 - beta) * (1 - beta) + beta * beta;
  Dense first = features_gram(x, 2, device);
  const Dense first_mean = mean_activations(kind, first);
  apply_nonlinearity(kind, first);
  Dense k = first;
  mix_both_sides(combine_with_identity(1 - alpha, mixing, alpha), k);
  scale(factor, k);
  for (int layer = 2; layer <= layers; ++layer) {
    const Dense mean = multiply(mixing, mean_activations(kind, k));
    apply_nonlinearity(kind, k);
    mix_both_sides(mixing, k);
    add(factor * (1 - alpha) * (1 - alpha), k, factor * alpha * alpha, first);
    add_outer(factor * alpha * (1 - alpha), mean.value, first_mean.value, k);
  }
  return k;
}

Dense linear_kernel(const Features& x, Backend<double>* device) {
  return features_gram(x, 1, device);
}

Dense rbf_kernel(const Features& x, double length, Backend<double>* device) {
  Dense k = features_gram(x, 1, device);
  scale(1 / (length * length), k);
  apply_nonlinearity(KernelKind::rbf, k);
  return k;
}

}  // namespace gdkm
