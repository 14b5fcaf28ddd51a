#include "gdkm/data/formats/csv/csv_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/formats/csv/csv_parts.hpp"
#include "gdkm/data/formats/edge_list/adjacency_list.hpp"
#include "gdkm/data/formats/edge_list/networkx_edge_list.hpp"
#include "gdkm/data/formats/matrix_market/matrix_market.hpp"
#include "gdkm/data/formats/shared/class_names.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

bool is_matrix_market(const Text& text) {
  return lower_case(std::string_view(text.bytes).substr(0, 14)) == "%%matrixmarket";
}

/// Builds a data set file by file. The first file that defines nodes sets `nodes_`.
class CsvGraphReader {
 public:
  CsvGraphReader(const CsvGraphFiles& files, ThreadPool& pool)
      : files_(files), pool_(pool), rules_(files.rules) {
    if (!files.columns.empty()) add_given_columns(files.columns, rules_);
  }

  Dataset read() {
    std::optional<Text> edges;
    if (!files_.edges.empty()) edges = text_of(files_.edges);
    const bool is_matrix = edges && is_matrix_market(*edges);
    if (is_matrix) {
      out_.graph = read_matrix_market_graph(*edges, pool_);
      check_claimed_nodes(*edges, out_.graph.nodes);
      nodes_.emplace(edges->where, out_.graph.nodes, 1);
      edges.reset();
      if (!files_.names.type.empty())
        refuse("{}: a Matrix Market file has no edge types; leave out {}", files_.edges.string(),
               option("type_column"));
    }
    if (edges) edges = as_csv(std::move(*edges));
    read_nodes(edges);
    std::optional<CsvFile> triplets = read_features(edges);
    read_labels(edges);
    if (triplets) {
      if (!nodes_) nodes_.emplace(collect_nodes(*triplets, {0}, pool_));
      out_.features = read_csv_triplets(*triplets, *nodes_, pool_);
      name_columns(*triplets);
      triplets.reset();
    }
    if (edges) read_edges(std::move(*edges));
    if (!nodes_ || nodes_->size() == 0) refuse(first_file() + ": has no nodes; a graph needs at least one");
    out_.graph.nodes = nodes_->size();
    if (files_.directed) out_.graph.directed = *files_.directed;
    read_dense_matrix();
    settle_features();
    settle_classes();
    if (!files_.splits.empty()) {
      const CsvFile file = open(files_.splits, knows_node());
      remark_ids(file);
      out_.splits = read_csv_splits(file, *nodes_, out_.label, files_.names.id, pool_);
    }
    out_.node_names = nodes_->names();
    name_columns_of_nodes(out_);
    return std::move(out_);
  }

 private:
  using Knows = std::function<bool(std::string_view)>;

  Text text_of(const std::filesystem::path& path) const {
    const auto at = files_.in_memory.find(path);
    return at == files_.in_memory.end() ? read_text(path) : Text{path.string(), at->second};
  }

  CsvHint hint(Knows knows) const {
    CsvHint out(files_.header);
    const ColumnRules& rules = rules_;
    for (const auto* list : {&rules.ignored, &rules.categories})
      out.names.insert(out.names.end(), list->begin(), list->end());
    for (const auto* list : {&rules.ordinals, &rules.given})
      for (const TableColumn& column : *list) out.names.push_back(column.name);
    const CsvColumnNames& names = files_.names;
    for (const auto* name :
         {&names.id, &names.source, &names.target, &names.label, &names.weight, &names.type})
      if (!name->empty() && *name != "none") out.names.push_back(*name);
    out.knows = std::move(knows);
    return out;
  }

  /// Lists as NetworkX writes them become CSV with a header.
  Text as_csv(Text text) {
    if (text.bytes.starts_with("\xEF\xBB\xBF")) text.bytes.erase(0, 3);  // the mark that some editors write
    const char* format = nullptr;
    if (is_networkx_edge_list(text)) {
      format = "a list of edges with dicts";
      text = networkx_edge_list_as_csv(text);
    } else if (auto list = read_adjacency_list(text)) {
      format = "an adjacency list";
      text = std::move(list->edges);
      listed_ = std::move(list->nodes);
      out_.remarks.push_back(text.where + ": is an adjacency list: a node and its neighbours in each line");
    }
    if (format != nullptr && files_.header)
      refuse("{}: {} is for CSV; {} has no header line", text.where,
             option(*files_.header ? "header" : "no_header"), format);
    is_list_ = format != nullptr;
    return text;
  }

