#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/cli/runs_tables.hpp"
#include "gdkm/fitting/fitted_model.hpp"
#include "gdkm/fitting/model_file.hpp"
#include "gdkm/fitting/run_result_json.hpp"
#include "gdkm/fitting/study_remarks.hpp"
#include "gdkm/graph/degree_features.hpp"
#include "gdkm/settings/settings_json.hpp"

namespace gdkm::cli {

namespace {

/// Whether the option had an effect on the model: settings hold those of all models.
bool applies(const Option& option, const ModelCard& card) {
  DataKind data;
  data.task = card.task;
  data.regression = card.settings.config.regression;
  return option.name != "exact" && lack_of_effect(option, card.settings, data).empty();
}

std::string counted(Index count, const std::string& noun) {
  const std::string ending = noun.ends_with('s') ? "es" : "s";  // classes, nodes
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : ending);
}

/// "188 graphs, 3371 nodes, 24 features (17 of them degrees), 2 classes".
std::string sizes(const ModelCard& card) {
  std::string out = card.graphs > 0 ? counted(card.graphs, "graph") + ", " : "";
  const Index constant = card.settings.preprocessing.scales ? 1 : 0;  // which standardising adds
  const bool pooled = card.settings.preprocessing.makes_rows();
  if (!pooled) out += counted(card.nodes, "node") + ", ";
  out += counted(card.features - constant, "feature");
  if (card.settings.preprocessing.degree_features)
    out += fmt::format(" ({} of them degrees)", most_degree + 1);
  return out + ", " + counted(card.classes, card.settings.config.regression ? "target" : "class");
}

std::string predicts_on(const ModelCard& card, const std::vector<FittedModel>& members) {
  const auto is_bound = [](const FittedModel& member) { return member.card().settings.belongs_to_graph(); };
  if (card.settings.belongs_to_graph() || std::any_of(members.begin(), members.end(), is_bound))
    return "the graph it was trained on";
  if (card.columns.kind == FeatureColumns::Kind::nodes)
    return "the nodes it was trained on, found by their names";
  return card.task == Task::graph ? "any graphs whose nodes have the same features"
                                  : "any graph with the same features";
}

/// "140 to learn from, 500 to choose by, 250 of these kept apart for prediction sets".
std::string labels_used(const ModelCard& card) {
  std::string out =
      fmt::format("{} to learn from, {} to choose by", card.train_items.size(), card.val_items.size());
  if (!card.conformal.empty())
    out += fmt::format(", {} of these kept apart for prediction sets", card.conformal.front().size());
  return out;
}

nlohmann::ordered_json card_json(const TensorFile& file, const ModelCard& card,
                                 const std::vector<FittedModel>& members) {
  nlohmann::ordered_json out{
      {"version", card.version}, {"dataset", card.data}, {"model", name_of(card.settings.model)}};
  if (card.task) out["task"] = *card.task == Task::node ? "node" : "graph";
  if (card.graphs > 0) out["graphs"] = card.graphs;
  out["nodes"] = card.nodes;
  out["features"] = card.features;
  out[card.settings.config.regression ? "targets" : "classes"] = card.classes;
  out["options"] = to_json(card.settings);
  out["run"] = to_json(card.run);
  for (const FittedModel& member : members)
    out["members"].push_back(card_json(member.tensors(), member.card(), {}));
  for (const auto& [name, tensor] : file.tensors)
    out["tensors"][name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}};
  return out;
}

void print_options(const ModelCard& card) {
  std::vector<std::pair<std::string, std::string>> shown;
  std::size_t width = 0;
  for (const Option& option : option_table()) {
    if (!applies(option, card)) continue;
    const auto value = to_json(option, option.get(card.settings));
    shown.emplace_back(option.name, value.is_string() ? value.get<std::string>() : value.dump());
    width = std::max(width, option.name.size());
  }
  fmt::print("Options\n");
  for (const auto& [name, value] : shown)
    fmt::print("  {:<{}} {}\n", name, width, value.empty() ? "-" : value);
}

/// What each member has of its own, and what it scores alone.
void print_members(const std::vector<FittedModel>& members, const std::vector<MemberOptions>& options) {
  if (members.empty()) return;
  const auto score = [](const std::optional<Metrics>& part) {
    return part ? fmt::format("{:.{}f}", part->score(), part->r2 ? 3 : 1) : std::string("-");
  };
  fmt::print("\n{:<10} {:>7} {:>7}   {}\n", "Members", "val", "test", "options");
  for (std::size_t k = 0; k < members.size(); ++k) {
    const RunResult& run = members[k].card().run;
    fmt::print("  {:<8} {:>7} {:>7}   {}\n", k + 1, score(run.val), score(run.test),
               k < options.size() ? to_string(options[k]) : "");
  }
}

