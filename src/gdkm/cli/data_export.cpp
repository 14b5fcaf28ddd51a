#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/data/formats/arrays/arrays_folder.hpp"
#include "gdkm/data/formats/csv/csv_export.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct ExportCommand {
  std::string data, data_dir, output, format;
  bool force = false;

  void run() const;
};

/// A name that ends like a file of a format that is read and not written would become a folder.
void check_ending(const std::string& output) {
  static constexpr std::pair<const char*, const char*> others[] = {{".graphml", "GraphML"},
                                                                   {".xml", "GraphML"},
                                                                   {".gml", "GML"},
                                                                   {".gexf", "GEXF"},
                                                                   {".json", "JSON"},
                                                                   {".net", "Pajek"},
                                                                   {".adjlist", "adjacency lists"},
                                                                   {".edgelist", "lists of edges"},
                                                                   {".mtx", "Matrix Market"},
                                                                   {".csv", "a single CSV file"},
                                                                   {".tsv", "a single table"},
                                                                   {".txt", "text"},
                                                                   {".mat", "MATLAB"},
                                                                   {".pt", "PyTorch"},
                                                                   {".zip", "zip"},
                                                                   {".gz", "gzip"}};
  const std::string ending = fs::path(output).extension().string();
  for (const auto& [known, format] : others) {
    if (ending != known) continue;
    throw InputError(fmt::format(
        "--output {}: {} is not written; name a folder for CSV files or a file that ends in .npz, or give "
        "--format csv to make a folder of this name",
        output, format));
  }
}

void ExportCommand::run() const {
  if (format.empty()) check_ending(output);
  const bool is_npz = format.empty() ? fs::path(output).extension() == ".npz" : format == "npz";
  if (format == "arrays") {
    const Dataset dataset = load(data, folder(data_dir));
    write_arrays_folder(dataset, output);
    fmt::print("{}: {} nodes, {} edges, {} features, {} classes\n", output, dataset.graph.nodes,
               dataset.graph.edges.size(), dataset.features.cols, dataset.classes);
    std::size_t splits = 0;
    for (const auto& [set, each] : dataset.splits) splits += each.size();
    if (splits > 1) note(fmt::format("of {} splits, the first public one is kept", splits));
    if (!dataset.class_names.empty() || !dataset.node_names.empty())
      note("names of classes and nodes are not kept");
    return;
  }
  if (is_npz) check_output("--output", output, data);
  const Dataset dataset = load(data, folder(data_dir));
  if (is_npz) {
    if (dataset.task != Task::node) {
      throw InputError(dataset.name +
                       ": contains many graphs; .npz export supports one graph with labelled nodes");
    }
    write_graph_npz(dataset, output);
    fmt::print("{}: {} nodes, {} features, {} classes\n", output, dataset.graph.nodes, dataset.features.cols,
               dataset.classes);
    return;
  }
  write_csv_folder(dataset, output, force);
  fmt::print(
      "{}: {} nodes, {} edges, {} features, {} classes\nImport it again:  gdkm data import {}{} -o "
      "{}.npz\n",
      output, dataset.graph.nodes, dataset.graph.edges.size(), dataset.features.cols, dataset.classes,
      shell_word(output),
      std::string(dataset.graph.directed ? " --directed" : "") +
          (dataset.is_regression() ? " --regression" : ""),
      shell_word(dataset.name));
}

}  // namespace

void add_data_export(CLI::App& data) {
  auto command = std::make_shared<ExportCommand>();
  CLI::App& app = *data.add_subcommand("export", "Write a data set as CSV files, or as one .npz");
  add_argument(app, "DATA", command->data, "A name, a .npz file, or a generator");
  add_text(app, "--output,-o", "PATH", command->output, "A folder for CSV files, or a file that ends in .npz")
      ->required();
  add_text(app, "--format", "csv|npz|arrays", command->format,
           "Format (default: by the extension of --output);\narrays: a folder of .npy files")
      ->check(CLI::IsMember({"csv", "npz", "arrays"}));
  app.add_flag("--force", command->force, "Replace the folder of an earlier export");
  add_data_dir(app, command->data_dir);
  app.footer(
      "Writes edges.csv, features.csv (sparse features as node,feature,value),\n"
      "labels.csv and, if needed, splits.csv and classes.csv. gdkm data import reads the\n"
      "folder back.\n"
      "Examples:\n"
      "  gdkm data export cora -o cora-csv\n"
      "  gdkm data export csbm:n=500,homophily=0.2 -o graph.npz\n"
      "  gdkm data export csbm:n=500,homophily=0.2 -o graph --format arrays");
  app.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
