#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/data_options.hpp"
#include "gdkm/cli/option_names.hpp"
#include "gdkm/cli/output_file.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/npz_writer.hpp"
#include "gdkm/training/learner.hpp"
#include "gdkm/training/predictor.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct PredictCommand {
  std::string model, data, data_dir, output = "-";
  int threads = 0;

  void run() const;
};

template <class T>
std::vector<double> predict_with(const TensorFile& file, const ModelCard& card, const Problem& problem,
                                 const fs::path& path, int threads) {
  CpuBackend<T> backend(threads);
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
  for (Index c = 0; c < classes; ++c) out += "," + (names.empty() ? fmt::format("p{}", c) : field(names[c]));
  out += '\n';
  const auto nodes = static_cast<Index>(probabilities.size()) / classes;
  for (Index r = 0; r < nodes; ++r) {
    const double* row = probabilities.data() + r * classes;
    const auto best = most_probable(row, classes);
    const bool named = dataset.task == Task::node && !dataset.node_names.empty();
    out += named ? field(dataset.node_names[r]) : std::to_string(r);
    out += "," + (names.empty() ? std::to_string(best) : field(names[best]));
    for (Index c = 0; c < classes; ++c) out += fmt::format(",{:.9g}", row[c]);
    out += '\n';
  }
  return out;
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

void PredictCommand::run() const {
  check_output("--output", output, model);
  check_output("--output", output, data);
  const TensorFile file = read_safetensors(model);
  const ModelCard card = read_card(file, model);
  const Preprocessing& preprocessing = card.settings.preprocessing;
  const Dataset dataset = preprocess(load(data, folder(data_dir), threads), preprocessing);
  const Problem problem = prepare(dataset, preprocessing, card.settings.config);
  check_fits(card, problem, model);
  const auto probabilities = card.settings.precision == Precision::float64
                                 ? predict_with<double>(file, card, problem, model, threads)
                                 : predict_with<float>(file, card, problem, model, threads);
  if (output == "-") {
    fmt::print("{}", as_csv(probabilities, card, dataset));
  } else if (fs::path(output).extension() == ".npz") {
    write_npz(output, probabilities, card.classes);
  } else {
    write_file_atomically(output, as_csv(probabilities, card, dataset));
  }
}

}  // namespace

void add_predict(CLI::App& app) {
  auto command = std::make_shared<PredictCommand>();
  CLI::App& predict = *app.add_subcommand("predict", "Class probabilities for every node of a graph");
  predict.add_option("MODEL", command->model, "A model saved by gdkm train --save")
      ->required()
      ->type_name("");
  predict.add_option("DATA", command->data, "A graph with the features the model was trained on")
      ->required()
      ->type_name("");
  predict.add_option("--output,-o", command->output, "A .csv or .npz file; - for CSV on standard output")
      ->type_name("FILE|-")
      ->capture_default_str();
  add_data_dir(predict, command->data_dir);
  add_number(predict, "--threads", "N", command->threads, 0, 4096, "Threads; 0 for one per core");
  predict.footer(
      "Columns: id, predicted class, one probability per class, under the names that the\n"
      "data has for them. In a .npz the arrays\n"
      "are 'class' and 'probabilities'. A model trained with --scheme inter predicts on\n"
      "any graph with the same features, one with --scheme intra on its own graph.\n"
      "Examples:\n"
      "  gdkm predict model.safetensors cora\n"
      "  gdkm predict model.safetensors graph.npz -o predictions.npz");
  predict.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