  CsvFile open(Text text, const CsvHint& hint) {
    CsvFile out(std::move(text), hint);
    if (out.guesses_header()) {
      out_.remarks.push_back(
          fmt::format("{}: the first line names the columns: {}, {}, ...; use {} if it does not", out.where(),
                      show_field(out.header()[0]), show_field(out.header()[1]), option("no_header")));
    }
    return out;
  }
  CsvFile open(const std::filesystem::path& path, Knows knows = {}) {
    return open(text_of(path), hint(std::move(knows)));
  }

  /// Whether an id is one of the nodes, or where none is known yet, an end of an edge.
  Knows knows_node() const {
    return [this](std::string_view id) { return nodes_->find(id).has_value(); };
  }
  Knows knows_id(const std::optional<Text>& edges) const {
    if (nodes_) return knows_node();
    if (!edges) return {};
    return [&edges](std::string_view id) { return occurs_in(edges->bytes, id); };
  }

  /// A table of nodes needs rows; without them, the edges would be blamed.
  void check_rows(const CsvFile& file) const {
    const auto& rows = file.sample();
    const auto is_word = [](const std::string& field) { return !field.empty() && !to_double(field); };
    const bool may_name = rows.size() == 1 && file.header().empty() && !files_.header && file.knows() &&
                          std::all_of(rows[0].begin(), rows[0].end(), is_word) && !file.knows()(rows[0][0]);
    if (!rows.empty() && !may_name) return;
    if (rows.empty()) file.for_each_row([](const CsvRow&) {});  // a broken row is another error
    refuse("{}: {}; give one row per node, or leave out the file", file.where(),
           file.columns() == 0 ? "is empty" : "has a header and no rows");
  }

