#include "gdkm/fitting/model_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>

#include "gdkm/dataset/feature_columns_text.hpp"
#include "gdkm/fitting/fingerprint.hpp"
#include "gdkm/fitting/prepared_data.hpp"
#include "gdkm/fitting/run_result_json.hpp"
#include "gdkm/graph/colour_features.hpp"
#include "gdkm/graph/degree_features.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::ordered_json;
constexpr const char* model_format = "gdkm-model-1";

/// Columns that preprocessing puts behind those of the data: degrees, colours, and the constant of
/// standardised ones.
Index added_columns(const Settings& settings) {
  const Preprocessing& how = settings.preprocessing;
  return (how.degree_features ? most_degree + 1 : 0) + how.wl_features * colour_columns +
         (how.normalise == Normalisation::standard ? 1 : 0);
}

/// The scales of standardised features. Structure has a scale of its own.
ColumnScales scales_from_json(const Json& json, const ModelCard& card) {
  ColumnScales out;
  json.at("mean").get_to(out.mean);
  json.at("scale").get_to(out.scale);
  const Index columns = static_cast<Index>(out.mean.size()) + 1;  // and the constant
  const bool fits =
      card.settings.preprocessing.structure_features ? columns <= card.features : columns == card.features;
  if (!fits || out.scale.size() != out.mean.size())
    throw std::invalid_argument("its scales do not fit its features");
  return out;
}

/// What older files do not say is left as it is.
void read_data_of(const TensorFile& file, ModelCard& card) {
  const auto text = [&](const char* key) {
    const auto at = file.metadata.find(key);
    return at == file.metadata.end() ? std::string() : at->second;
  };
  if (const std::string task = text("task"); !task.empty()) {
    if (task != "node" && task != "graph") throw std::invalid_argument("its task is '" + task + "'");
    card.task = task == "node" ? Task::node : Task::graph;
  }
  if (const std::string graphs = text("graphs"); !graphs.empty()) card.graphs = std::stoll(graphs);
  if (const std::string types = text("edge_types"); !types.empty())
    Json::parse(types).get_to(card.edge_types);
  // Features may tell types apart as well, and then relations need not.
  if (has_types(card.settings.config.mixing()) &&
      static_cast<Index>(card.edge_types.size()) != card.settings.config.edge_types)
    throw std::invalid_argument("its types of edges do not fit its options");
  Preprocessing& how = card.settings.preprocessing;
  if (how.normalise == Normalisation::standard)
    how.scales = scales_from_json(Json::parse(text("scales")), card);
  if (const std::string columns = text("columns"); !columns.empty()) {
    card.columns = columns_from_text(columns);
    const Index described = card.columns.width() + added_columns(card.settings);
    if (how.structure_features ? described > card.features : described != card.features)
      throw std::invalid_argument("its columns do not fit its features");
  }
}

constexpr const char* train_name = "train_items";
constexpr const char* val_name = "val_items";
constexpr const char* conformal_name = "conformal_scores";

/// Lists that may be long are tensors.
void add_items(const ModelCard& card, TensorFile& out) {
  const auto add = [&](const char* name, const std::vector<std::int32_t>& items) {
    if (items.empty()) return;
    out.tensors[name] = Tensor::make<std::int32_t>({static_cast<std::int64_t>(items.size())},
                                                   std::span<const std::int32_t>(items));
  };
  add(train_name, card.train_items);
  add(val_name, card.val_items);
  if (card.conformal.empty() || card.conformal.front().empty()) return;
  std::vector<double> all;
  for (const auto& scores : card.conformal) all.insert(all.end(), scores.begin(), scores.end());
  out.tensors[conformal_name] =
      Tensor::make<double>({static_cast<std::int64_t>(card.conformal.size()),
                            static_cast<std::int64_t>(card.conformal.front().size())},
                           std::span<const double>(all));
}

/// Throws where they do not fit the rest of the card.
void read_items(const TensorFile& file, ModelCard& card) {
  const Index items = card.graphs > 0 ? card.graphs : card.nodes;
  const auto read = [&](const char* name) {
    const auto at = file.tensors.find(name);
    if (at == file.tensors.end()) return std::vector<std::int32_t>{};
    auto out = at->second.as<std::int32_t>();
    for (const auto item : out) {
      if (item < 0 || item >= items) throw std::invalid_argument(std::string(name) + " names no item");
    }
    return out;
  };
  card.train_items = read(train_name);
  card.val_items = read(val_name);
  const auto at = file.tensors.find(conformal_name);
  if (at == file.tensors.end()) return;
  const auto& shape = at->second.shape;
  const Index lists = card.settings.config.regression ? card.classes : 1;
  if (shape.size() != 2 || shape[0] != lists) throw std::invalid_argument("its conformal scores do not fit");
  const auto all = at->second.as<double>();
  for (std::int64_t k = 0; k < shape[0]; ++k) {
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(k * shape[1]);
    card.conformal.emplace_back(first, first + static_cast<std::ptrdiff_t>(shape[1]));
    const auto& scores = card.conformal.back();
    if (!std::is_sorted(scores.begin(), scores.end()) ||
        std::any_of(scores.begin(), scores.end(), [](double s) { return std::isnan(s); }))
      throw std::invalid_argument("its conformal scores do not ascend");
  }
}

}  // namespace

