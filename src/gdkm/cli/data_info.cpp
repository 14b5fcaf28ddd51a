#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/dataset_remarks.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/data/catalogue/entry.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InfoCommand {
  std::string data, data_dir;
  bool as_json = false;
  Settings settings;  // of which the preprocessing
  std::set<std::string> given;

  void run() const;
};

void line(std::string_view what, const std::string& value) {
  fmt::print("  {:<11} {}\n", what, value);
}

std::string splits_text(const SplitSetSummary& set) {
  return fmt::format("{}: {} {} of {} / {} / {} (train / val / test){}", set.name, set.splits,
                     set.splits == 1 ? "split" : "splits", set.train, set.val, set.test,
                     set.same_sizes ? "" : "; sizes vary");
}

/// The names of a data set's edge types, and how many edges each has.
std::string types_text(const DatasetSummary& s) {
  constexpr std::size_t most = 8;
  std::string out = std::to_string(s.edge_types.size());
  for (std::size_t k = 0; k < std::min(most, s.edge_types.size()); ++k)
    out +=
        fmt::format("{}{}: {}", k == 0 ? " (" : ", ", shown(s.edge_types[k].first), s.edge_types[k].second);
  return out + (s.edge_types.size() > most ? ", ...)" : ")");
}

const std::set<std::string> preprocessing_options{
    "normalise",       "directed",           "ignore_weights", "keep_self_loops", "largest_component",
    "degree_features", "structure_features", "wl_features",    "diffuse",         "pool_features"};

Json to_json(const DatasetSummary& s, const Settings& settings) {
  Json out{{"name", s.name}, {"task", s.task == Task::node ? "node" : "graph"}};
  if (s.task == Task::graph) {
    out["graphs"] = s.graphs;
    out["graph_nodes_min"] = s.graph_nodes_min;
    out["graph_nodes_max"] = s.graph_nodes_max;
  }
  out.update({{"nodes", s.nodes},
              {"edges", s.edges},
              {"edge_rows", s.edge_rows},
              {"self_loops", s.self_loops},
              {"directed", s.directed},
              {"features", s.features},
              {"feature_density", s.feature_density},
              {"zero_feature_rows", s.zero_feature_rows},
              {"targets", s.targets},
              {"classes", s.classes},
              {"class_count", s.class_count},
              {"unlabelled", s.unlabelled},
              {"homophily", s.homophily},
              {"isolated", s.isolated},
              {"degree_min", s.degree_min},
              {"degree_median", s.degree_median},
              {"degree_mean", s.degree_mean},
              {"degree_max", s.degree_max},
              {"weighted", s.weighted},
              {"edge_types", Json::object()}});
  for (const auto& [name, edges] : s.edge_types) out["edge_types"][name] = edges;
  for (const auto& set : s.split_sets) {
    out["splits"][set.name] = {
        {"count", set.splits}, {"train", set.train}, {"val", set.val}, {"test", set.test}};
  }
  for (const std::string& name : preprocessing_options) {
    const Option& option = *find_option(name);
    out["preprocessing"][name] = to_json(option, option.get(settings));
  }
  return out;
}

/// Compares the data with the catalogue; "" if they agree or there is nothing to compare.
std::string comparison(const CatalogueEntry& entry, const DatasetSummary& s) {
  const ExpectedCounts& c = entry.counts;
  std::string out;
  const auto compare = [&](const char* what, Index expected, Index found) {
    if (expected != 0 && expected != found)
      out += fmt::format("{}{} {}, expected {}", out.empty() ? "" : ", ", found, what, expected);
  };
  compare("graphs", c.graphs, s.graphs);
  compare("nodes", c.nodes, s.nodes);
  compare("edges", c.edges, s.edges);
  compare("features", c.features, s.features);
  compare("classes", c.classes, s.classes);
  return out;
}

/// Prints what the catalogue knows about a data set that is not on this machine.
void print_entry(const CatalogueEntry& entry) {
  const ExpectedCounts& c = entry.counts;
  fmt::print("{}: {} classification, not on this machine\n", entry.name,
             entry.task == Task::node ? "node" : "graph");
  if (c.graphs > 0) line("graphs", std::to_string(c.graphs));
  line("nodes", std::to_string(c.nodes));
  line("edges", std::to_string(c.edges));
  line("features", std::to_string(c.features));
  line("classes", std::to_string(c.classes));
  if (c.homophily > 0) line("homophily", fmt::format("{}", c.homophily));
  line("official", entry.splits);
  line("metric", entry.metric);
  line("source", entry.source);
  line("licence", entry.licence);
  line("checked", entry.verified ? "against a copy of the published files"
                                 : "no: numbers stated by the publisher, no checksums");
  for (const CatalogueFile& file : entry.files)
    line("file", fmt::format("{}{}", file.url, file.sha256.empty() ? "" : " (SHA-256 known)"));
  fmt::print("Download it:  gdkm data fetch {}\n", entry.name);
}

/// The catalogue entry of `data`, if the data set itself is not found.
const CatalogueEntry* absent_entry(const std::string& data, const std::string& data_dir) {
  std::error_code ignored;
  const CatalogueEntry* entry = find_entry(data);
  const bool here = entry == nullptr || std::filesystem::exists(data, ignored) ||
                    find_dataset(entry->name, folder(data_dir)).has_value();
  return here ? nullptr : entry;
}

