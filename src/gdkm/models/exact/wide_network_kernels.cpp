#include "gdkm/models/exact/wide_network_kernels.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <string>

#include "gdkm/models/exact/gram_nonlinearity.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
void check_memory(Index nodes, int matrices) {
  const double limit = static_cast<double>(kernel_memory_limit);
  const double largest = std::floor(std::sqrt(limit / (8.0 * matrices)));
  if (static_cast<double>(nodes) <= largest) return;
  throw InputError("an exact kernel of " + std::to_string(nodes) + " nodes needs " +
                   std::to_string(matrices) + " n x n matrices and at most " +
                   std::to_string(static_cast<Index>(largest)) + " nodes fit; use " + option("landmarks") +
                   " in place of " + option("exact"));
}

/// Adds XXᵀ of a sparse X to k, column by column: a column adds to every pair of its nodes.
void add_sparse_gram(const Csr& x, Dense& k) {
  const Csr columns = transpose(x);
  for (Index r = 0; r < x.rows; ++r) {
    double* row = k.row(r);
    for (Index e = x.row_start[r]; e < x.row_start[r + 1]; ++e) {
      const Index c = x.col[e];
      for (Index f = columns.row_start[c]; f < columns.row_start[c + 1]; ++f) {
        row[columns.col[f]] += x.value[e] * columns.value[f];
      }
    }
  }
}

/// Adds XXᵀ to k by dense products over strips of columns, so that a wide sparse X never becomes dense as a
/// whole.
void add_dense_gram(const Features& x, Dense& k) {
  constexpr Index width = 512;
  const Csr columns = x.is_sparse ? transpose(x.sparse) : Csr{};
  for (Index begin = 0; begin < x.cols; begin += width) {
    Dense strip(x.rows, std::min(width, x.cols - begin));
    for (Index c = 0; c < strip.cols; ++c) {
      if (!x.is_sparse) {
        for (Index r = 0; r < x.rows; ++r) {
          strip(r, c) = static_cast<double>(x.dense[static_cast<std::size_t>(r * x.cols + begin + c)]);
        }
        continue;
      }
      for (Index e = columns.row_start[begin + c]; e < columns.row_start[begin + c + 1]; ++e) {
        strip(columns.col[e], c) = columns.value[e];
      }
    }
    add_gram(strip, k);
  }
}

/// The number of products that add_sparse_gram computes.
double sparse_gram_work(const Csr& x) {
  std::vector<double> count(static_cast<std::size_t>(x.cols));
  for (const auto c : x.col) ++count[c];
  double sum = 0;
  for (const double v : count) sum += v * v;
  return sum;
}

Csr row_normalised(Csr a) {
  for (Index r = 0; r < a.rows; ++r) {
    double sum = 0;
    for (Index e = a.row_start[r]; e < a.row_start[r + 1]; ++e) sum += a.value[e];
    for (Index e = a.row_start[r]; e < a.row_start[r + 1]; ++e) a.value[e] /= sum;
  }
  return a;
}

/// α A + β I.
Csr combine_with_identity(double alpha, const Csr& a, double beta) {
  std::vector<Triplet> entries;
  entries.reserve(a.col.size() + static_cast<std::size_t>(a.rows));
  for (Index r = 0; r < a.rows; ++r) {
    const auto row = static_cast<std::int32_t>(r);
    for (Index e = a.row_start[r]; e < a.row_start[r + 1]; ++e) {
      entries.push_back({row, a.col[e], alpha * a.value[e]});
    }
    entries.push_back({row, row, beta});
  }
  return csr_from_triplets(a.rows, a.cols, std::move(entries));
}

Dense features_gram(const Features& x, int matrices) {
  check_memory(x.rows, matrices);
  Dense k(x.rows, x.rows);
  const double dense_work =
      static_cast<double>(x.rows) * static_cast<double>(x.rows) * static_cast<double>(x.cols);
  if (x.is_sparse && 16 * sparse_gram_work(x.sparse) < dense_work) {
    add_sparse_gram(x.sparse, k);
  } else {
    add_dense_gram(x, k);
  }
  return k;
}

/// The mean of σ(Z) for every node, where k is the kernel of Z.
Dense mean_activations(KernelKind kind, const Dense& k) {
  Dense mean(k.rows, 1);
  with_kernel(kind, [&]<template <class> class K>() {
    for (Index r = 0; r < k.rows; ++r) mean(r, 0) = K<double>::mean_activation(k(r, r));
  });
  return mean;
}

