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
    Dense first, second;
  };
  int layers() const { return dkm_.model().layers(); }

  FullRankDkm& dkm_;
  GramTop& top_;
  std::vector<Moments> moments_;  // those of every layer, where its matrices are
  Moments top_moments_;           // on the host
  std::int64_t count_ = 0;
};

}  // namespace gdkm
