#include "gdkm/data/formats/musae/musae.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "gdkm/data/formats/csv/csv_file.hpp"
#include "gdkm/data/formats/shared/number_lines.hpp"
#include "gdkm/data/formats/shared/numpy_random.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// Handles the events of the parser, so that no tree of the whole file is built, however deeply a bad file is
/// nested.
class Reader {
 public:
  Reader(const Text& text, Index nodes) : where_(text.where), seen_(static_cast<std::size_t>(nodes), false) {}

  std::vector<Triplet> entries;
  std::int32_t last_feature = -1;

  bool start_object(std::size_t) {
    if (depth_ != 0) not_a_number("an object");
    depth_ = 1;
    return true;
  }
  bool end_object() { return true; }
  bool start_array(std::size_t) {
    if (depth_ != 1) not_a_number("a list");
    depth_ = 2;
    return true;
  }
  bool end_array() {
    depth_ = 1;
    return true;
  }
  bool key(std::string& name) {
    node_ = whole_number<std::int32_t>(name).value_or(-1);
    if (node_ < 0 || static_cast<std::size_t>(node_) >= seen_.size()) {
      refuse("{}: expected a node number as key, got {}; use 0 to {}", where_, shown(name), seen_.size() - 1);
    }
    if (seen_[static_cast<std::size_t>(node_)])
      refuse("{}: node {} occurs twice; keep one list of features", where_, node_);
    seen_[static_cast<std::size_t>(node_)] = true;
    return true;
  }
  bool number_unsigned(std::uint64_t feature) {
    if (depth_ != 2) not_a_number("a number outside a list");
    if (feature >= std::numeric_limits<std::int32_t>::max()) not_a_number(std::to_string(feature));
    entries.push_back({node_, static_cast<std::int32_t>(feature), 1});
    last_feature = std::max(last_feature, entries.back().col);
    return true;
  }
  bool number_integer(std::int64_t value) { not_a_number(std::to_string(value)); }
  bool number_float(double value, const std::string&) { not_a_number(fmt::format("{}", value)); }
  bool string(std::string& text) { not_a_number(shown(text)); }
  bool binary(nlohmann::json::binary_t&) { not_a_number("binary data"); }
  bool null() { not_a_number("null"); }
  bool boolean(bool value) { not_a_number(value ? "true" : "false"); }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) {
    refuse("{}: is not valid JSON at byte {}, or is cut short; fetch it again", where_, position);
  }

 private:
  static std::string shown(const std::string& text) {
    return nlohmann::json(text.substr(0, 40)).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  }
  [[noreturn]] void not_a_number(const std::string& what) const {
    const std::string place = depth_ == 0 ? "the top" : fmt::format("node {}", node_);
    refuse("{}: {}: expected a list of feature numbers, got {}; write {{\"node\": [numbers]}}", where_, place,
           what);
  }

  const std::string& where_;
  std::vector<bool> seen_;
  int depth_ = 0;  // 1 in the object, 2 in a list
  std::int32_t node_ = 0;
};

/// Sparse 0/1 features from a JSON object that maps each node number (a string) to the list of its features.
/// A feature listed twice counts once; a node that is not listed has none.
Features read_musae_features(const Text& text, Index nodes) {
  Reader reader(text, nodes);
  nlohmann::json::sax_parse(text.bytes, &reader);
  if (reader.last_feature < 0) refuse(text.where + ": has no features; list at least one feature number");
  return sparse_features(
      csr_from_triplets(nodes, Index{reader.last_feature} + 1, std::move(reader.entries), false));
}

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
    const auto node = whole_number<std::int32_t>(id);
    if (!node || *node < 0) refuse("expected a node number 0, 1, 2, ... first; correct it");
    if (name.empty()) refuse("has no class; add it or remove the node");
    out.node.push_back(*node);
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
