#pragma once

#include "gdkm/experiments/figures/figure.hpp"
#include "gdkm/linalg/dense.hpp"

namespace gdkm {

/// Kernels of linear models with two layers on an Erdős–Rényi graph, whose edges know nothing of the labels:
/// the DKM's G_2 in closed form between XXᵀ/d and yyᵀ + nugget I, y = ±1, and the NNGP's Â_λ² XXᵀ/d Â_λ²ᵀ.
struct ErLambdaOptions {
  Index nodes = 50, features = 50;
  double p = 0.1;
  std::vector<double> lambda{0.1, 0.3, 0.5, 1};
  double nugget = 1e-2;
  std::uint64_t seed = 0;
};

struct ErLambda {
  std::vector<std::int32_t> label;  // of the nodes, ascending
  Dense labels;                     // yyᵀ
  struct Column {
    double lambda = 0;
    Dense dkm, nngp;
    double dkm_cka = 0, nngp_cka = 0;  // with yyᵀ
  };
  std::vector<Column> columns;
};

ErLambda er_lambda(const ErLambdaOptions& options);
Figure er_lambda_figure(const ErLambda& kernels);

}  // namespace gdkm