/// In words, for people.
std::string describe(const Preprocessing& p) {
  std::string out = p.normalise == Normalisation::none       ? "feature rows unscaled"
                    : p.normalise == Normalisation::standard ? "feature columns standardised"
                    : p.normalise == Normalisation::sum      ? "feature rows scaled to sum 1"
                                                             : "feature rows scaled to length 1";
  out += p.adjacency.keep_direction ? ", directions kept" : ", symmetrised";
  if (!p.adjacency.use_weights) out += ", weights ignored";
  out += p.adjacency.keep_self_loops ? ", self-loops kept" : ", self-loops dropped";
  if (p.largest_component) out += ", largest component only";
  if (p.degree_features) out += ", with degrees";
  if (p.wl_features > 0) out += fmt::format(", with {} rounds of colours", p.wl_features);
  if (p.structure_features) out += ", with rows of the adjacency matrix";
  if (p.makes_rows()) out += fmt::format(", one row for each graph ({})", name_of(p.pool_features));
  if (p.diffuse > 0) out += fmt::format(", diffused over {} steps", p.diffuse);
  return out;
}

void InfoCommand::run() const {
  if (const CatalogueEntry* entry = absent_entry(data, data_dir); entry != nullptr && !as_json)
    return print_entry(*entry);
  Dataset dataset = load(data, folder(data_dir));
  for (const std::string& remark : dataset.remarks) note(remark);
  refuse_without_effect(given, settings, kind_of(dataset));
  const Preprocessing preprocessing = settled(settings.preprocessing, dataset);
  Preprocessing of_graphs = preprocessing;  // rows say nothing about the graphs that they are made of
  of_graphs.pool_features = FeaturePooling::none;
  dataset = preprocess(std::move(dataset), of_graphs);
  const DatasetSummary summary = summarise(dataset, preprocessing.adjacency);
  if (as_json) return fmt::print("{}\n", to_json(summary, settings).dump(2));
  print_summary(summary);
  line("prepared", describe(preprocessing));
  const CatalogueEntry* entry = find_entry(data);
  if (entry == nullptr) return;
  if (const auto found = find_dataset(entry->name, folder(data_dir)))
    line("read from", fmt::format("{} ({})", found->path.string(), title_of(found->format)));
  line("source", entry->source);
  line("licence", entry->licence);
  line("metric", entry->metric);
  line("official", entry->splits);
  if (settings.preprocessing != Preprocessing{}) return;
  const std::string odd = comparison(*entry, summary);
  if (!odd.empty()) {
    line("note", odd);
  } else {
    line("checked", entry->verified ? "counts agree with the published files"
                                    : "counts agree with the publisher's numbers");
  }
}

}  // namespace

void print_summary(const DatasetSummary& s) {
  const bool many = s.task == Task::graph;
  fmt::print("{}: {} {}\n", s.name, many ? "graph" : "node", s.targets > 0 ? "regression" : "classification");
  if (many) {
    const double mean = static_cast<double>(s.nodes) / static_cast<double>(s.graphs);
    line("graphs", fmt::format("{} of {} to {} nodes, {:.2f} nodes and {:.2f} edges on average", s.graphs,
                               s.graph_nodes_min, s.graph_nodes_max, mean,
                               static_cast<double>(s.edges) / static_cast<double>(s.graphs)));
  }
  line("nodes",
       fmt::format("{}{}", s.nodes, s.isolated > 0 ? fmt::format(", {} of them isolated", s.isolated) : ""));
  std::string edges = std::to_string(s.edges);
  if (s.directed) edges += ", directed";
  if (s.weighted) edges += ", weighted";
  if (s.edge_rows != s.edges) {
    edges += fmt::format(" (from {} rows{})", s.edge_rows,
                         s.self_loops > 0 ? fmt::format(", {} of them self-loops", s.self_loops) : "");
  }
  line("edges", edges);
  if (!s.edge_types.empty()) line("edge types", types_text(s));
  line("degree", fmt::format("min {}, median {}, mean {:.2f}, max {}", s.degree_min, s.degree_median,
                             s.degree_mean, s.degree_max));
  line("features",
       fmt::format("{} ({}, {:.2f} % nonzero{})", s.features, s.sparse_features ? "sparse" : "dense",
                   100 * s.feature_density,
                   s.zero_feature_rows > 0 ? fmt::format(", {} all-zero rows", s.zero_feature_rows) : ""));
  const std::string without = s.unlabelled > 0 ? fmt::format("; {} unknown", s.unlabelled) : "";
  if (s.targets > 0) {
    line("targets", fmt::format("{} per {}{}", s.targets, many ? "graph" : "node", without));
  } else {
    line("classes", fmt::format("{} ({}: {}{})", s.classes, many ? "graphs" : "nodes",
                                fmt::join(s.class_count, ", "), without));
  }
  if (std::isfinite(s.homophily)) {
    line("homophily", fmt::format("{:.4f} of the edges connect nodes of the same {}", s.homophily,
                                  many ? "kind" : "class"));
  }
  for (const auto& set : s.split_sets) line("splits", splits_text(set));
  if (s.split_sets.empty()) line("splits", "none; gdkm train uses random 60/20/20 splits");
}

void add_data_info(CLI::App& data) {
  auto command = std::make_shared<InfoCommand>();
  CLI::App& info = *data.add_subcommand("info", "Show the properties of a data set");
  add_argument(info, "DATA", command->data, "A name, a file or folder, or a generator");
  add_settings_options(info, command->settings, &command->given, preprocessing_options);
  add_data_dir(info, command->data_dir);
  info.add_flag("--json", command->as_json, "Print JSON");
  info.footer(
      "For a known data set that is not on this machine, shows its catalogue entry.\n"
      "Examples:\n"
      "  gdkm data info cora --json\n"
      "  gdkm data info chameleon --directed --keep-self-loops\n"
      "  gdkm data info minesweeper:rows=50,cols=50");
  info.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
