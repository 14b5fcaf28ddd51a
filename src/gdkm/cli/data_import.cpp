#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/dataset_remarks.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/data/formats/import_graph.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/dataset/split_remarks.hpp"
#include "gdkm/dataset/split_spec.hpp"
#include "gdkm/dataset/summary.hpp"
#include "gdkm/fitting/fitted_model.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct ImportCommand {
  std::string features, output, split, like, missing;
  std::vector<std::string> ordinals;
  std::uint64_t split_seed = 0;
  int split_count = 1, threads = 0;
  ImportRequest request;

  void run();
  void settle();
};

void ImportCommand::settle() {
  CsvGraphFiles& csv = request.csv;
  if (!like.empty()) {
    const FeatureColumns columns = FittedModel::load(like).card().columns;
    if (columns.kind != FeatureColumns::Kind::table)
      throw InputError("--like " + like +
                       ": the model's features are no table with typed columns; leave it out");
    csv.rules.given = columns.table;
    csv.rules.from_model = true;
  }
  if (features == "degree") {
    csv.default_features = DefaultFeatures::degree;
  } else if (features == "identity") {
    csv.default_features = DefaultFeatures::identity;
  } else if (features == "ones") {
    csv.default_features = DefaultFeatures::ones;
  } else {
    csv.features = features;
  }
  if (!missing.empty()) csv.rules.refuse_missing = missing == "refuse";
  for (const std::string& text : ordinals) csv.rules.ordinals.push_back(parse_ordinal(text));
  if (request.file.empty() && csv.edges.empty()) {
    throw InputError("no edges are given; give a FILE with the graph, or a list of edges with --edges");
  }
  if (!split.empty() && !csv.splits.empty()) {
    throw InputError("--split creates splits and --splits reads them; give one of the two");
  }
  if (fs::path(output).extension() != ".npz") {
    throw InputError("--output " + output + ": expected a file name that ends in .npz");
  }
  for (const auto& input :
       {request.file, csv.edges, csv.features, csv.labels, csv.nodes, csv.splits, csv.classes, csv.columns})
    check_output("--output", output, input.string());
}

