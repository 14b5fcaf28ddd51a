#pragma once

#include <string>
#include <vector>

#include "gdkm/training/problem.hpp"

namespace gdkm {

/// How much the log-likelihood of an item counts, by its class.
struct ClassWeights {
  bool balanced = false;      // n / (C n_c) of n training items, of which n_c are of class c
  std::vector<double> given;  // or one for each class; empty: every item counts the same
  bool any() const { return balanced || !given.empty(); }
};

/// "none", "balanced", or numbers > 0 with commas between them; an InputError where it is none of these.
ClassWeights parse_class_weights(const std::string& text);
std::string to_string(const ClassWeights& weights);

/// The weight of every class for these training items, or nothing where all items count the same. An
/// OptionError where the number of weights is not that of the classes.
std::vector<double> weights_of_classes(const ClassWeights& weights, const Problem& problem,
                                       const std::vector<std::int32_t>& train);

}  // namespace gdkm
