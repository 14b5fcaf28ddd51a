#pragma once

#include <filesystem>
#include <memory>

#include "gdkm/fitting/model_card.hpp"
#include "gdkm/models/dkm.hpp"
#include "gdkm/models/gcn/gcn.hpp"
#include "gdkm/support/safetensors.hpp"

namespace gdkm {

/// Parameters, configuration and preprocessing, as one safetensors file.
template <class T>
TensorFile to_tensors(Dkm<T>& model, const ModelCard& card);

/// Reads the card of a saved model; an InputError names `path` when it is none.
ModelCard read_card(const TensorFile& file, const std::filesystem::path& path);

/// A model with the parameters of the file, on the backend; the file's precision must be T's.
template <class T>
std::unique_ptr<Dkm<T>> from_tensors(Backend<T>& backend, const TensorFile& file, const ModelCard& card,
                                     const std::filesystem::path& path);

/// The same for a GCN.
template <class T>
TensorFile to_tensors(Gcn<T>& model, const ModelCard& card);
template <class T>
std::unique_ptr<Gcn<T>> gcn_from_tensors(Backend<T>& backend, const TensorFile& file, const ModelCard& card,
                                         const std::filesystem::path& path);

/// What a saved model predicts on: `dataset`, as it was read, with the feature columns that the model was
/// trained on, and prepared as its training data was. An InputError where it has another task than the model,
/// other features, or, of an intra-domain model, is another graph.
struct PredictionData {
  Dataset dataset;  // after preprocessing
  Problem problem;
};
PredictionData prepare_for(const ModelCard& card, Dataset dataset, const std::filesystem::path& path);

}  // namespace gdkm
