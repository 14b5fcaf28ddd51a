#include "gdkm/data/formats/musae/musae.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "gdkm/data/formats/csv/csv_file.hpp"
#include "gdkm/data/formats/musae/musae_features.hpp"
#include "gdkm/data/formats/shared/natural_order.hpp"
#include "gdkm/data/formats/shared/number_lines.hpp"
#include "gdkm/data/formats/shared/numpy_random.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr std::string_view edge_file = "_edges.csv";

/// Node numbers and classes, in file order.
struct Targets {
  std::vector<std::int32_t> node;
  std::vector<std::string> class_name;
};

Targets read_targets(const CsvFile& csv) {
  Targets out;
  csv.for_each_row([&](const CsvRow& row) {
    if (row.size() < 2) refuse("has one field; give a node number and a class");
    const std::string_view id = row[0], name = row[row.size() - 1];
    std::int32_t node = -1;
    const auto [stop, error] = std::from_chars(id.data(), id.data() + id.size(), node);
    if (error != std::errc{} || stop != id.data() + id.size() || node < 0)
      refuse("expected a node number 0, 1, 2, ... first; correct it");
    if (name.empty()) refuse("has no class; add it or remove the node");
    out.node.push_back(node);
    out.class_name.emplace_back(name);
  });
  if (out.node.empty())
    refuse(csv.where() + ": has no nodes; give the number and class of each node, one per line");
  return out;
}

void read_labels(const CsvFile& csv, Dataset& out) {
  const Targets targets = read_targets(csv);
  auto& names = out.class_names;
  names = targets.class_name;
  std::sort(names.begin(), names.end(), natural_less);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  out.classes = static_cast<int>(names.size());
  const std::size_t nodes = targets.node.size();
  out.label.assign(nodes, -1);
  for (std::size_t k = 0; k < nodes; ++k) {
    const auto at = static_cast<std::size_t>(targets.node[k]);
    if (at >= nodes || out.label[at] != -1) {
      csv.fail_at_row(k, fmt::format("node {} {}; number the {} nodes 0..{}, each once", at,
                                     at >= nodes ? "is out of range" : "occurs twice", nodes, nodes - 1));
    }
    const auto place = std::lower_bound(names.begin(), names.end(), targets.class_name[k], natural_less);
    out.label[at] = static_cast<std::int32_t>(place - names.begin());
  }
}

Text read_feature_text(const FileTree& files, const std::string& prefix) {
  const auto found = files.find(prefix + "_features.json");
  return found ? files.read(*found) : files.read_required(prefix + ".json");
}

}  // namespace

std::optional<std::string> musae_prefix(const FileTree& files) {
  for (const std::string& path : files.names()) {
    const auto begin = path.rfind('/') + 1;
    if (!path.ends_with(edge_file) || path.size() - begin <= edge_file.size()) continue;
    const std::string prefix = path.substr(begin, path.size() - edge_file.size() - begin);
    if (files.find(prefix + "_target.csv")) return prefix;
  }
  return std::nullopt;
}

bool is_musae(const FileTree& files, const std::string&) {
  return !files.is_archive() && musae_prefix(files);
}

Dataset read_musae(const FileTree& files, const std::string& name, ThreadPool& pool) {
  const auto prefix = musae_prefix(files);
  if (!prefix) {
    refuse(files.path().string() +
           ": has no pair of files X_edges.csv and X_target.csv; put the data set there");
  }
  Dataset out;
  out.name = name;
  read_labels(CsvFile(files.read_required(*prefix + "_target.csv"), true, ','), out);
  out.graph.nodes = static_cast<Index>(out.label.size());
  out.graph.edges = parse_lines<Edge>(files.read_required(*prefix + std::string(edge_file)), 1, pool,
                                      [&](Line& line) { return read_edge(line, 0, out.graph.nodes); });
  out.features = read_musae_features(read_feature_text(files, *prefix), out.graph.nodes);
  out.splits["public"] = numpy_random_splits(out.label, 0.6, 0.2, 10);
  return out;
}

}  // namespace gdkm
