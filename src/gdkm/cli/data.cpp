#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/data/catalogue/entry.hpp"
#include "gdkm/data/formats/npz/graph_npz.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/experiments/number_text.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

/// The listing continues if one data set is damaged; `info` says what is wrong with it.
std::optional<FoundFormat> find_quietly(const std::string& name, const std::string& data_dir) {
  try {
    return find_dataset(name, folder(data_dir));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::string known(Index number) {
  return number == 0 ? "-" : grouped_digits(static_cast<double>(number));
}

void list_catalogue(const std::string& data_dir) {
  fmt::print("{:<19} {:<6} {:>8} {:>9} {:>11} {:>9} {:>8} {:>10}  {}\n", "Data set", "task", "graphs",
             "nodes", "edges", "features", "classes", "homophily", "local");
  bool unverified = false;
  for (const CatalogueEntry& entry : catalogue()) {
    const ExpectedCounts& counts = entry.counts;
    const auto found = find_quietly(entry.name, data_dir);
    unverified |= !entry.verified;
    fmt::print("{:<19} {:<6} {:>8} {:>9} {:>11} {:>9} {:>8} {:>10}  {}\n",
               entry.name + (entry.verified ? "" : " *"), entry.task == Task::node ? "node" : "graph",
               known(counts.graphs), known(counts.nodes), known(counts.edges), known(counts.features),
               known(counts.classes), counts.homophily == 0 ? "-" : fmt::format("{:.3f}", counts.homophily),
               found ? "yes" : "no");
  }
  if (unverified)
    fmt::print("* Numbers stated by the publisher; they and the files have not been checked.\n");
}

void list_others(const std::string& data_dir) {
  std::size_t width = 0;
  std::vector<FoundDataset> others;
  for (const auto& dataset : list_datasets(folder(data_dir))) {
    if (find_entry(dataset.name) != nullptr) continue;
    width = std::max(width, dataset.name.size());
    others.push_back(dataset);
  }
  if (others.empty()) return;
  fmt::print("\nOther data sets on this machine:\n");
  for (const auto& other : others) fmt::print("  {:<{}}  {}\n", other.name, width, other.found.path.string());
}

void list(const std::string& data_dir) {
  list_catalogue(data_dir);
  fmt::print("\nSearched folders:");
  for (const auto& path : data_folders(folder(data_dir))) fmt::print(" {}", path.string());
  fmt::print(
      "\nDownload a data set with 'gdkm data fetch NAME'. Set another folder with --data-dir or "
      "$GDKM_DATA.\n");
  list_others(data_dir);
  fmt::print("\nGenerators, used like names (csbm:n=500,homophily=0.2):\n");
  for (const auto& generator : list_generators()) {
    fmt::print("\n{}:  {}\n", generator.name, generator.summary);
    for (const auto& option : generator.options) {
      fmt::print("  {:<10} {:<8} {}\n", option.key, option.default_value, option.meaning);
    }
  }
}

void generate_to_file(const std::string& spec, const std::string& output) {
  const fs::path path = output.empty() ? fs::path(spec.substr(0, spec.find(':')) + ".npz") : fs::path(output);
  if (path.extension() != ".npz") {
    throw InputError("--output " + path.string() + ": expected a file name that ends in .npz");
  }
  check_output("--output", path.string());
  const Dataset dataset = generate(spec);
  write_graph_npz(dataset, path);
  fmt::print("{}: {} nodes, {} features, {} classes\n", path.string(), dataset.graph.nodes,
             dataset.features.cols, dataset.classes);
}

}  // namespace

void add_data(CLI::App& app, const HttpGet& get) {
  struct Arguments {
    std::string data, data_dir, output;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App& data = *app.add_subcommand("data", "List, fetch, import, export, generate, partition");
  data.require_subcommand(1);
  data.footer(
      "Examples:\n"
      "  gdkm data list\n"
      "  gdkm data info cora\n"
      "  gdkm data fetch roman-empire\n"
      "  gdkm data import --edges edges.csv --labels labels.csv -o graph.npz\n"
      "  gdkm data generate csbm:n=500,homophily=0.2 -o graph.npz\n"
      "  gdkm data partition graph.npz --parts 8 -o graph-parts\n"
      "Each subcommand has its own --help.");
  CLI::App& list_command = *data.add_subcommand("list", "List known and local data sets, and generators");
  add_data_dir(list_command, a->data_dir);
  list_command.footer("Examples:\n  gdkm data list\n  gdkm data list --data-dir ../datasets");
  list_command.callback([a] { list(a->data_dir); });

  add_data_info(data);
  add_data_fetch(data, get);
  add_data_import(data);
  add_data_export(data);
  add_data_partition(data);

  CLI::App& generate_command = *data.add_subcommand("generate", "Write a generated graph to a file");
  add_argument(generate_command, "GENERATOR", a->data, "For instance csbm:n=500,homophily=0.2");
  add_text(generate_command, "--output,-o", "FILE", a->output,
           "The .npz file to write (default: generator's name)");
  generate_command.footer(
      "See gdkm data list for the generators and their options.\n"
      "Example:\n  gdkm data generate csbm:n=500,homophily=0.2 -o graph.npz");
  generate_command.callback([a] { generate_to_file(a->data, a->output); });
}

}  // namespace gdkm::cli