bool is_of_card(const std::string& tensor) {
  const std::string name = tensor.substr(tensor.rfind('.') + 1);  // of a member: "member.0.train_items"
  return name == train_name || name == val_name || name == conformal_name;
}

TensorFile with_metadata(const ModelCard& card) {
  TensorFile out;
  out.metadata = {{"format", model_format},
                  {"version", card.version},
                  {"data", card.data},
                  {"model", name_of(card.settings.model)},
                  {"options", to_json(card.settings).dump()},
                  {"nodes", std::to_string(card.nodes)},
                  {"features", std::to_string(card.features)},
                  {"classes", std::to_string(card.classes)},
                  {"class_names", Json(card.class_names).dump()},
                  {"graph", card.graph},
                  {"run", to_json(card.run).dump()}};
  if (card.task) out.metadata["task"] = *card.task == Task::node ? "node" : "graph";
  if (card.graphs > 0) out.metadata["graphs"] = std::to_string(card.graphs);
  if (!card.edge_types.empty()) out.metadata["edge_types"] = Json(card.edge_types).dump();
  if (card.columns.kind != FeatureColumns::Kind::unknown) out.metadata["columns"] = to_text(card.columns);
  if (const auto& scales = card.settings.preprocessing.scales)
    out.metadata["scales"] = Json{{"mean", scales->mean}, {"scale", scales->scale}}.dump();
  add_items(card, out);
  return out;
}

ModelCard read_card(const TensorFile& file, const std::filesystem::path& path) {
  const std::string remedy = "is it a model saved by gdkm?";
  const auto text = [&](const std::string& key) {
    const auto at = file.metadata.find(key);
    if (at == file.metadata.end()) {
      throw InputError(fmt::format("{}: no '{}' in its metadata; {}", path.string(), key, remedy));
    }
    return at->second;
  };
  if (const auto format = text("format"); format != model_format) {
    throw InputError(
        fmt::format("{}: its format is '{}', not '{}'; {}", path.string(), format, model_format, remedy));
  }
  ModelCard card;
  try {
    const auto kind = value_named<ModelKind>(text("model"));
    if (!kind)
      throw InputError(fmt::format("{}: there is no model '{}'; {}", path.string(), text("model"), remedy));
    card.settings = settings_from_json(Json::parse(text("options")), *kind, path.string());
    card.data = text("data");
    check_settings(card.settings);
    card.version = text("version");
    card.nodes = std::stoll(text("nodes"));
    card.features = std::stoll(text("features"));
    card.classes = std::stoll(text("classes"));
    card.class_names = Json::parse(text("class_names")).get<std::vector<std::string>>();
    if (!card.class_names.empty() && static_cast<Index>(card.class_names.size()) != card.classes)
      throw InputError(fmt::format("{}: {} class names for {} classes; {}", path.string(),
                                   card.class_names.size(), card.classes, remedy));
    card.graph = text("graph");
    card.run = run_from_json(Json::parse(text("run")));
    read_data_of(file, card);
    read_items(file, card);
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    throw InputError(
        fmt::format("{}: its metadata cannot be read ({}); {}", path.string(), error.what(), remedy));
  }
  if (card.features < 1 || card.classes < 1) {
    throw InputError(fmt::format("{}: {} features and {} classes are impossible; {}", path.string(),
                                 card.features, card.classes, remedy));
  }
  return card;
}

std::vector<std::int32_t> read_inducing_nodes(const TensorFile& file, const ModelCard& card,
                                              const std::filesystem::path& path) {
  std::vector<std::int32_t> out;
  if (const auto nodes = file.tensors.find("inducing_nodes"); nodes != file.tensors.end())
    out = nodes->second.as<std::int32_t>();
  for (const auto node : out) {
    if (node < 0 || node >= card.nodes)
      throw InputError(
          fmt::format("{}: inducing node {} is not among its {} nodes", path.string(), node, card.nodes));
  }
  const bool intra = card.settings.config.scheme == Scheme::intra;
  if (static_cast<Index>(out.size()) != (intra ? card.settings.config.inducing : 0))
    throw InputError(path.string() + ": its inducing nodes do not fit its options; the file is damaged");
  return out;
}

