#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/cli/prediction_table.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/fitting/fingerprint.hpp"
#include "gdkm/ranks/heartbeat.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/text.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct PredictCommand {
  std::string model, data, training_data, data_dir, output = "-";
  std::optional<double> coverage;
  int explain = 0;    // so many training items for each prediction
  Settings settings;  // of which the device and its threads
  LaunchedRanks* ranks = nullptr;

  void run();
};

/// Whether the file's ending asks for an archive; one without an ending is CSV.
bool is_npz(const std::string& file) {
  const std::string ending = fs::path(file).extension().string();
  if (ending == ".npz") return true;
  if (ending.empty() || ending == ".csv") return false;
  throw InputError(
      fmt::format("--output {}: '{}' is no format that can be written; use .csv or .npz", file, ending));
}

/// What sets are worth: how they were made, and what they came to.
void report_coverage(const PredictionSets& sets, const ModelCard& card, bool regression) {
  const std::string what = regression ? "interval" : "set";
  if (!sets.calibrated)
    note(
        fmt::format("--coverage {}: the model kept no validation data apart, so the intervals are those of "
                    "the normal distributions that it predicts; train with --conformal 0.5 to calibrate them",
                    sets.asked));
  if (sets.calibrated && std::isinf(sets.thresholds.front()))
    warn(fmt::format("{} {} kept apart are too few for --coverage {}, which takes {}: every {}",
                     card.conformal.front().size(),
                     card.conformal.front().size() == 1 ? "item that was" : "items that were", sets.asked,
                     fewest_conformal_items(sets.asked),
                     regression ? "interval is infinite" : "set holds all classes"));
  if (!sets.measured) return;
  note(fmt::format(
      "coverage {:.3f} on {} labelled items that training did not use, {} asked; mean {} {} {:.4g}",
      sets.measured->measured, sets.measured->items, sets.asked, what, regression ? "width" : "size",
      sets.measured->size));
}

void PredictCommand::run() {
  for (const std::string& input : {model, data, training_data}) check_output("--output", output, input);
  const bool npz = is_npz(output);
  if (!training_data.empty() && explain == 0)
    throw InputError("--training-data " + training_data +
                     ": it goes with --explain; add it, or leave both out");
  ranks->join(settings.device);
  const FittedModel fitted = FittedModel::load(model, settings.device);
  if (settings.device.ranks)
    check_ranks_agree(*settings.device.ranks, "another program or another model",
                      fmt::format("gdkm {} {} {}", version, git_commit, fitted.card().graph));
  const Dataset dataset =
      load(data, folder(data_dir), settings.device.threads, fitted.card().columns, ranks->reading());
  if (settings.device.ranks)
    check_ranks_agree(*settings.device.ranks, "other parts of the graph", fingerprint_of_share(dataset));
  PredictionTable table{fitted.predict(dataset), fitted.card().class_names, std::nullopt, std::nullopt};
  if (explain > 0) {  // takes features, and these take all ranks
    const bool other = !training_data.empty();
    const Dataset known =
        other ? load(training_data, folder(data_dir), settings.device.threads, ranks->reading()) : Dataset{};
    table.nearest = nearest_training_items(fitted, dataset, other ? known : dataset, explain);
  }
  if (!ranks->speaks()) return;
  for (const std::string& remark : table.predictions.remarks) note(remark);
  if (coverage) {
    table.sets = prediction_sets(table.predictions, fitted.card(), *coverage);
    report_coverage(*table.sets, fitted.card(), table.predictions.regression);
  }
  if (npz) return table.write_npz(output);
  write_output(output, table.csv());
}

/// --explain with or without a number.
void add_explain(CLI::App& predict, int& explain) {
  const auto take = [&explain, usual = 3, most = 1000](const std::vector<std::string>& given) {
    explain = usual;
    if (given.empty() || given.front().empty()) return true;
    const auto number = whole_number<int>(given.front());
    if (!number || *number < 1 || *number > most)
      throw CLI::ValidationError("--explain " + given.front(),
                                 fmt::format("must be a whole number from 1 to {}", most));
    explain = *number;
    return true;
  };
  predict
      .add_option("--explain", take, "Add the K nearest training items by the learned\nkernel (3 without K)")
      ->expected(0, 1)
      ->type_name("[K]");
}

}  // namespace

void add_predict(CLI::App& app, LaunchedRanks& ranks) {
  auto command = std::make_shared<PredictCommand>();
  command->ranks = &ranks;
  CLI::App& predict = *app.add_subcommand("predict", "Class probabilities for every node or graph");
  add_argument(predict, "MODEL", command->model, "A model saved by gdkm train --save");
  add_argument(predict, "DATA", command->data,
               "Data with the features that the model was trained\non; classes may be unknown");
  add_output(predict, command->output, "A .csv or .npz file; - for CSV on standard output");
  add_number(predict, "--coverage", "C", command->coverage, 0.001, 0.999,
             "Add a set of classes, or an interval, that holds\nthe truth with this probability; see train\n"
             "--conformal");
  add_explain(predict, command->explain);
  add_text(predict, "--training-data", "DATA", command->training_data,
           "With --explain: what the model was trained on,\nwhere DATA is other data");
  add_data_dir(predict, command->data_dir);
  add_settings_options(predict, command->settings, nullptr, {"device", "threads"});
  predict.footer(
      "Columns: id (a node's name, or the number of the node or graph, from 0),\n"
      "predicted class, one probability per class, under the names that the data has\n"
      "for them; with --coverage, set (classes with | between them) or\n"
      "lower and upper; with --explain, near1, near1_label, near1_similarity and so\n"
      "on. In a .npz the arrays are class, probabilities, set, nearest, similarity. A\n"
      "model trained with --scheme inter predicts on any data with the same features,\n"
      "one with --scheme intra on its own graph. Graphs come as a folder in the TU text\n"
      "format, in which classes may be unknown.\n"
      "Examples:\n"
      "  gdkm predict model.safetensors cora\n"
      "  gdkm predict model.safetensors graph.npz -o predictions.npz\n"
      "  gdkm predict model.safetensors cora --coverage 0.9 -o sets.csv\n"
      "  gdkm predict model.safetensors cora --explain 5 -o explained.csv");
  predict.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
