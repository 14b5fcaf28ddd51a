#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/data_options.hpp"
#include "gdkm/cli/option_names.hpp"
#include "gdkm/cli/output_file.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/linalg/make_backend.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/training/learner.hpp"
#include "gdkm/training/predictor.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct PredictCommand {
  std::string model, data, data_dir, output = "-";
  DeviceChoice device;

  void run() const;
};

template <class T>
std::vector<double> predict_with(const TensorFile& file, const ModelCard& card, const Problem& problem,
                                 const fs::path& path, const DeviceChoice& device) {
  const auto owner = make_backend<T>(device);
  Backend<T>& backend = *owner;
  if (card.settings.model == "gcn")
    return predict_gcn(*gcn_from_tensors<T>(backend, file, card, path), card.settings, problem);
  return predict(*from_tensors<T>(backend, file, card, path), problem, card.settings.training.seed, nullptr,
                 card.settings.training.batches);
}

std::int32_t most_probable(const double* row, Index classes) {
  return static_cast<std::int32_t>(std::max_element(row, row + classes) - row);
}

/// A field as CSV has it: quoted where it must be.
std::string field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

std::string as_csv(const std::vector<double>& probabilities, const ModelCard& card, const Dataset& dataset) {
  const Index classes = card.classes;
  const auto& names = card.class_names;
  std::string out = "id,class";
  for (Index c = 0; c < classes; ++c)
    out += fmt::format(",{}", names.empty() ? fmt::format("p{}", c) : field(names[c]));
  out += '\n';
  const auto nodes = static_cast<Index>(probabilities.size()) / classes;
  for (Index r = 0; r < nodes; ++r) {
    const double* row = probabilities.data() + r * classes;
    const auto best = most_probable(row, classes);
    const bool named = dataset.task == Task::node && !dataset.node_names.empty();
    out += named ? field(dataset.node_names[r]) : std::to_string(r);
    out += fmt::format(",{}", names.empty() ? std::to_string(best) : field(names[best]));
    for (Index c = 0; c < classes; ++c) out += fmt::format(",{:.9g}", row[c]);
    out += '\n';
  }
  return out;
}

/// id, then the mean and the standard deviation of every number.
std::string numbers_csv(const std::vector<double>& predictions, Index targets, const Dataset& dataset) {
  std::string out = "id";
  for (Index c = 0; c < targets; ++c)
    out += targets == 1 ? std::string(",mean,deviation") : fmt::format(",mean{},deviation{}", c, c);
  out += '\n';
  const auto items = static_cast<Index>(predictions.size()) / (2 * targets);
  for (Index r = 0; r < items; ++r) {
    out += dataset.node_names.empty() ? std::to_string(r) : field(dataset.node_names[r]);
    const double* row = predictions.data() + r * 2 * targets;
    for (Index c = 0; c < targets; ++c) out += fmt::format(",{:.9g},{:.9g}", row[c], row[targets + c]);
    out += '\n';
  }
  return out;
}

void write_numbers(const fs::path& path, const std::vector<double>& predictions, Index targets) {
  const auto items = static_cast<Index>(predictions.size()) / (2 * targets);
  std::vector<double> mean, deviation;
  for (Index r = 0; r < items; ++r) {
    const double* row = predictions.data() + r * 2 * targets;
    mean.insert(mean.end(), row, row + targets);
    deviation.insert(deviation.end(), row + targets, row + 2 * targets);
  }
  NpzWriter writer;
  writer.add("mean", {items, targets}, mean);
  writer.add("deviation", {items, targets}, deviation);
  writer.write(path);
}

void write_npz(const fs::path& path, const std::vector<double>& probabilities, Index classes) {
  const auto nodes = static_cast<Index>(probabilities.size()) / classes;
  std::vector<std::int64_t> predicted;
  for (Index r = 0; r < nodes; ++r)
    predicted.push_back(most_probable(probabilities.data() + r * classes, classes));
  NpzWriter writer;
  writer.add("class", {nodes}, predicted);
  writer.add("probabilities", {nodes, classes}, probabilities);
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
  const TensorFile file = read_safetensors(model);
  const ModelCard card = read_card(file, model);
  const Preprocessing& preprocessing = card.settings.preprocessing;
  const Dataset dataset =
      preprocess(with_columns_of(card, load(data, folder(data_dir), device.threads), model), preprocessing);
  Problem problem = prepare(dataset, preprocessing, card.settings.config);
  // What is predicted is the model's: the data may have other classes, or none.
  problem.classes = static_cast<int>(card.classes);
  problem.targets = card.settings.config.regression ? static_cast<int>(card.classes) : 0;
  check_fits(card, problem, model);
  const auto probabilities = card.settings.precision == Precision::float64
                                 ? predict_with<double>(file, card, problem, model, device)
                                 : predict_with<float>(file, card, problem, model, device);
  const bool numbers = card.settings.config.regression;
  if (npz) {
    numbers ? write_numbers(output, probabilities, card.classes)
            : write_npz(output, probabilities, card.classes);
    return;
  }
  const std::string csv =
      numbers ? numbers_csv(probabilities, card.classes, dataset) : as_csv(probabilities, card, dataset);
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
  predict.add_option("--device", command->device.device, "Where to compute: cpu, cuda or cuda:N")
      ->type_name("cpu|cuda|cuda:N")
      ->capture_default_str();
  add_number(predict, "--threads", "N", command->device.threads, 0, 4096, "Threads; 0 for one per core");
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
