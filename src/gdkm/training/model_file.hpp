#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "gdkm/models/dkm.hpp"
#include "gdkm/models/gcn/gcn.hpp"
#include "gdkm/support/safetensors.hpp"
#include "gdkm/training/problem.hpp"
#include "gdkm/training/run_result.hpp"
#include "gdkm/training/settings.hpp"

namespace gdkm {

/// What a saved model says about itself, besides its numbers.
struct ModelCard {
  Settings settings;  // data and seed are those of the run that was saved; precision is the numbers' own
  std::string version;
  std::optional<Task> task;  // what its data was; older files do not say it
  Index graphs = 0;          // of a graph task
  Index nodes = 0, features = 0, classes = 0;
  FeatureColumns columns;                // what its features are made of, before preprocessing
  std::vector<std::string> class_names;  // as the data has them; empty where classes are mere numbers
  std::string graph;                     // fingerprint of the graph it was trained on
  RunResult run;
};

/// A number that changes when any entry of Â_λ does: an intra-domain model belongs to the graph of its
/// inducing points.
std::string fingerprint(const Csr& mixing);
/// The same of a whole data set: edges, features, labels and splits.
std::string fingerprint(const Dataset& dataset);

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

/// `dataset`, as it was read, with the feature columns that the model was trained on (see align). An
/// InputError where it has another task than the model, or values that the model does not know.
Dataset with_columns_of(const ModelCard& card, Dataset dataset, const std::filesystem::path& path);

/// Whether the model can be used on `problem`; throws an InputError that says why not.
void check_fits(const ModelCard& card, const Problem& problem, const std::filesystem::path& path);

}  // namespace gdkm
