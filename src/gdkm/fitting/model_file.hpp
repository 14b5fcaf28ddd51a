#pragma once

#include <filesystem>
#include <vector>

#include "gdkm/fitting/model_card.hpp"
#include "gdkm/support/safetensors.hpp"

namespace gdkm {

/// What the card says, as the metadata of a file without tensors.
TensorFile with_metadata(const ModelCard& card);
/// Whether a tensor of that name is a list that the card has, and no number of the model.
bool is_of_card(const std::string& tensor);
/// Reads the card of a saved model; an InputError names `path` when it is none.
ModelCard read_card(const TensorFile& file, const std::filesystem::path& path);
/// The nodes that its inducing points sit at, none for inter-domain ones; an InputError where they do not fit
/// the card.
std::vector<std::int32_t> read_inducing_nodes(const TensorFile& file, const ModelCard& card,
                                              const std::filesystem::path& path);

/// What a saved model predicts on: `dataset`, as it was read, with the feature columns that the model was
/// trained on, and prepared as its training data was. An InputError where it has another task than the model,
/// other features, or is another graph than the one a model belongs to.
struct PredictionData {
  Dataset dataset;  // after preprocessing
  Problem problem;
};
PredictionData prepare_for(const ModelCard& card, Dataset dataset, const std::filesystem::path& path,
                           Communicator* ranks = nullptr);

}  // namespace gdkm
