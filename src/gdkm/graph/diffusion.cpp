#include "gdkm/graph/diffusion.hpp"

#include <cassert>

#include "gdkm/graph/feature_forms.hpp"
#include "gdkm/graph/mix_dense.hpp"

namespace gdkm {

Features diffused(const Features& x, const Csr& mixing, int steps) {
  assert(x.rows == mixing.rows && steps > 0);
  Features walked = x.is_sparse ? dense_features(x.sparse) : x;
  Features out = walked;
  for (float& value : out.dense) value *= static_cast<float>(diffusion_stays);
  const auto share = static_cast<float>((1 - diffusion_stays) / steps);
  for (int k = 0; k < steps; ++k) {
    walked.dense = mix_dense<float>(mixing, walked);
    const auto from = walked.dense.begin();
    auto to = out.dense.begin();
    for (std::size_t at = 0; at < out.dense.size(); ++at) to[at] += share * from[at];
  }
  return out;
}

}  // namespace gdkm
