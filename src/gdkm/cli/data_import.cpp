#include "gdkm/cli/data_import.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/data_info.hpp"
#include "gdkm/cli/dataset_remarks.hpp"
#include "gdkm/cli/option_names.hpp"
#include "gdkm/cli/output_file.hpp"
#include "gdkm/data/formats/import_graph.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/dataset/split_spec.hpp"
#include "gdkm/dataset/summary.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct ImportCommand {
  std::string file, edges, features, labels, nodes, splits, classes, output;
  std::string split;
  std::uint64_t split_seed = 0;
  int split_count = 1, threads = 0;
  ImportRequest request;

  void run();
  void settle();
};

void ImportCommand::settle() {
  CsvGraphFiles& csv = request.csv;
  request.file = file;
  csv.edges = edges;
  csv.labels = labels;
  csv.nodes = nodes;
  csv.splits = splits;
  csv.classes = classes;
  if (features == "degree") {
    csv.made = MadeFeatures::degree;
  } else if (features == "identity") {
    csv.made = MadeFeatures::identity;
  } else if (features == "ones") {
    csv.made = MadeFeatures::ones;
  } else {
    csv.features = features;
  }
  if (file.empty() && edges.empty()) {
    throw InputError("no edges are given; name a FILE that holds the graph, or a list of edges with --edges");
  }
  if (!split.empty() && !splits.empty()) {
    throw InputError("--split makes splits and --splits reads them; give one of the two");
  }
  if (fs::path(output).extension() != ".npz") {
    throw InputError("--output " + output + ": give a file that ends in .npz");
  }
  for (const auto& input : {file, edges, features, labels, nodes, splits, classes}) {
    check_output("--output", output, input);
  }
}

void ImportCommand::run() {
  settle();
  const auto spec = split.empty() ? std::nullopt : std::optional(parse_split_spec(split));
  Dataset dataset = import_graph(request, threads);
  dataset.name = fs::path(output).stem().string();
  if (spec) dataset.splits["public"] = make_splits(*spec, dataset.label, split_seed, split_count);
  const DatasetSummary summary = summarise(dataset);
  for (const std::string& remark : dataset_remarks(dataset, summary)) warn(remark);
  write_graph_npz(dataset, output);
  print_summary(summary);
  const bool trains = summary.unlabelled < summary.nodes;
  fmt::print("Written to {}. Next:  gdkm {} {}\n", output, trains ? "train" : "predict MODEL",
             shell_word(output));
}

}  // namespace

void add_data_import(CLI::App& data) {
  auto command = std::make_shared<ImportCommand>();
  CsvGraphFiles& csv = command->request.csv;
  CLI::App& import = *data.add_subcommand("import", "Your own graph, from CSV, GraphML, Matrix Market");
  const auto add_file = [&](const char* name, std::string& value, const char* help) {
    import.add_option(name, value, help)->type_name("FILE")->group("CSV");
  };
  import
      .add_option(
          "FILE", command->file,
          "A GraphML or Matrix Market file, a .npz with arrays\nas in PyTorch Geometric, a list of edges, or "
          "a\nfolder that gdkm data export wrote")
      ->type_name("");
  import.add_option("--output,-o", command->output, "The .npz file to write")->required()->type_name("FILE");
  add_file("--edges", command->edges, "Two nodes a row, and a weight if edges have one");
  import
      .add_option(
          "--features", command->features,
          "Id and numbers; or node,feature,value; or made up:\ndegree (where there are none), identity, ones")
      ->type_name("FILE|KIND")
      ->group("CSV");
  add_file("--labels", command->labels, "Id and class; no class where it is empty, ? or -1");
  add_file("--nodes", command->nodes, "Id, numbers and class in one file");
  import.add_option("--label-column", csv.label_column, "The column that holds the class")
      ->type_name("NAME")
      ->group("CSV");
  import.add_flag("--regression", csv.regression, "What is to be predicted are numbers, not classes")
      ->group("CSV");
  import.add_option("--ignore-columns", csv.ignored_columns, "Columns that are no features")
      ->type_name("NAME,..")
      ->delimiter(',')
      ->group("CSV");
  add_file("--splits", command->splits, "Id and train, val or test; more columns are more\nsplits");
  add_file("--classes", command->classes,
           "The classes, one a line, in the order of their\nnumbers (else sorted)");
  auto* header = import.add_flag_callback(
      "--header", [&csv] { csv.header = true; }, "First lines name the columns");
  auto* bare = import.add_flag_callback(
      "--no-header", [&csv] { csv.header = false; }, "They do not (else detected)");
  header->group("CSV")->excludes(bare);
  bare->group("CSV");

  import.add_option("--label-key", command->request.label_key, "The node attribute that is the class")
      ->type_name("KEY")
      ->group("GraphML");
  import
      .add_option("--weight-key", command->request.weight_key,
                  "The edge attribute that is the weight (else 'weight')")
      ->type_name("KEY")
      ->group("GraphML");

  auto* directed = import.add_flag_callback(
      "--directed", [&csv] { csv.directed = true; }, "Edges have a direction");
  auto* undirected = import.add_flag_callback(
      "--undirected", [&csv] { csv.directed = false; }, "They have none (else as the file says; CSV: none)");
  directed->group("Graph")->excludes(undirected);
  undirected->group("Graph");
  import.add_option("--split", command->split, "Make splits: 60/20/20 or per-class=20,val=500")
      ->type_name("SPEC")
      ->group("Graph");
  add_number(import, "--split-seed", "S", command->split_seed, 0, 4294967295, "Seed of --split")
      ->group("Graph");
  add_number(import, "--split-count", "N", command->split_count, 1, 1000, "How many splits --split makes")
      ->group("Graph");
  add_number(import, "--threads", "N", command->threads, 0, 4096, "Threads; 0 for one per core");
  import.footer(
      "Fields are separated by commas, semicolons, tabs or blanks; # begins a comment.\n"
      "Ids may be any text. Nodes are the rows of --features or --nodes, else of\n"
      "--labels, else those of the edges. Files may be packed (.gz).\n"
      "Examples:\n"
      "  gdkm data import --edges edges.csv --features x.csv --labels y.csv -o graph.npz\n"
      "  gdkm data import --edges edges.csv --nodes nodes.csv --label-column kind -o graph.npz\n"
      "  gdkm data import graph.mtx --features ones --labels y.csv --split 60/20/20 -o graph.npz\n"
      "  gdkm data import graph.graphml --label-key club -o graph.npz");
  import.callback([command] { command->run();
});
}  // namespace gdkm::cli

}  // namespace gdkm::cli
