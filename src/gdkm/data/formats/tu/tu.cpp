#include "gdkm/data/formats/tu/tu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gdkm/data/formats/shared/edge_types.hpp"
#include "gdkm/data/formats/shared/number_lines.hpp"
#include "gdkm/data/formats/tu/tu_parts.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr std::string_view edge_file = "_A.txt";
constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();

std::string find_prefix(const FileTree& files, const std::string& name) {
  if (files.find(name + std::string(edge_file))) return name;
  if (const auto found = tu_name(files)) return *found;
  refuse("{}: has no file {}_A.txt; put a TU data set there", files.path().string(),
         name.empty() ? "<name>" : name);
}

/// The graph of each node, numbered from 0. Every graph has at least one node.
std::vector<std::int32_t> read_indicator(const Text& text, ThreadPool& pool) {
  refuse_blank_lines(text, "a graph number");
  auto graph_of = read_integer_lines(text, pool, "a graph number", 1, largest);
  if (graph_of.empty()) refuse(text.where + ": is empty; give the graph of each node, one per line");
  if (graph_of.size() > static_cast<std::size_t>(largest))
    refuse("{}: has {} nodes, the limit is {}; use fewer graphs", text.where, graph_of.size(), largest);
  std::int32_t last = 0;
  for (std::size_t i = 0; i < graph_of.size(); ++i) {
    const auto graph = graph_of[i];
    const auto fail = [&](const std::string& what) { refuse("{}: line {}: {}", text.where, i + 1, what); };
    if (graph < last) {
      fail(fmt::format("goes back from graph {} to {}; sort the nodes by graph", last, graph));
    }
    if (graph > last + 1) {
      fail(fmt::format(
          "skips to graph {}, but graph {} has no node; number the graphs 1, 2, 3, ... without gaps", graph,
          last + 1));
    }
    last = graph;
    graph_of[i] = graph - 1;
  }
  return graph_of;
}

std::vector<std::int32_t> starts_of(const std::vector<std::int32_t>& graph_of) {
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i < graph_of.size(); ++i) {
    if (i == 0 || graph_of[i] != graph_of[i - 1]) out.push_back(static_cast<std::int32_t>(i));
  }
  out.push_back(static_cast<std::int32_t>(graph_of.size()));
  return out;
}

/// The file of classes, or nothing if no graph has one.
std::optional<Text> read_label_text(const FileTree& files, const std::string& prefix) {
  const std::string name = prefix + "_graph_labels.txt";
  if (const auto found = files.find(name)) return files.read(*found);
  if (const auto values = files.find(prefix + "_graph_attributes.txt")) {
    refuse("{}: has values to predict, but there is no {}; only graphs with classes are supported",
           files.where(*values), name);
  }
  return std::nullopt;
}

/// Classes in ascending order of the numbers in the file. A graph marked `?` has none; without a file no
/// graph has one.
void read_labels(const std::optional<Text>& text, ThreadPool& pool, Dataset& out) {
  const std::size_t graphs = out.graph_start.size() - 1;
  out.label.assign(graphs, -1);
  if (!text) return;
  refuse_blank_lines(*text, "a class number, or ? for none");
  const auto given =
      parse_lines<std::optional<std::int32_t>>(*text, 0, pool, [](Line& line) -> std::optional<std::int32_t> {
        std::optional<std::int32_t> value;
        if (!line.accept('?')) value = line.number<std::int32_t>("a class number");
        line.expect_end();
        return value;
      });
  if (given.size() != graphs) {
    refuse("{}: has {} lines, but there are {} graphs; give one class per graph, ? for none", text->where,
           given.size(), graphs);
  }
  std::vector<std::int32_t> values;
  for (const auto& value : given) {
    if (value) values.push_back(*value);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  for (std::size_t g = 0; g < graphs; ++g) {
    if (!given[g]) continue;
    out.label[g] =
        static_cast<std::int32_t>(std::lower_bound(values.begin(), values.end(), *given[g]) - values.begin());
  }
  out.classes = static_cast<int>(values.size());
  for (const auto value : values) out.class_names.push_back(std::to_string(value));
}

/// The types of edges from DS_edge_labels.txt, if it exists. Several columns are one type, "1,0".
void read_edge_labels(const FileTree& files, const std::string& prefix, ThreadPool& pool, Graph& graph) {
  const auto found = files.find(prefix + "_edge_labels.txt");
  if (!found) return;
  const std::string where = files.where(*found);
  Text text = files.read(*found);
  refuse_blank_lines(text, "an edge label");
  const auto label = read_number_table<std::int32_t>(std::move(text), pool, "an edge label");
  if (label.rows != static_cast<Index>(graph.edges.size())) {
    refuse("{}: has {} lines, but {}{} has {} edges; give one line per edge", where, label.rows, prefix,
           edge_file, graph.edges.size());
  }
  EdgeTypes types;
  for (Index r = 0; r < label.rows; ++r) {
    const auto row = label.value.begin() + r * label.cols;
    try {
      types.add(fmt::format("{}", fmt::join(row, row + label.cols, ",")));
    } catch (const InputError& error) {
      refuse("{}: line {}: {}, or remove the file", where, r + 1, error.message());
    }
  }
  types.give_to(graph);
}

}  // namespace

std::optional<std::string> tu_name(const FileTree& files) {
  const std::string* best = nullptr;
  const auto depth = [](const std::string& path) { return std::count(path.begin(), path.end(), '/'); };
  for (const std::string& path : files.names()) {
    if (!path.ends_with(edge_file) || path.size() == edge_file.size()) continue;
    if (path[path.size() - edge_file.size() - 1] == '/') continue;
    if (best == nullptr || depth(path) < depth(*best)) best = &path;
  }
  if (best == nullptr) return std::nullopt;
  const auto begin = best->find_last_of('/') + 1;
  return best->substr(begin, best->size() - edge_file.size() - begin);
}

bool is_tu(const FileTree& files, const std::string&) {
  return tu_name(files).has_value();
}

Dataset read_tu(const FileTree& files, const std::string& name, ThreadPool& pool) {
  const std::string prefix = find_prefix(files, name);
  Dataset out;
  out.name = name;
  out.task = Task::graph;
  const auto graph_of = read_indicator(files.read_required(prefix + "_graph_indicator.txt"), pool);
  out.graph_start = starts_of(graph_of);
  read_labels(read_label_text(files, prefix), pool, out);
  out.graph.nodes = static_cast<Index>(graph_of.size());
  out.graph.edges =
      parse_lines<Edge>(files.read_required(prefix + std::string(edge_file)), 0, pool, [&](Line& line) {
        const Edge edge = read_edge(line, 1, out.graph.nodes);
        const auto from = graph_of[static_cast<std::size_t>(edge.from)],
                   to = graph_of[static_cast<std::size_t>(edge.to)];
        if (from != to) {
          refuse("connects node {} of graph {} with node {} of graph {}; correct or remove the line",
                 edge.from + 1, from + 1, edge.to + 1, to + 1);
        }
        return edge;
      });
  read_edge_labels(files, prefix, pool, out.graph);
  auto nodes = read_tu_features(files, prefix, out.graph, pool);
  out.features = std::move(nodes.features);
  out.columns = std::move(nodes.columns);
  out.node_kind = std::move(nodes.kind);
  out.splits = read_tu_splits(files, prefix, out.label, pool);
  return out;
}

}  // namespace gdkm
