#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "gdkm/fitting/model_file.hpp"
#include "gdkm/layers/parameters.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/safetensors.hpp"

namespace gdkm {

// The numbers of any model as tensors, and back: its parameters, statistics that it keeps beside them, and
// the nodes that inducing points sit at, where it has these.

template <class T>
void add_tensors(const Parameters<T>& parameters, const std::string& prefix, TensorFile& out) {
  for (const auto& entry : parameters.entries()) {
    const auto values = parameters.get(entry.name);
    out.tensors[prefix + entry.name] = Tensor::make<T>({entry.rows, entry.cols}, std::span<const T>(values));
  }
}

template <class T>
void read_tensors(const TensorFile& file, const std::string& prefix, const std::filesystem::path& path,
                  Parameters<T>& parameters) {
  for (const auto& entry : parameters.entries()) {
    const auto at = file.tensors.find(prefix + entry.name);
    if (at == file.tensors.end() || at->second.shape != std::vector<std::int64_t>{entry.rows, entry.cols})
      throw InputError(path.string() + ": parameter '" + entry.name +
                       "' is missing or has another shape than " + std::to_string(entry.rows) + "x" +
                       std::to_string(entry.cols) + "; the file is damaged or of another version");
    parameters.set(entry.name, at->second.template as<T>());
  }
}

/// Parameters, configuration and preprocessing, as one safetensors file.
template <class Model>
TensorFile to_tensors(Model& model, const ModelCard& card) {
  TensorFile out = with_metadata(card);
  add_tensors(model.parameters(), "parameter.", out);
  if constexpr (requires { model.statistics(); }) add_tensors(model.statistics(), "statistic.", out);
  if constexpr (requires { model.inducing_nodes(); }) {
    if (const auto& nodes = model.inducing_nodes(); !nodes.empty())
      out.tensors["inducing_nodes"] = Tensor::make<std::int32_t>({static_cast<std::int64_t>(nodes.size())},
                                                                 std::span<const std::int32_t>(nodes));
  }
  return out;
}

/// A model of that configuration with the numbers of the file, on the backend; the file's precision must be
/// T's.
template <class Model, class T, class Config>
std::unique_ptr<Model> from_tensors(Backend<T>& backend, const Config& config, const TensorFile& file,
                                    const ModelCard& card, const std::filesystem::path& path) {
  auto model = std::make_unique<Model>(backend, config, card.features, card.classes);
  if constexpr (requires { model->inducing_nodes(); })
    model->set_inducing_nodes(read_inducing_nodes(file, card, path));
  if constexpr (requires { model->declare_parameters(); }) model->declare_parameters();
  read_tensors(file, "parameter.", path, model->parameters());
  if constexpr (requires { model->statistics(); })
    read_tensors(file, "statistic.", path, model->statistics());
  return model;
}

}  // namespace gdkm
