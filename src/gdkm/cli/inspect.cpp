#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/run_table.hpp"
#include "gdkm/training/model_file.hpp"

namespace gdkm::cli {

namespace {

void inspect(const std::string& path, bool as_json) {
  const TensorFile file = read_safetensors(path);
  const ModelCard card = read_card(file, path);
  const auto options = to_json(card.settings);
  if (as_json) {
    nlohmann::ordered_json out{{"version", card.version},      {"dataset", card.settings.data},
                               {"model", card.settings.model}, {"nodes", card.nodes},
                               {"features", card.features},    {"classes", card.classes},
                               {"options", options},           {"run", to_json(card.run)}};
    for (const auto& [name, tensor] : file.tensors)
      out["tensors"][name] = {{"dtype", tensor.dtype}, {"shape", tensor.shape}};
    fmt::print("{}\n", out.dump(2));
    return;
  }
  fmt::print("{}: a {} trained by gdkm {}\n", path, card.settings.model, card.version);
  fmt::print("  trained on   {} ({} nodes, {} features, {} classes), seed {}, split {}\n", card.settings.data,
             card.nodes, card.features, card.classes, card.run.seed, card.run.split);
  fmt::print("  predicts on  {}\n\n", card.settings.config.scheme == Scheme::inter
                                          ? "any graph with the same features"
                                          : "the graph it was trained on");
  fmt::print("Options\n");
  for (const auto& [name, value] : options.items()) {
    fmt::print("  {:<12} {}\n", name, value.is_string() ? value.get<std::string>() : value.dump());
  }
  fmt::print("\n{:<30} {:>6} {:>14} {:>12}\n", "Parameters", "type", "shape", "numbers");
  std::int64_t total = 0;
  for (const auto& [name, tensor] : file.tensors) {
    std::string shape;
    for (const auto extent : tensor.shape) shape += (shape.empty() ? "" : " x ") + std::to_string(extent);
    const std::string shown = name.starts_with("parameter.") ? name.substr(10) : name;
    fmt::print("  {:<28} {:>6} {:>14} {:>12}\n", shown, tensor.dtype, shape, tensor.size());
    total += tensor.size();
  }
  fmt::print("  {:<28} {:>6} {:>14} {:>12}\n\n", "total", "", "", total);
  fmt::print("Training: loss {:.4f} to {:.4f} in {} epochs\n{}", card.run.first_loss, card.run.last_loss,
             card.run.epochs, run_table(card.settings.data, {card.run}));
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto path = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  CLI::App& inspect_command =
      *app.add_subcommand("inspect", "Show what a saved model is and how it was trained");
  inspect_command.add_option("MODEL", *path, "A model saved by gdkm train --save")->required()->type_name("");
  inspect_command.add_flag("--json", *as_json, "As JSON");
  inspect_command.footer(
      "Examples:\n  gdkm inspect model.safetensors\n  gdkm inspect model.safetensors --json");
  inspect_command.callback([path, as_json] { inspect(*path, *as_json); });
}

}  // namespace gdkm::cli