  void remark_ids(const CsvFile& file, const std::vector<std::string>& others = {}) {
    const std::size_t id = find_id_column(file, files_.names.id, others);
    if (std::string line = id_remark(file, files_.names.id, id); !line.empty())
      out_.remarks.push_back(std::move(line));
  }

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
      nodes_->set_hint(id_hint(file, table.id_column));
      for (std::size_t k = 0; k < table.id.size(); ++k) {
        if (table.id[k].empty()) file.fail_at_row(k, "the node's id is empty; complete the line");
        if (!nodes_->add(table.id[k])) {
          file.fail_at_row(k, fmt::format("node {} has more than one row; keep one{}",
                                          show_field(table.id[k]), id_hint(file, table.id_column)));
        }
      }
    }
    out_.features = std::move(table.features);
    out_.remarks.insert(out_.remarks.end(), table.remarks.begin(), table.remarks.end());
    decimal_comma_ = table.decimal_comma;
    if (!table.table.empty()) {
      out_.columns.kind = table.words ? FeatureColumns::Kind::words : FeatureColumns::Kind::table;
      out_.columns.table = std::move(table.table);
      out_.columns.where = file.where();
    }
    if (!table.class_text.empty()) class_text_ = std::move(table.class_text);
  }

  void read_nodes(const std::optional<Text>& edges) {
    if (files_.nodes.empty()) return;
    const CsvFile file = open(files_.nodes, knows_id(edges));
    check_rows(file);
    settle_table(file, read_csv_node_table(file, files_.names, rules_, !files_.regression, pool_));
  }

  /// Returns sparse features unread: another file may list their nodes, in another order.
  std::optional<CsvFile> read_features(const std::optional<Text>& edges) {
    if (files_.features.empty()) return std::nullopt;
    Text text = text_of(files_.features);
    if (is_matrix_market(text)) {
      matrix_ = std::move(text);
      return std::nullopt;
    }
    CsvFile file = open(std::move(text), hint(knows_id(edges)));
    if (is_csv_triplets(file)) return file;
    check_rows(file);
    if (file.columns() == 1)
      refuse(file.where() + ": has one column; give the node id followed by its features");
    CsvColumnNames names = files_.names;
    names.label.clear();
    settle_table(file, read_csv_node_table(file, names, rules_, false, pool_));
    return std::nullopt;
  }

  /// Gives sparse features the names that columns.csv has for them.
  void name_columns(const CsvFile& file) {
    using Kind = FeatureColumns::Kind;
    if (rules_.kind == Kind::table && !files_.columns.empty())
      refuse("{}: features as node, feature, value have no types; leave out {}", file.where(),
             files_.columns.string());
    if (out_.features.cols == 0 || (rules_.kind != Kind::words && rules_.kind != Kind::nodes)) return;
    if (out_.features.cols != static_cast<Index>(rules_.given.size())) {
      refuse("{}: has {} features, but {} lists {}; correct one of the two", file.where(), out_.features.cols,
             files_.columns.string(), rules_.given.size());
    }
    out_.columns.kind = rules_.kind;
    out_.columns.where = file.where();
    if (rules_.kind == Kind::words) {
      out_.columns.table = rules_.given;
    } else {
      TableColumn& nodes = out_.columns.table.emplace_back(TableColumn{"node", ColumnType::category});
      for (const TableColumn& column : rules_.given) nodes.values.push_back(column.name);
    }
  }

  void read_dense_matrix() {
    if (matrix_) out_.features = read_matrix_market_features(*matrix_, nodes_->size(), pool_);
  }

  /// Features for nodes that have none; others must not have been asked for.
  void settle_features() {
    if (out_.features.cols == 0) {
      set_default_features(files_.default_features, out_);
    } else if (files_.default_features) {
      refuse_default_features(files_.nodes.empty() ? files_.features.string() : files_.nodes.string(),
                              out_.columns.table.empty() ? static_cast<std::size_t>(out_.features.cols)
                                                         : out_.columns.table.size());
    }
  }

  void read_labels(const std::optional<Text>& edges) {
    if (files_.labels.empty()) return;
    const bool defines_nodes = !nodes_;
    const CsvFile file = open(files_.labels, knows_id(edges));
    check_rows(file);
    if (defines_nodes) nodes_.emplace(files_.labels.string());
    remark_ids(file, {files_.names.label});
    class_text_ = read_csv_labels(file, files_.names, *nodes_, defines_nodes, pool_);
    decimal_comma_ = file.decimal_comma();
  }

  void read_edges(Text text) {
    CsvHint first_row = hint(nodes_ ? knows_node() : Knows{});
    first_row.ids = 2;
    if (is_list_) first_row.header = true;
    const CsvFile file = open(std::move(text), first_row);
    const CsvEdgeColumns columns = find_edge_columns(file, files_.names);
    if (nodes_) {
      for (const std::string& name : listed_) {
        if (!nodes_->find(name))
          refuse("{}: node {} is not in {}; add it there, or remove its line", file.where(), show_field(name),
                 nodes_->source());
      }
    } else if (!listed_.empty()) {
      nodes_.emplace(file.where());
      for (const std::string& name : listed_) nodes_->add(name);
    } else {
      if (!is_list_) refuse_node_table(file, columns, files_.names);
      nodes_.emplace(collect_nodes(file, {columns.source, columns.target}, pool_));
      remark_doubtful_header(file);
    }
    out_.graph = read_csv_edges(file, columns, files_.names, *nodes_, pool_);
    for (std::string& line : edge_remarks(file, columns)) out_.remarks.push_back(std::move(line));
  }

  /// Two words in the first row that occur in no other may be names of columns.
  void remark_doubtful_header(const CsvFile& file) {
    const auto& rows = file.sample();
    if (!file.header().empty() || files_.header || rows.size() < 3 || rows[0].size() < 2) return;
    for (std::size_t k = 0; k < 2; ++k) {
      const std::string& word = rows[0][k];
      if (word.find_first_of("0123456789") != std::string::npos || word == rows[0][1 - k]) return;
      for (std::size_t r = 1; r < rows.size(); ++r)
        if (std::find(rows[r].begin(), rows[r].end(), word) != rows[r].end()) return;
    }
    out_.remarks.push_back(
        fmt::format("{}: the first line, {} and {}, is read as an edge; use {} if it names columns",
                    file.where(), show_field(rows[0][0]), show_field(rows[0][1]), option("header")));
  }

  void settle_classes() {
    std::vector<std::string> given;
    if (!files_.classes.empty()) given = read_csv_classes({text_of(files_.classes), false, '\n'});
    class_text_.resize(static_cast<std::size_t>(nodes_->size()));
    const auto& source = !given.empty()          ? files_.classes
                         : files_.labels.empty() ? files_.nodes
                                                 : files_.labels;
    try {
      files_.regression ? set_targets(class_text_, out_, decimal_comma_)
                        : set_classes(class_text_, given, out_);
      if (given.empty() && has_many_numbers(out_))
        out_.remarks.push_back(many_numbers(source.string(), out_));
    } catch (const InputError& error) {
      refuse(source.string() + ": " + error.message());
    }
  }

  const CsvGraphFiles& files_;
  ThreadPool& pool_;
  ColumnRules rules_;
  bool decimal_comma_ = false;  // of the labels
  Dataset out_;
  std::optional<NodeIndex> nodes_;
  bool is_list_ = false;             // the edges were a list of NetworkX
  std::vector<std::string> listed_;  // the nodes of an adjacency list
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
