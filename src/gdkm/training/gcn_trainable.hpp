#pragma once

#include <memory>

#include "gdkm/models/gcn/gcn.hpp"
#include "gdkm/training/train_options.hpp"
#include "gdkm/training/trainable.hpp"

namespace gdkm {

/// A model of that configuration for the classes of `problem`, before training.
template <class T>
std::unique_ptr<Gcn<T>> make_model(Backend<T>& backend, const GcnConfig& config, const Problem& problem);

/// Sets the model to where training starts and lets Trainer train it. The model must outlive the result. The
/// loss is the mean cross-entropy; weight decay is not counted in it.
template <class T>
std::unique_ptr<Trainable<T>> make_trainable(Gcn<T>& model, const Problem& problem,
                                             const std::vector<std::int32_t>& train,
                                             const TrainOptions& options);

}  // namespace gdkm