namespace {

Dataset with_columns_of(const ModelCard& card, Dataset dataset, const std::filesystem::path& path) {
  if (card.task && *card.task != dataset.task) {
    const bool graphs = *card.task == Task::graph;
    throw InputError(fmt::format("{}: the model predicts {}, and {} is {}; predict on {}", path.string(),
                                 graphs ? "graphs" : "nodes", dataset.name,
                                 graphs ? "one graph of nodes" : "a set of graphs",
                                 graphs ? "a set of graphs" : "the nodes of one graph"));
  }
  const Preprocessing& how = card.settings.preprocessing;
  const bool are_of_nodes = how.scales && !how.makes_rows();  // means of rows say nothing about one node
  dataset.features = align(dataset.features, dataset.columns, card.columns,
                           {are_of_nodes ? &how.scales->mean : nullptr, &dataset.remarks});
  if (card.columns.kind != FeatureColumns::Kind::unknown) dataset.columns = card.columns;
  return dataset;
}

/// Throws unless the data is the graph of a model with structure features.
void check_structure(const ModelCard& card, const Dataset& dataset, const std::filesystem::path& path) {
  const Preprocessing& how = card.settings.preprocessing;
  if (!how.structure_features ||
      (dataset.graph.nodes == card.nodes && fingerprint(dataset.graph, how.adjacency) == card.graph))
    return;
  throw InputError(fmt::format(
      "{}: a model with structure features belongs to the graph it was trained on ({}, {} nodes), and this "
      "is another; train without {} to predict on new graphs",
      path.string(), card.data, card.nodes, option("structure_features")));
}

/// Numbers types of edges as the model knows them, by their names. A model that knows none sees none.
void align_types(const ModelCard& card, Graph& graph, const std::filesystem::path& path) {
  if (card.edge_types.empty()) {
    if (card.settings.preprocessing.wl_features == 0) return;
    graph.type.clear();
    graph.type_names.clear();
    return;
  }
  const auto refuse = [&](const std::string& what) {
    throw InputError(fmt::format(
        "{}: the model knows the types of edges {}, and {}; predict on a graph with the same types",
        path.string(), fmt::join(card.edge_types, ", "), what));
  };
  if (graph.type_names.empty()) refuse("edges of this data set have no types");
  std::vector<std::int32_t> number;
  for (const std::string& name : graph.type_names) {
    const auto at = std::find(card.edge_types.begin(), card.edge_types.end(), name);
    if (at == card.edge_types.end()) refuse(fmt::format("this data set has '{}'", name));
    number.push_back(static_cast<std::int32_t>(at - card.edge_types.begin()));
  }
  for (auto& type : graph.type) type = number[static_cast<std::size_t>(type)];
  graph.type_names = card.edge_types;
}

/// `added`: columns that preprocessing put behind those of the data.
void check_fits(const ModelCard& card, const Dataset& dataset, const Problem& problem, Index added,
                const std::filesystem::path& path) {
  if (problem.features.cols != card.features) {
    throw InputError(fmt::format(
        "{}: the model takes {} features per node, this graph has {}; predict on a graph with the "
        "features it was trained on",
        path.string(), card.features - added, problem.features.cols - added));
  }
  if (card.settings.is_sparse() && card.settings.config.scheme == Scheme::intra &&
      !card.settings.preprocessing.structure_features &&
      (problem.nodes() != card.nodes ||
       fingerprint(dataset, problem.relations, card.settings.preprocessing) != card.graph)) {
    throw InputError(fmt::format(
        "{}: an intra-domain model belongs to the graph it was trained on ({}, {} nodes), and this is "
        "another; train with {} to predict on new graphs",
        path.string(), card.data, card.nodes, option("scheme", "inter")));
  }
}

}  // namespace

PredictionData prepare_for(const ModelCard& card, Dataset dataset, const std::filesystem::path& path,
                           Communicator* ranks) {
  const Preprocessing& how = card.settings.preprocessing;
  PredictionData out;
  check_share(dataset, card.settings);
  dataset = with_columns_of(card, std::move(dataset), path);
  align_types(card, dataset.graph, path);
  const Index given = dataset.features.cols;
  out.dataset = preprocess(std::move(dataset), how);
  check_structure(card, out.dataset, path);
  ModelConfig of_inputs = card.settings.config;
  of_inputs.arch = input_architecture(card.settings);
  out.problem = prepare(out.dataset, how, of_inputs, ranks);
  // What is predicted is the model's: the data may have other classes, or none.
  out.problem.classes = static_cast<int>(card.classes);
  out.problem.targets = card.settings.config.regression ? static_cast<int>(card.classes) : 0;
  check_fits(card, out.dataset, out.problem, out.problem.features.cols - given, path);
  return out;
}

}  // namespace gdkm
