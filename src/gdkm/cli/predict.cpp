#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/data_options.hpp"
#include "gdkm/cli/output_file.hpp"
#include "gdkm/cli/settings_options.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/fitting/fitted_model.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct PredictCommand {
  std::string model, data, data_dir, output = "-";
  Settings settings;  // of which the device and its threads

  void run() const;
};

/// A field as CSV has it: quoted where it must be.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string name_of_item(const Predictions& predictions, Index item) {
  return predictions.names.empty() ? std::to_string(item)
                                   : field(predictions.names[static_cast<std::size_t>(item)]);
}

std::string class_csv(const Predictions& predictions, const std::vector<std::string>& names) {
  std::string out = "id,class";
  for (Index c = 0; c < predictions.outputs; ++c)
    out +=
        fmt::format(",{}", names.empty() ? fmt::format("p{}", c) : field(names[static_cast<std::size_t>(c)]));
  out += '\n';
  for (Index r = 0; r < predictions.items; ++r) {
    const Index best = predictions.predicted_class(r);
    out += fmt::format("{},{}", name_of_item(predictions, r),
                       names.empty() ? std::to_string(best) : field(names[static_cast<std::size_t>(best)]));
    for (Index c = 0; c < predictions.outputs; ++c) out += fmt::format(",{:.9g}", predictions.row(r)[c]);
    out += '\n';
  }
  return out;
}

/// id, then the mean and the standard deviation of every number.
std::string number_csv(const Predictions& predictions) {
  std::string out = "id";
  for (Index c = 0; c < predictions.outputs; ++c)
    out +=
        predictions.outputs == 1 ? std::string(",mean,deviation") : fmt::format(",mean{},deviation{}", c, c);
  out += '\n';
  for (Index r = 0; r < predictions.items; ++r) {
    out += name_of_item(predictions, r);
    for (Index c = 0; c < predictions.outputs; ++c)
      out += fmt::format(",{:.9g},{:.9g}", predictions.mean(r, c), predictions.deviation(r, c));
    out += '\n';
  }
  return out;
}

void write_npz(const fs::path& path, const Predictions& predictions) {
  NpzWriter writer;
  if (predictions.regression) {
    std::vector<double> mean, deviation;
    for (Index r = 0; r < predictions.items; ++r) {
      const double* row = predictions.row(r);
      mean.insert(mean.end(), row, row + predictions.outputs);
      deviation.insert(deviation.end(), row + predictions.outputs, row + 2 * predictions.outputs);
    }
    writer.add("mean", {predictions.items, predictions.outputs}, mean);
    writer.add("deviation", {predictions.items, predictions.outputs}, deviation);
  } else {
    std::vector<std::int64_t> predicted;
    for (Index r = 0; r < predictions.items; ++r) predicted.push_back(predictions.predicted_class(r));
    writer.add("class", {predictions.items}, predicted);
    writer.add("probabilities", {predictions.items, predictions.outputs}, predictions.values);
  }
  writer.write(path);
}

/// Whether the file's ending asks for an archive; one without an ending is CSV.
bool is_npz(const std::string& file) {
  const std::string ending = fs::path(file).extension().string();
  if (ending == ".npz") return true;
  if (ending.empty() || ending == ".csv") return false;
  throw InputError(
      fmt::format("--output {}: '{}' is no format that can be written; use .csv or .npz", file, ending));
}

void PredictCommand::run() const {
  check_output("--output", output, model);
  check_output("--output", output, data);
  const bool npz = is_npz(output);
  const FittedModel fitted = FittedModel::load(model, settings.device);
  const Predictions predictions = fitted.predict(load(data, folder(data_dir), settings.device.threads));
  if (npz) return write_npz(output, predictions);
  const std::string csv =
      predictions.regression ? number_csv(predictions) : class_csv(predictions, fitted.card().class_names);
  if (output == "-") {
    fmt::print("{}", csv);
  } else {
    write_file_atomically(output, csv);
  }
}

}  // namespace

void add_predict(CLI::App& app) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App& predict = *app.add_subcommand("predict", "Class probabilities for every node or graph");
  predict.add_option("MODEL", command->model, "A model saved by gdkm train --save")
      ->required()
      ->type_name("");
  predict
      .add_option("DATA", command->data,
                  "Data with the features that the model was trained\non; classes may be unknown")
      ->required()
      ->type_name("");
  predict.add_option("--output,-o", command->output, "A .csv or .npz file; - for CSV on standard output")
      ->type_name("FILE|-")
      ->capture_default_str();
  add_data_dir(predict, command->data_dir);
  add_settings_options(predict, command->settings, nullptr, {"device", "threads"});
  predict.footer(
      "Columns: id, predicted class, one probability per class, under the names that\n"
      "the data has for them. In a .npz the arrays are 'class' and 'probabilities'. A\n"
      "model trained with --scheme inter predicts on any data with the same features,\n"
      "one with --scheme intra on its own graph. Graphs come as a folder in the TU text\n"
      "format, in which classes may be unknown.\n"
      "Examples:\n"
      "  gdkm predict model.safetensors cora\n"
      "  gdkm predict model.safetensors graph.npz -o predictions.npz");
  predict.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