void ImportCommand::run() {
  settle();
  const auto spec = split.empty() ? std::nullopt : std::optional(parse_split_spec(split));
  Dataset dataset = import_graph(request, threads);
  dataset.name = fs::path(output).stem().string();
  if (spec) dataset.splits["public"] = make_splits(*spec, dataset.label, split_seed, split_count);
  if (spec && std::count(split.begin(), split.end(), '/') == 1)
    dataset.remarks.push_back(
        "--split " + split + ": a fifth of the training part validates, so the split is " + to_string(*spec));
  for (const auto& [name, splits] : dataset.splits) {
    for (const std::string& remark : split_remarks(dataset, splits))
      dataset.remarks.push_back(name + ": " + remark);
  }
  const DatasetSummary summary = summarise(dataset);
  for (const std::string& remark : dataset.remarks) note(remark);
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
  CLI::App& app = *data.add_subcommand("import", "Convert your own graph (CSV, GraphML and others)");
  const auto add = [&](const char* group, const char* name, const char* symbol, auto& value,
                       const char* help) { return add_text(app, name, symbol, value, help)->group(group); };
  add_text(
      app, "FILE", "", command->request.file,
      "GraphML, GML, GEXF, JSON node-link, Pajek, Matrix\nMarket, a list of edges, an adjacency list, a "
      ".npz\n"
      "with the arrays of PyTorch Geometric, a folder with\nedges.csv and nodes.csv, or one of gdkm data "
      "export");
  add_text(app, "--output,-o", "FILE", command->output, "The .npz file to write")->required();
  add("CSV", "--edges", "FILE", csv.edges, "Two nodes per row, and optionally a weight and a\ntype");
  add("CSV", "--features", "FILE|KIND", command->features,
      "Id and columns; or node,feature,value; or one of\nidentity (default without a file), degree, ones");
  add("CSV", "--labels", "FILE", csv.labels, "Id and class; empty, NA, nan, ? or -1: no class");
  add("CSV", "--nodes", "FILE", csv.nodes, "Id, features and class in one file");
  add("CSV", "--label-column", "NAME", csv.names.label,
      "Column with the class, or none (default: one named\nlabel, class, y, target, club, ...)");
  add("CSV", "--id-column", "NAME", csv.names.id,
      "Column with the ids (default: 'id', 'node', one\nlike 'customer_id', else the first)");
  add("CSV", "--source-column", "NAME", csv.names.source,
      "Column where edges begin (default: one named\nsource, from, ..., else the first)");
  add("CSV", "--target-column", "NAME", csv.names.target, "Column where edges end");
  add("CSV", "--weight-column", "NAME", csv.names.weight,
      "Column with the weight of an edge, or none\n(default: 'weight', or the third without a header)");
  add("CSV", "--type-column", "NAME", csv.names.type,
      "Column with the type of an edge, or none\n(default: 'type' or 'edge_type')");
  add("CSV", "--splits", "FILE", csv.splits, "Id and train, val or test; one column per split");
  add("CSV", "--classes", "FILE", csv.classes, "The classes in order, one per line\n(default: sorted)");
  auto* header = app.add_flag_callback(
      "--header", [&csv] { csv.header = true; }, "The first line of each file names the columns");
  auto* bare = app.add_flag_callback(
      "--no-header", [&csv] { csv.header = false; }, "It does not (default: detected)");
  header->group("CSV")->excludes(bare);
  bare->group("CSV");

  const char* attributes = "GraphML, GML, GEXF, JSON, Pajek";
  add(attributes, "--label-key", "KEY", command->request.label_key,
      "Node attribute with the class, or none (default:\none named label, class, y, target, club, ...)");
  add(attributes, "--weight-key", "KEY", command->request.weight_key,
      "Edge attribute with the weight, or none\n(default: 'weight')");
  add(attributes, "--type-key", "KEY", command->request.type_key,
      "Edge attribute with the type, or none\n(default: 'type', 'relation' or 'label')");

  app.add_flag("--regression", csv.regression, "Predict numbers instead of classes")->group("Columns");
  add("Columns", "--ignore-columns", "NAME,..", csv.rules.ignored, "Columns or attributes to skip")
      ->delimiter(',');
  add("Columns", "--categories", "NAME,..", csv.rules.categories,
      "Columns whose numbers or texts are categories")
      ->delimiter(',');
  add("Columns", "--ordinal", "NAME=A,B,..", command->ordinals,
      "A column whose values have this order (repeatable)");
  add("Columns", "--missing", "fill|refuse", command->missing,
      "Missing values (empty, NA, nan, null, ?): filled\nand marked by one more column, or refused\n"
      "(default: fill)")
      ->check(CLI::IsMember({"fill", "refuse"}));
  add("Columns", "--columns", "FILE", csv.columns, "Names, types and values of columns, as exported");
  add("Columns", "--like", "MODEL", command->like,
      "Types of columns as a saved model has them, for\ndata to predict on");

  auto* directed = app.add_flag_callback(
      "--directed", [&csv] { csv.directed = true; }, "Edges are directed");
  auto* undirected = app.add_flag_callback(
      "--undirected", [&csv] { csv.directed = false; },
      "Edges are undirected (default: as the file says;\nCSV: undirected)");
  directed->group("Graph")->excludes(undirected);
  undirected->group("Graph");
  add("Graph", "--split", "SPEC", command->split,
      "Create splits: 60/20/20 (train/val/test), 67/33\n(train/test) or per-class=20,val=500");
  add_number(app, "--split-seed", "S", command->split_seed, 0, 4294967295, "Seed of --split")->group("Graph");
  add_number(app, "--split-count", "N", command->split_count, 1, 1000, "Number of splits to create")
      ->group("Graph");
  add_threads(app, command->threads);
  app.footer(
      "Numbers, true/false and texts (categories) become features; what was left out or\n"
      "assumed is said in one line each. Decimal commas are read where commas do not\n"
      "separate fields.\n"
      "Fields are separated by commas, semicolons, tabs or blanks; # begins a comment.\n"
      "Ids may be any text. The nodes are the rows of --features or --nodes, else of\n"
      "--labels, else the ends of the edges. Files may be gzipped (.gz).\n"
      "Examples:\n"
      "  gdkm data import --edges edges.csv --features x.csv --labels y.csv -o graph.npz\n"
      "  gdkm data import --edges edges.csv --nodes nodes.csv --label-column kind -o graph.npz\n"
      "  gdkm data import graph.mtx --features ones --labels y.csv --split 60/20/20 -o graph.npz\n"
      "  gdkm data import graph.graphml --label-key club -o graph.npz\n"
      "  gdkm data import folder/ --ordinal size=S,M,L --categories zip -o g.npz");
  app.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
