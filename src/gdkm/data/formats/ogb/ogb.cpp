#include "gdkm/data/formats/ogb/ogb.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "gdkm/data/formats/shared/number_lines.hpp"
#include "gdkm/data/formats/shared/split_maker.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr std::int32_t largest = std::numeric_limits<std::int32_t>::max();

/// The file `stem`.csv.gz, or `stem`.csv if it was unpacked.
std::optional<std::string> find_csv(const FileTree& files, const std::string& stem) {
  const auto packed = files.find(stem + ".csv.gz");
  return packed ? packed : files.find(stem + ".csv");
}

Text read_csv(const FileTree& files, const std::string& stem) {
  const auto found = find_csv(files, stem);
  return found ? files.read(*found) : files.read_required(stem + ".csv.gz");
}

std::vector<std::int32_t> read_labels(const Text& text, ThreadPool& pool) {
  auto out = parse_lines<std::int32_t>(text, 0, pool, [](Line& line) {
    const auto value = line.number<double>("a class number");
    if (line.accept(',')) refuse("has several labels; only data sets with one class per node are supported");
    line.expect_end();
    if (std::isnan(value)) return std::int32_t{-1};
    if (!(value >= -1 && value < largest) || value != std::floor(value))
      refuse("expected a class number 0..C-1 or nan (no label), got {}; correct it", value);
    return static_cast<std::int32_t>(value);
  });
  if (out.empty()) refuse(text.where + ": is empty; give the class of each node, one per line");
  if (out.size() > static_cast<std::size_t>(largest))
    refuse("{}: has {} nodes, the limit is {}; use a part of the graph", text.where, out.size(), largest);
  const auto high = std::max_element(out.begin(), out.end());
  if (*high >= static_cast<std::int64_t>(out.size())) {
    refuse("{}: line {}: class {} is too high for {} nodes; number the classes 0..C-1", text.where,
           line_of_row(text, high - out.begin()), *high, out.size());
  }
  return out;
}

void check_node_count(const FileTree& files, Index nodes, ThreadPool& pool) {
  const auto found = find_csv(files, "raw/num-node-list");
  if (!found) return;
  const Text text = files.read(*found);
  const auto counts = read_integer_lines(text, pool, "a number of nodes", 0, largest);
  if (counts.size() != 1) {
    refuse("{}: has {} graphs; only data sets of one graph with node classes are supported", text.where,
           counts.size());
  }
  if (counts.front() != nodes) {
    refuse("{}: states {} nodes, but node-label has {} lines; fetch the data set again", text.where,
           counts.front(), nodes);
  }
}

Features read_features(const FileTree& files, Index nodes, ThreadPool& pool) {
  Text text = read_csv(files, "raw/node-feat");
  const std::string where = text.where;
  auto table = read_number_table<float>(std::move(text), pool, "a number");
  if (table.rows != nodes)
    refuse("{}: has {} lines, but node-label has {}; fetch the data set again", where, table.rows, nodes);
  Features out;
  out.rows = table.rows;
  out.cols = table.cols;
  out.dense = std::move(table.value);
  return out;
}

/// The folders of split/ that contain a split: "split/time".
std::set<std::string> find_schemes(const FileTree& files) {
  std::set<std::string> out;
  for (const std::string& path : files.names()) {
    const bool is_packed = path.ends_with("/train.csv.gz");
    if (!is_packed && !path.ends_with("/train.csv")) continue;
    const std::string folder = path.substr(0, path.rfind('/'));
    const auto slash = folder.rfind('/');
    if (slash == std::string::npos) continue;
    const std::string above = folder.substr(0, slash);
    if (above == "split" || above.ends_with("/split")) out.insert("split" + folder.substr(slash));
  }
  return out;
}

Split read_split(const FileTree& files, const std::string& scheme, const std::vector<std::int32_t>& label,
                 ThreadPool& pool) {
  SplitMaker maker(files.where(scheme), label);
  const auto add = [&](const char* file, SplitPart part) {
    const auto nodes = read_integer_lines(read_csv(files, scheme + "/" + file), pool, "a node number", 0,
                                          static_cast<std::int32_t>(label.size()) - 1);
    for (const auto node : nodes) maker.add(part, node);
  };
  add("train", SplitPart::train);
  add("valid", SplitPart::val);
  add("test", SplitPart::test);
  return maker.finish();
}

}  // namespace

bool is_ogb(const FileTree& files, const std::string&) {
  return find_csv(files, "raw/edge") && find_csv(files, "raw/node-label");
}

Dataset read_ogb_arxiv(const FileTree& files, const std::string& name, ThreadPool& pool) {
  Dataset out;
  out.name = name;
  out.label = read_labels(read_csv(files, "raw/node-label"), pool);
  out.classes = 1 + *std::max_element(out.label.begin(), out.label.end());
  out.graph.nodes = static_cast<Index>(out.label.size());
  check_node_count(files, out.graph.nodes, pool);
  out.graph.directed = true;
  out.graph.edges = parse_lines<Edge>(read_csv(files, "raw/edge"), 0, pool,
                                      [&](Line& line) { return read_edge(line, 0, out.graph.nodes); });
  out.features = read_features(files, out.graph.nodes, pool);
  const auto schemes = find_schemes(files);
  for (const std::string& scheme : schemes) {
    const std::string set = schemes.size() == 1 ? "public" : scheme.substr(scheme.find('/') + 1);
    out.splits[set] = {read_split(files, scheme, out.label, pool)};
  }
  return out;
}

}  // namespace gdkm
