#include "gdkm/data/formats/csv/csv_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/formats/csv/csv_parts.hpp"
#include "gdkm/data/formats/matrix_market/matrix_market.hpp"
#include "gdkm/data/formats/shared/class_names.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

bool is_matrix_market(const Text& text) {
  return lower_case(std::string_view(text.bytes).substr(0, 14)) == "%%matrixmarket";
}

/// A Matrix Market file states its own size. Nodes without edges are fine, but a typo must not exhaust the
/// memory.
void check_claimed_nodes(const Text& text, Index nodes) {
  const auto most = std::max<Index>(Index{1} << 20, 16 * static_cast<Index>(text.bytes.size()));
  if (nodes <= most) return;
  refuse("{}: states {} nodes, but has only {} bytes; check its size line", text.where, nodes,
         text.bytes.size());
}

/// Builds a data set file by file. The first file that defines nodes sets `nodes_`.
class CsvGraphReader {
 public:
  CsvGraphReader(const CsvGraphFiles& files, ThreadPool& pool) : files_(files), pool_(pool) {}

  Dataset read() {
    std::optional<Text> edges;
    if (!files_.edges.empty()) edges = read_text(files_.edges);
    const bool is_matrix = edges && is_matrix_market(*edges);
    if (is_matrix) {
      out_.graph = read_matrix_market_graph(*edges, pool_);
      check_claimed_nodes(*edges, out_.graph.nodes);
      nodes_.emplace(edges->where, out_.graph.nodes, 1);
      edges.reset();
      if (!files_.type_column.empty())
        refuse("{}: a Matrix Market file has no edge types; leave out {}", files_.edges.string(),
               option("type_column"));
    }
    read_nodes();
    std::optional<CsvFile> triplets = read_features();
    read_labels();
    if (triplets) {
      if (!nodes_) nodes_.emplace(collect_nodes(*triplets, 1, pool_));
      out_.features = read_csv_triplets(*triplets, *nodes_, pool_);
      triplets.reset();
    }
    if (edges) read_edges(std::move(*edges));
    if (!nodes_ || nodes_->size() == 0) refuse(first_file() + ": has no nodes; a graph needs at least one");
    out_.graph.nodes = nodes_->size();
    if (files_.directed) out_.graph.directed = *files_.directed;
    read_dense_matrix();
    if (out_.features.cols == 0) out_.features = make_default_features(out_.graph, files_.default_features);
    settle_classes();
    if (!files_.splits.empty())
      out_.splits = read_csv_splits(open(files_.splits), *nodes_, out_.label, pool_);
    out_.node_names = nodes_->names();
    return std::move(out_);
  }

 private:
  CsvFile open(const std::filesystem::path& path) const { return {read_text(path), files_.header}; }

  std::string first_file() const {
    for (const auto* path : {&files_.nodes, &files_.features, &files_.labels, &files_.edges}) {
      if (!path->empty()) return path->string();
    }
    return "the graph";
  }

  /// Takes the rows as the nodes, or sorts them into the order of the known nodes.
  void settle_table(const CsvFile& file, CsvNodeTable table) {
    if (nodes_) {
      table = arranged(file, std::move(table), *nodes_);
    } else {
      nodes_.emplace(file.where());
      for (std::size_t k = 0; k < table.id.size(); ++k) {
        if (table.id[k].empty()) file.fail_at_row(k, "the node's id is empty; complete the line");
        if (!nodes_->add(table.id[k])) {
          file.fail_at_row(k,
                           fmt::format("node {} has more than one row; keep one", show_field(table.id[k])));
        }
      }
    }
    out_.features = std::move(table.features);
    if (!table.class_text.empty()) class_text_ = std::move(table.class_text);
  }

  void read_nodes() {
    if (files_.nodes.empty()) return;
    const CsvFile file = open(files_.nodes);
    std::optional<std::size_t> label;
    if (!files_.label_column.empty()) label = find_label_column(file, files_.label_column);
    settle_table(file, read_csv_node_table(file, label, files_.ignored_columns, pool_));
  }

  /// Returns sparse features unread: another file may list their nodes, in another order.
  std::optional<CsvFile> read_features() {
    if (files_.features.empty()) return std::nullopt;
    Text text = read_text(files_.features);
    if (is_matrix_market(text)) {
      matrix_ = std::move(text);
      return std::nullopt;
    }
    CsvFile file(std::move(text), files_.header);
    if (is_csv_triplets(file)) return file;
    if (file.columns() == 1)
      refuse(file.where() + ": has one column; give the node id followed by its features");
    settle_table(file, read_csv_node_table(file, std::nullopt, files_.ignored_columns, pool_));
    return std::nullopt;
  }

  void read_dense_matrix() {
    if (matrix_) out_.features = read_matrix_market_features(*matrix_, nodes_->size(), pool_);
  }

  void read_labels() {
    if (files_.labels.empty()) return;
    const bool defines_nodes = !nodes_;
    if (defines_nodes) nodes_.emplace(files_.labels.string());
    class_text_ = read_csv_labels(open(files_.labels), files_.label_column, *nodes_, defines_nodes, pool_);
  }

  void read_edges(Text text) {
    const CsvFile file(std::move(text), files_.header);
    if (!nodes_) nodes_.emplace(collect_nodes(file, 2, pool_));
    out_.graph = read_csv_edges(file, files_.type_column, *nodes_, pool_);
  }

  void settle_classes() {
    std::vector<std::string> given;
    if (!files_.classes.empty()) given = read_csv_classes({read_text(files_.classes), false, '\n'});
    class_text_.resize(static_cast<std::size_t>(nodes_->size()));
    const auto& source = !given.empty()          ? files_.classes
                         : files_.labels.empty() ? files_.nodes
                                                 : files_.labels;
    try {
      files_.regression ? set_targets(class_text_, out_) : set_classes(class_text_, given, out_);
    } catch (const InputError& error) {
      refuse(source.string() + ": " + error.message());
    }
  }

  const CsvGraphFiles& files_;
  ThreadPool& pool_;
  Dataset out_;
  std::optional<NodeIndex> nodes_;
  std::vector<std::string> class_text_;
  std::optional<Text> matrix_;
};

}  // namespace

Dataset read_csv_graph(const CsvGraphFiles& files, ThreadPool& pool) {
  if (!files.nodes.empty() && !(files.features.empty() && files.labels.empty())) {
    refuse(option("nodes") + " replaces " + option("features") + " and " + option("labels") +
           "; give it without them");
  }
  return CsvGraphReader(files, pool).read();
}

}  // namespace gdkm
