#include <fmt/format.h>

#include <filesystem>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/fitting/fitted_model.hpp"
#include "gdkm/store/run_export.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct PredictCommand {
  std::string model, data, data_dir, output = "-";
  Settings settings;  // of which the device and its threads

  void run() const;
};

/// A field of CSV: the name of number k, or `otherwise` where there are no names.
std::string field(const std::vector<std::string>& names, Index k, const std::string& otherwise) {
  return names.empty() ? otherwise : csv_field(names[static_cast<std::size_t>(k)]);
}

std::string class_csv(const Predictions& predictions, const std::vector<std::string>& names) {
  std::string out = "id,class";
  for (Index c = 0; c < predictions.outputs; ++c) out += "," + field(names, c, fmt::format("p{}", c));
  out += '\n';
  for (Index r = 0; r < predictions.items; ++r) {
    const Index best = predictions.predicted_class(r);
    out += field(predictions.names, r, std::to_string(r)) + "," + field(names, best, std::to_string(best));
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
    out += field(predictions.names, r, std::to_string(r));
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
  for (const std::string& remark : predictions.remarks) warn(remark);
  if (npz) return write_npz(output, predictions);
  write_output(output, predictions.regression ? number_csv(predictions)
                                              : class_csv(predictions, fitted.card().class_names));
}

}  // namespace

void add_predict(CLI::App& app) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App& predict = *app.add_subcommand("predict", "Class probabilities for every node or graph");
  add_argument(predict, "MODEL", command->model, "A model saved by gdkm train --save");
  add_argument(predict, "DATA", command->data,
               "Data with the features that the model was trained\non; classes may be unknown");
  add_output(predict, command->output, "A .csv or .npz file; - for CSV on standard output");
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
