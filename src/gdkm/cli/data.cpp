#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/output_file.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/data/generators/generators.hpp"
#include "gdkm/data/formats/neutral_npz.hpp"
#include "gdkm/data/summary.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

std::optional<fs::path> folder(const std::string& data_dir) {
  return data_dir.empty() ? std::nullopt : std::optional<fs::path>(data_dir);
}

void list(const std::string& data_dir) {
  const auto found = list_datasets(folder(data_dir));
  if (found.empty()) {
    fmt::print("No data sets in:");
    for (const auto& path : data_folders(folder(data_dir))) fmt::print(" {}", path.string());
    fmt::print("\nName a folder that holds NAME/NAME.npz with --data-dir or in $GDKM_DATA.\n");
  } else {
    std::size_t width = 8;
    for (const auto& dataset : found) width = std::max(width, dataset.name.size());
    fmt::print("{:<{}}  {}\n", "Data set", width, "File");
    for (const auto& dataset : found) fmt::print("{:<{}}  {}\n", dataset.name, width, dataset.path.string());
  }
  fmt::print("\nGenerators, used like names (csbm:n=500,homophily=0.2):\n");
  for (const auto& generator : list_generators()) {
    fmt::print("\n{}:  {}\n", generator.name, generator.summary);
    for (const auto& option : generator.options) {
      fmt::print("  {:<10} {:<8} {}\n", option.key, option.default_value, option.meaning);
    }
  }
}

std::string splits_line(const SplitSetSummary& set) {
  return fmt::format("{} {} of {} / {} / {} (train / val / test){}", set.splits,
                     set.splits == 1 ? "split" : "splits", set.train, set.val, set.test,
                     set.same_sizes ? "" : "; sizes vary");
}

nlohmann::ordered_json to_json(const DatasetSummary& s) {
  nlohmann::ordered_json out{{"name", s.name},
                             {"task", "node"},
                             {"nodes", s.nodes},
                             {"edges", s.edges},
                             {"features", s.features},
                             {"feature_density", s.feature_density},
                             {"zero_feature_rows", s.zero_feature_rows},
                             {"classes", s.classes},
                             {"class_count", s.class_count},
                             {"unlabelled", s.unlabelled},
                             {"homophily", s.homophily},
                             {"isolated", s.isolated},
                             {"degree_min", s.degree_min},
                             {"degree_median", s.degree_median},
                             {"degree_mean", s.degree_mean},
                             {"degree_max", s.degree_max},
                             {"weighted", s.weighted}};
  for (const auto& set : s.split_sets) {
    out["splits"][set.name] = {
        {"count", set.splits}, {"train", set.train}, {"val", set.val}, {"test", set.test}};
  }
  return out;
}

void info(const std::string& data, const std::string& data_dir, bool as_json) {
  const DatasetSummary s = summarise(load(data, folder(data_dir)));
  if (as_json) return fmt::print("{}\n", to_json(s).dump(2));
  const auto line = [](std::string_view what, const std::string& value) {
    fmt::print("  {:<10} {}\n", what, value);
  };
  fmt::print("{}: node classification\n", s.name);
  line("nodes",
       fmt::format("{}{}", s.nodes, s.isolated > 0 ? fmt::format(", {} of them isolated", s.isolated) : ""));
  line("edges", fmt::format("{}{}", s.edges, s.weighted ? ", weighted" : ""));
  line("degree", fmt::format("min {}, median {}, mean {:.2f}, max {}", s.degree_min, s.degree_median,
                             s.degree_mean, s.degree_max));
  line("features",
       fmt::format("{} ({}, {:.2f} % not zero{})", s.features, s.sparse_features ? "sparse" : "dense",
                   100 * s.feature_density,
                   s.zero_feature_rows > 0 ? fmt::format(", {} all-zero rows", s.zero_feature_rows) : ""));
  std::string counts;
  for (const auto count : s.class_count) counts += (counts.empty() ? "" : ", ") + std::to_string(count);
  line("classes", fmt::format("{} (nodes: {}{})", s.classes, counts,
                              s.unlabelled > 0 ? fmt::format("; {} without a label", s.unlabelled) : ""));
  line("homophily", fmt::format("{:.4f} of the edges join nodes of one class", s.homophily));
  for (const auto& set : s.split_sets) line("splits", fmt::format("{}: {}", set.name, splits_line(set)));
  if (s.split_sets.empty()) line("splits", "none; gdkm train makes random ones, 60/20/20");
}

void generate_to_file(const std::string& spec, const std::string& output) {
  const fs::path path = output.empty() ? fs::path(spec.substr(0, spec.find(':')) + ".npz") : fs::path(output);
  if (path.extension() != ".npz") {
    throw InputError("--output " + path.string() + ": give a file that ends in .npz");
  }
  check_output("--output", path.string());
  const Dataset dataset = generate(spec);
  write_neutral_npz(dataset, path);
  fmt::print("{}: {} nodes, {} features, {} classes\n", path.string(), dataset.graph.nodes,
             dataset.features.cols, dataset.classes);
}

}  // namespace

void add_data(CLI::App& app) {
  struct Arguments {
    std::string data, data_dir, output;
    bool as_json = false;
  };
  auto a = std::make_shared<Arguments>();
  CLI::App& data = *app.add_subcommand("data", "List, describe and generate data");
  data.require_subcommand(1);
  data.footer(
      "Examples:\n"
      "  gdkm data list\n"
      "  gdkm data info cora\n"
      "  gdkm data generate csbm:n=500,homophily=0.2 -o graph.npz\n"
      "Each of these has its own --help.");
  const auto add_folder = [&](CLI::App& command) {
    command
        .add_option("--data-dir", a->data_dir,
                    "Folder of data sets (else $GDKM_DATA, else the\nuser's cache)")
        ->type_name("DIR");
  };

  CLI::App& list_command = *data.add_subcommand("list", "The data sets that are here, and the generators");
  add_folder(list_command);
  list_command.footer("Examples:\n  gdkm data list\n  gdkm data list --data-dir ../datasets");
  list_command.callback([a] { list(a->data_dir); });

  CLI::App& info_command = *data.add_subcommand("info", "What a data set holds");
  info_command.add_option("DATA", a->data, "A name, a .npz file, or a generator")->required()->type_name("");
  add_folder(info_command);
  info_command.add_flag("--json", a->as_json, "As JSON");
  info_command.footer(
      "Examples:\n  gdkm data info cora --json\n  gdkm data info minesweeper:rows=50,cols=50");
  info_command.callback([a] { info(a->data, a->data_dir, a->as_json); });

  CLI::App& generate_command = *data.add_subcommand("generate", "Write a generated graph to a file");
  generate_command.add_option("GENERATOR", a->data, "For instance csbm:n=500,homophily=0.2")
      ->required()
      ->type_name("");
  generate_command.add_option("--output,-o", a->output, "The .npz file to write (else the generator's name)")
      ->type_name("FILE");
  generate_command.footer(
      "gdkm data list shows the generators and their options.\n"
      "Example:\n  gdkm data generate csbm:n=500,homophily=0.2 -o graph.npz");
  generate_command.callback([a] { generate_to_file(a->data, a->output); });
}

}  // namespace gdkm::cli
