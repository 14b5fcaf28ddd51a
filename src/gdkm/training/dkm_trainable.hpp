#pragma once

#include <memory>

#include "gdkm/models/dkm.hpp"
#include "gdkm/training/train_options.hpp"
#include "gdkm/training/trainable.hpp"

namespace gdkm {

/// A model of that configuration for the classes or numbers of `problem`, before training.
template <class T>
std::unique_ptr<Dkm<T>> make_model(Backend<T>& backend, const ModelConfig& config, const Problem& problem);

/// Chooses inducing points, sets the model to where training starts and lets Trainer train it on the items
/// `train`. The model must outlive the result.
template <class T>
std::unique_ptr<Trainable<T>> make_trainable(Dkm<T>& model, const Problem& problem,
                                             const std::vector<std::int32_t>& train,
                                             const TrainOptions& options);

}  // namespace gdkm
