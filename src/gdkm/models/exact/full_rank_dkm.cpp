#include "gdkm/models/exact/full_rank_dkm.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "gdkm/models/exact/gram_nonlinearity.hpp"

namespace gdkm {

FullRankDkm::FullRankDkm(FullRankModel model) : model_(std::move(model)) {
  assert(model_.layers() >= 1 && model_.input.rows == nodes());
  for (const double nu : model_.nu) {
    Layer& layer = layers_.emplace_back();
    layer.learned = !std::isinf(nu);
    if (layer.learned) layer.raw = layer.raw_bar = Dense(nodes(), nodes(), model_.input.device());
  }
  layers_.front().proposal = model_.proposal(model_.input);  // does not depend on parameters
  extra_jitter_ = layers_.front().proposal.jitter;
}

double FullRankDkm::forward(Layer& layer, const Dense& below, bool first) {
  if (!first) layer.proposal = model_.proposal(below);
  extra_jitter_ = std::max(extra_jitter_, layer.proposal.jitter);
  if (!layer.learned) {
    layer.gram = gdkm::gram(layer.proposal.factor);
    return 0;
  }
  layer.lower = positive_lower(layer.raw);
  double kl = 0;
  for (const double log_diagonal : diagonal(layer.raw)) kl -= log_diagonal;
  layer.gram = gdkm::gram(lower_times(Op::none, layer.proposal.factor, layer.lower));
  return kl + 0.5 * (inner_product(layer.lower, layer.lower) - static_cast<double>(nodes()));
}

Dense FullRankDkm::backward(Layer& layer, double nu, const Dense& g_bar, const Dense& below, bool first) {
  const Dense& h = layer.proposal.factor;
  Dense q = lower_times(Op::transpose, h, times_lower(g_bar, Op::none, h));
  if (layer.learned) {
    const Dense& l = layer.lower;
    q = times_lower(std::move(q), Op::none, l);
    layer.raw_bar = q;
    keep_lower(layer.raw_bar);
    add(2, layer.raw_bar, -nu, l);
    layer.raw_bar = positive_lower_backward(l, std::move(layer.raw_bar));
    add_to_diagonal(nu, layer.raw_bar);
    if (!first) q = times_lower(std::move(q), Op::transpose, l);
  }
  if (first) return {};
  scale(2, q);
  keep_lower(q, 0.5);
  symmetrise(q);
  q = transpose(solve_lower(Op::transpose, h, std::move(q)));
  q = solve_lower(Op::transpose, h, std::move(q));
  symmetrise(q);
  return model_.proposal_backward(below, std::move(q));
}

FullRankValue FullRankDkm::evaluate(GramTop& top, bool with_gradient) {
  FullRankValue out;
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    out.kl.push_back(forward(layers_[k], k == 0 ? model_.input : layers_[k - 1].gram, k == 0));
  }
  Dense bar;
  out.log_likelihood = out.objective = top.value(output_kernel(), with_gradient ? &bar : nullptr);
  for (std::size_t k = 0; k < layers_.size(); ++k) {
    if (layers_[k].learned && model_.nu[k] > 0) out.objective -= model_.nu[k] * out.kl[k];
  }
  if (!with_gradient) return out;
  apply_nonlinearity_backward(model_.kernel, layers_.back().gram, bar);
  for (std::size_t k = layers_.size(); k-- > 0;) {
    bar = backward(layers_[k], model_.nu[k], bar, k == 0 ? model_.input : layers_[k - 1].gram, k == 0);
  }
  return out;
}

Dense FullRankDkm::output_kernel() const {
  Dense out = layers_.back().gram;
  apply_nonlinearity(model_.kernel, out);
  return out;
}

}  // namespace gdkm
