#pragma once

#include <string>
#include <vector>

#include "gdkm/layers/weight_posterior.hpp"
#include "gdkm/models/dkm.hpp"

namespace gdkm {

/// How often the sites are made anew: before a validation, and at most at the end; there with so many pairs
/// of draws, and the last rounds with more. With 16 pairs the optimum is 1 % of the ELBO off where there are
/// few labels, with 256 less than 0.1 %.
inline constexpr int rounds_before_validation = 3, rounds_at_the_end = 60, last_rounds = 8;
inline constexpr Index pairs_at_the_end = 16, last_pairs = 256;

/// What natural-gradient inference keeps besides the parameters of a model: the sites of all batches, and
/// q(W) that follows from them (see Sites).
template <class T>
class NaturalInference {
 public:
  explicit NaturalInference(Dkm<T>& model)
      : model_(model),
        state_(model.backend()),
        posterior_(model.backend(), model.parameters(), model.config().temper) {}

  /// Reserves the sites of another batch; returns its number. Before the first call of sites().
  int declare(Index items);
  Sites<T> sites(int batch);
  WeightPosterior<T>& posterior() { return posterior_; }
  /// All sites, in one block.
  Parameters<T>& state();

 private:
  static std::string name_of(int batch, const char* part) {
    return "sites" + std::to_string(batch) + "." + part;
  }

  Dkm<T>& model_;
  Parameters<T> state_;
  WeightPosterior<T> posterior_;
  int batches_ = 0;
};

}  // namespace gdkm
