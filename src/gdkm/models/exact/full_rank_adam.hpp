#pragma once

#include <filesystem>

#include "gdkm/models/exact/full_rank_dkm.hpp"
#include "gdkm/support/safetensors.hpp"

namespace gdkm {

/// Adam (Kingma & Ba, 2015), upwards: over the parameters of a full-rank DKM and those of what stands on top.
class FullRankAdam {
 public:
  FullRankAdam(FullRankDkm& dkm, GramTop& top);

  /// One step; returns the value before it. A NumericalError where that is not finite.
  FullRankValue step(double rate);

  /// Parameters, moments and count, and back. An InputError names `path`.
  TensorFile save() const;
  void restore(const TensorFile& state, const std::filesystem::path& path);

 private:
  struct Moments {
    std::vector<double> first, second;
  };
  std::span<double> parameters(std::size_t k) const;
  std::span<const double> gradient(std::size_t k) const;

  FullRankDkm& dkm_;
  GramTop& top_;
  std::vector<Moments> moments_;  // of every layer, then of the top
  std::int64_t count_ = 0;
};

}  // namespace gdkm
