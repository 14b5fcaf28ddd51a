#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/data/formats/arrays/arrays_folder.hpp"
#include "gdkm/data/formats/parts/parts.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/graph/partition.hpp"
#include "gdkm/graph/stream_partition.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;

struct PartitionCommand {
  std::string data, data_dir, output, method = "auto";
  int parts = 2;
  double memory = 1;  // GiB, for edges
  bool force = false;

  void run() const;
  std::vector<std::int32_t> parts_of(const PartitionSource& source, const Dataset* whole) const;
  void print(const std::vector<PartSize>& sizes, Index edges) const;
};

/// A folder of arrays is not read into memory. A data set of that name comes first, as elsewhere.
bool is_streamed(const std::string& data, const std::string& data_dir) {
  std::error_code ignored;
  if (!fs::is_directory(data, ignored)) return false;
  if (data.find('/') == std::string::npos && find_dataset(data, folder(data_dir))) return false;
  const auto found = recognise(data, fs::path(data).filename().string());
  return found && found->format == Format::arrays;
}

std::vector<std::int32_t> PartitionCommand::parts_of(const PartitionSource& source,
                                                     const Dataset* whole) const {
  const auto bytes = static_cast<std::size_t>(memory * 1024 * 1024 * 1024);
  const EdgeStream edges = [&](const std::function<void(Index, Index)>& visit) {
    source.edges([&](Edge edge, std::size_t) { visit(edge.from, edge.to); });
  };
  const auto stream = [&] {
    return stream_partition(edges, source.head.graph.nodes, {.parts = parts, .memory = bytes});
  };
  if (whole == nullptr || method == "stream") return stream();
  if (4 * source.edge_count > most_entries_for_metis) {  // both directions, in A and in what METIS takes
    if (method == "metis")
      throw InputError(
          "--method metis: METIS counts at most 2^31 entries, and the graph has more; use stream");
    return stream();
  }
  const Relations relations(adjacency(whole->graph));
  const auto set = whole->splits.find("public");
  const bool has_split = set != whole->splits.end() && !set->second.empty();
  return owners_of_nodes(relations, has_split ? set->second.front().train : std::vector<std::int32_t>{},
                         parts);
}

void PartitionCommand::print(const std::vector<PartSize>& sizes, Index edges) const {
  Index twice = 0;
  for (const PartSize& size : sizes) twice += size.edges;
  TextTable table({"part", "nodes", "edges", "halo"});
  table.align_right({0, 1, 2, 3});
  constexpr std::size_t most = 16;
  for (std::size_t part = 0; part < std::min(most, sizes.size()); ++part)
    table.add({std::to_string(part), grouped_digits(static_cast<double>(sizes[part].nodes)),
               grouped_digits(static_cast<double>(sizes[part].edges)),
               grouped_digits(static_cast<double>(sizes[part].halo))});
  fmt::print("{}", table.text());
  if (sizes.size() > most) fmt::print("and {} more\n", sizes.size() - most);
  const double cut = edges == 0 ? 0 : 100 * static_cast<double>(twice - edges) / static_cast<double>(edges);
  fmt::print("{}: {} parts; {:.2f} % of {} edges run between parts\nNext:  mpirun -n {} gdkm train {}\n",
             output, sizes.size(), cut, grouped_digits(static_cast<double>(edges)), sizes.size(),
             shell_word(output));
}

void PartitionCommand::run() const {
  check_parts_target(output, force);
  PartitionSource source;
  std::optional<Dataset> whole;
  if (is_streamed(data, data_dir) && method != "metis") {
    source = stream_arrays_folder(data, fs::path(data).lexically_normal().filename().string());
  } else {
    whole = load(data, folder(data_dir));
    if (whole->columns.kind == FeatureColumns::Kind::table)
      throw InputError(
          data +
          ": is a table with typed columns, whose scales are those of all nodes; standardise the "
          "columns, store them as an array, and partition that");
    source = source_of(*whole);
  }
  if (source.head.task != Task::node)
    throw InputError(data + ": has many graphs, which ranks share out by themselves; train on it as it is");
  if (parts > source.head.graph.nodes)
    throw InputError(fmt::format("--parts {}: the graph has {} nodes; use at most as many parts", parts,
                                 source.head.graph.nodes));
  const auto owner = parts_of(source, whole ? &*whole : nullptr);
  const auto bytes = static_cast<std::size_t>(memory * 1024 * 1024 * 1024);
  print(write_parts(source, owner, parts, output, force, {.memory = bytes}), source.edge_count);
}

}  // namespace

void add_data_partition(CLI::App& data) {
  auto command = std::make_shared<PartitionCommand>();
  CLI::App& app = *data.add_subcommand("partition", "Cut a graph into parts for many processes");
  add_argument(app, "DATA", command->data,
               "A name, a file, a generator, or a folder of arrays\nthat need not fit into memory");
  app.add_option("--parts", command->parts, "How many parts")
      ->required()
      ->type_name("P")
      ->check(CLI::Range(1, 100000));
  add_text(app, "--output,-o", "DIR", command->output, "The folder to write")->required();
  add_text(app, "--method", "auto|metis|stream", command->method,
           "metis: few edges between parts; stream: for graphs\nlarger than the memory; auto: stream for a "
           "folder\n"
           "of arrays and for more than 2^31 entries")
      ->check(CLI::IsMember({"auto", "metis", "stream"}));
  app.add_option("--memory", command->memory, "GiB for the edges that are held at a time (default: 1)")
      ->type_name("GIB")
      ->check(CLI::Range(0.001, 1e6));
  app.add_flag("--force", command->force, "Replace the folder of an earlier partition");
  add_data_dir(app, command->data_dir);
  app.footer(
      "mpirun -n R gdkm train DIR then has every process read its own parts alone, for\n"
      "R up to P. A folder of arrays has edges.npy, features.npy, labels.npy and, for a\n"
      "split, train.npy, val.npy and test.npy. docs/scale.md describes both formats.\n"
      "Examples:\n"
      "  gdkm data partition cora --parts 4 -o cora-parts\n"
      "  gdkm data partition papers100M --parts 64 -o papers-parts --memory 8");
  app.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