/// The networks that users can choose.
constexpr WideNetwork entries[] = {
    {"gcn", GraphMatrix::mixing,
     [](const WideNetworkInputs& in) { return gcn_kernel(in.graph, in.x, in.layers, in.kernel); }},
    {"sage", GraphMatrix::adjacency,
     [](const WideNetworkInputs& in) { return sage_kernel(in.graph, in.x, in.layers, in.kernel); }},
    {"gin", GraphMatrix::adjacency,
     [](const WideNetworkInputs& in) { return gin_kernel(in.graph, in.x, in.layers, 0, in.kernel); }},
    {"gcnii", GraphMatrix::mixing,
     [](const WideNetworkInputs& in) { return gcnii_kernel(in.graph, in.x, in.layers, {}, in.kernel); }},
    {"rbf", GraphMatrix::none, [](const WideNetworkInputs& in) { return rbf_kernel(in.x); }},
    {"linear", GraphMatrix::none, [](const WideNetworkInputs& in) { return linear_kernel(in.x); }},
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

Dense gcn_kernel(const Csr& mixing, const Features& x, int layers, KernelKind kind) {
  assert(layers >= 1 && mixing.rows == x.rows);
  Dense k = features_gram(x, 1);
  mix_both_sides(mixing, k);
  for (int layer = 2; layer <= layers; ++layer) {
    apply_nonlinearity(kind, k);
    mix_both_sides(mixing, k);
  }
  return k;
}

Dense sage_kernel(const Csr& adjacency, const Features& x, int layers, KernelKind kind) {
  assert(layers >= 1 && adjacency.rows == x.rows);
  const Csr average = row_normalised(adjacency);
  Dense k = features_gram(x, 2);
  for (int layer = 1; layer <= layers; ++layer) {
    if (layer > 1) apply_nonlinearity(kind, k);
    const Dense own = k;
    mix_both_sides(average, k);
    add(0.5, k, 0.5, own);
  }
  return k;
}

Dense gin_kernel(const Csr& adjacency, const Features& x, int layers, double epsilon, KernelKind kind) {
  assert(layers >= 1 && adjacency.rows == x.rows);
  const Csr aggregate = combine_with_identity(1, adjacency, 1 + epsilon);
  Dense k = features_gram(x, 1);
  for (int layer = 1; layer <= layers; ++layer) {
    if (layer > 1) apply_nonlinearity(kind, k);
    mix_both_sides(aggregate, k);
    apply_nonlinearity(kind, k);
  }
  return k;
}

Dense gcnii_kernel(const Csr& mixing, const Features& x, int layers, const GcniiOptions& options,
                   KernelKind kind) {
  assert(layers >= 1 && mixing.rows == x.rows);
  const double alpha = options.alpha, beta = options.beta, scale = (1 - beta) * (1 - beta) + beta * beta;
  Dense first = features_gram(x, 2);
  const Dense first_mean = mean_activations(kind, first);
  apply_nonlinearity(kind, first);
  Dense k = first;
  mix_both_sides(combine_with_identity(1 - alpha, mixing, alpha), k);
  for (double& v : k.value) v *= scale;
  for (int layer = 2; layer <= layers; ++layer) {
    const Dense mean = multiply(mixing, mean_activations(kind, k));
    apply_nonlinearity(kind, k);
    mix_both_sides(mixing, k);
    for (Index i = 0; i < k.rows; ++i) {
      for (Index j = 0; j < k.cols; ++j) {
        const double cross = mean(i, 0) * first_mean(j, 0) + first_mean(i, 0) * mean(j, 0);
        k(i, j) = scale * ((1 - alpha) * (1 - alpha) * k(i, j) + alpha * alpha * first(i, j) +
                           alpha * (1 - alpha) * cross);
      }
    }
  }
  return k;
}

Dense linear_kernel(const Features& x) {
  return features_gram(x, 1);
}

Dense rbf_kernel(const Features& x, double length) {
  Dense k = features_gram(x, 1);
  for (double& v : k.value) v /= length * length;
  apply_nonlinearity(KernelKind::rbf, k);
  return k;
}

}  // namespace gdkm
