#pragma once

#include <filesystem>

#include "gdkm/models/dkm.hpp"
#include "gdkm/training/train_options.hpp"

namespace gdkm::bench {

/// Steps whose losses are compared before anything is timed.
inline constexpr int verified_steps = 4;

/// Writes all that another program needs to take the trainer's first steps: the graph, features and labels of
/// the problem, the model's parameters as they are now, noise and learning rates of `verified_steps` steps. A
/// safetensors file: it is large, and other formats would compress it.
template <class T>
void write_problem(const std::filesystem::path& path, Backend<T>& backend, const Problem& problem,
                   Dkm<T>& model, const TrainOptions& options);

}  // namespace gdkm::bench
