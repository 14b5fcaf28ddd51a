#pragma once

#include <filesystem>

#include "gdkm/models/exact/full_rank_dkm.hpp"
#include "gdkm/support/safetensors.hpp"

namespace gdkm {

/// Adam (Kingma & Ba, 2015) as gradient ascent on the parameters of a full-rank DKM and of its top.
class FullRankAdam {
 public:
  FullRankAdam(FullRankDkm& dkm, GramTop& top);

  /// Takes one step and returns the value before it. Throws a NumericalError if that is not finite.
  FullRankValue step(double rate);

  /// Saves and restores parameters, moments and step count. An InputError names `path`.
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
  std::vector<Moments> moments_;  // those of every layer, then those of the top
  std::int64_t count_ = 0;
};

}  // namespace gdkm
