#pragma once

#include <string>
#include <vector>

#include "gdkm/layers/weight_posterior.hpp"
#include "gdkm/models/dkm.hpp"

namespace gdkm {

/// How often the sites are made anew: before a validation, and at most at the end. There the expectations are
/// exact, unless labels times classes are too many: then they are averages over pairs of draws, in the last
/// rounds over more. Draws leave q(W) 1 to 3 % of the ELBO from its optimum where there are some ten labels,
/// but the error falls with the number of labels.
inline constexpr int rounds_before_validation = 3, rounds_at_the_end = 60, last_rounds = 8;
inline constexpr Index pairs_at_the_end = 16, last_pairs = 256;
inline constexpr double most_by_quadrature = 65536;
/// Rounds over nodes whose layers are not kept.
inline constexpr int most_passes = 20;

/// What natural-gradient inference keeps besides the parameters of a model: the sites of all batches, and
/// q(W) that follows from them (see Sites).
template <class T>
class NaturalInference {
 public:
  explicit NaturalInference(Dkm<T>& model)
      : model_(model),
        state_(model.backend()),
        posterior_(model.backend(), model.parameters(), model.config().temper) {}

  /// Reserves the sites of another batch; returns its number. Before the first call of sites(). `place`:
  /// where the items stand among `all` of the batch.
  int declare(std::vector<std::int32_t> place, Index all);
  int declare(Index items);  // which this process has all
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
