#pragma once

#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Splits as Errica et al. publish them ("A fair comparison of graph neural networks"): a JSON list of
/// objects with `test` and, in the first entry of `model_selection`, `train` and `validation`. Graph numbers
/// start at 0.
std::vector<Split> read_errica_splits(const Text& text, std::size_t graphs);

}  // namespace gdkm
