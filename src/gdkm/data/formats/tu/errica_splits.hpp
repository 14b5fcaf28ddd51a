#pragma once

#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Splits as the fair comparison of graph networks by Errica et al. publishes them: a JSON list of objects
/// with `test` and, in the first entry of `model_selection`, `train` and `validation`; graph numbers from 0.
std::vector<Split> read_errica_splits(const Text& text, std::size_t graphs);

}  // namespace gdkm
