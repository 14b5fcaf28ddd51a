#include "gdkm/models/exact/full_rank_objective.hpp"

#include <cassert>

#include "gdkm/models/exact/gram_nonlinearity.hpp"

namespace gdkm {

Cholesky FullRankModel::proposal(Dense g) const {
  apply_nonlinearity(kernel, g);
  mix_both_sides(mixing, g);
  add_to_diagonal(jitter, g);
  return cholesky(std::move(g), 0, "a mixed kernel");
}

Dense FullRankModel::proposal_backward(const Dense& g, Dense m_bar) const {
  mix_both_sides(transpose(mixing), m_bar);
  apply_nonlinearity_backward(kernel, g, m_bar);
  return m_bar;
}

FullRankValue full_rank_objective(const FullRankModel& model, const std::vector<Dense>& grams, GramTop& top,
                                  std::vector<Dense>* gradient) {
  assert(static_cast<int>(grams.size()) == model.layers() && model.layers() >= 1);
  FullRankValue out;
  const Dense& last = grams.back();
  Dense k = last;
  apply_nonlinearity(model.kernel, k);
  Dense k_bar;
  out.log_likelihood = out.objective = top.value(k, gradient != nullptr ? &k_bar : nullptr);
  if (gradient != nullptr) {
    apply_nonlinearity_backward(model.kernel, last, k_bar);
    gradient->assign(grams.size(), Dense(last.rows, last.cols, last.device()));
    gradient->back() = std::move(k_bar);
  }
  for (std::size_t layer = 0; layer < grams.size(); ++layer) {
    const Dense& below = layer == 0 ? model.input : grams[layer - 1];
    const Cholesky proposal = model.proposal(below);
    const GramDivergence divergence(grams[layer]);
    const double nu = model.nu[layer];
    out.kl.push_back(divergence.value(proposal));
    if (nu == 0) continue;
    out.objective -= nu * out.kl.back();
    if (gradient == nullptr) continue;
    add(1, (*gradient)[layer], -nu, divergence.gradient_g(proposal));
    if (layer == 0) continue;
    add(1, (*gradient)[layer - 1], -nu, model.proposal_backward(below, divergence.gradient_m(proposal)));
  }
  return out;
}

}  // namespace gdkm