/// "self 0.52   in 0.31   out 0.17", a line for each layer.
void print_mixing(const MixingWeights& mixing) {
  if (mixing.layers.empty()) return;
  std::size_t width = 7;
  for (const std::string& name : mixing.names) width = std::max(width, name.size());
  fmt::print("\nMixing   ");
  for (const std::string& name : mixing.names) fmt::print("  {:>{}}", name, width);
  for (std::size_t layer = 0; layer < mixing.layers.size(); ++layer) {
    fmt::print("\n  layer {}", layer + 1);
    for (const double weight : mixing.layers[layer]) fmt::print("  {:>{}.3f}", weight, width);
  }
  fmt::print("\n");
}

void print_parameters(const TensorFile& file) {
  const auto short_name = [](const std::string& name) {
    return name.starts_with("parameter.") ? name.substr(10) : name;
  };
  std::size_t width = 28;
  for (const auto& [name, tensor] : file.tensors) {
    if (!is_of_card(name)) width = std::max(width, short_name(name).size());
  }
  const auto row = [&](const std::string& name, const std::string& type, const std::string& shape,
                       std::int64_t numbers) {
    fmt::print("  {:<{}} {:>6} {:>14} {:>12}\n", name, width, type, shape, numbers);
  };
  fmt::print("{:<{}} {:>6} {:>14} {:>12}\n", "Parameters", width + 2, "type", "shape", "numbers");
  std::int64_t total = 0;
  for (const auto& [name, tensor] : file.tensors) {
    if (is_of_card(name)) continue;
    row(short_name(name), tensor.dtype, fmt::format("{}", fmt::join(tensor.shape, " x ")), tensor.size());
    total += tensor.size();
  }
  row("total", "", "", total);
}

void inspect(const std::string& path, bool wants_json) {
  const FittedModel model = FittedModel::load(path);
  const TensorFile& file = model.tensors();
  const ModelCard& card = model.card();
  const std::vector<FittedModel> members = model.members();
  if (wants_json) return fmt::print("{}\n", card_json(file, card, members).dump(2));
  const std::string what = members.empty() ? "" : fmt::format("committee of {}, each a ", members.size());
  const bool sounds_like_a_vowel =
      members.empty() && card.settings.model == ModelKind::nngp;  // en-en-gee-pee
  fmt::print("{}: a{} {}{} trained by gdkm {}\n", path, sounds_like_a_vowel ? "n" : "", what,
             name_of(card.settings.model), card.version);
  if (card.task) {
    fmt::print("  task         {} {}\n", *card.task == Task::node ? "node" : "graph",
               card.settings.config.regression ? "regression" : "classification");
  }
  fmt::print("  trained on   {} ({}), seed {}, split {}\n", card.data, sizes(card), card.run.seed,
             card.run.split);
  if (const std::string columns = described(card.columns); !columns.empty())
    fmt::print("  columns      {}\n", columns);
  if (!card.train_items.empty()) fmt::print("  labels used  {}\n", labels_used(card));
  fmt::print("  predicts on  {}\n\n", predicts_on(card, members));
  print_options(card);
  print_members(members, card.settings.members);
  print_mixing(card.run.mixing);
  fmt::print("\n");
  print_parameters(file);
  const std::string training = card.settings.uses_dense()
                                   ? "one solve, without epochs"
                                   : fmt::format("loss {:.4f} to {:.4f} in {} epochs", card.run.first_loss,
                                                 card.run.last_loss, card.run.epochs);
  fmt::print("\nTraining: {}\n{}", training, run_table(card.data, {card.run}));
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  CLI::App& inspect_command =
      *app.add_subcommand("inspect", "Show what a saved model is and how it was trained");
  add_argument(inspect_command, "MODEL", *path, "A model saved by gdkm train --save");
  inspect_command.add_flag("--json", *as_json, "As JSON");
  inspect_command.footer(
      "Examples:\n  gdkm inspect model.safetensors\n  gdkm inspect model.safetensors --json");
  inspect_command.callback([path, as_json] { inspect(*path, *as_json); });
}

}  // namespace gdkm::cli
