#include "gdkm/data/formats/csv/csv_export.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <unordered_set>

#include "gdkm/data/files/folder_aside.hpp"
#include "gdkm/data/formats/csv/csv_row.hpp"
#include "gdkm/data/formats/shared/class_names.hpp"
#include "gdkm/data/formats/shared/column_coding.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/dataset/class_name.hpp"
#include "gdkm/graph/feature_forms.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// Node ids as CSV fields.
class Ids {
 public:
  explicit Ids(const Dataset& dataset) {
    std::unordered_set<std::string_view> seen;
    for (const std::string& name : dataset.node_names) {
      if (name.empty() || !seen.insert(name).second) {
        refuse("{}: the node name {} {}; CSV needs a unique name for every node, so export .npz instead",
               dataset.name, show_field(name), name.empty() ? "is empty" : "is used twice");
      }
      field_.push_back(csv_field(name));
    }
  }
  std::string operator[](Index node) const {
    return field_.empty() ? std::to_string(node) : field_[static_cast<std::size_t>(node)];
  }

 private:
  std::vector<std::string> field_;
};

std::string edges_csv(const Graph& graph, const Ids& ids) {
  std::vector<std::string> type;
  for (const std::string& name : graph.type_names) type.push_back(csv_field(name));
  std::string out = "source,target";
  if (!graph.weight.empty()) out += ",weight";
  if (!graph.type.empty()) out += ",type";
  out += '\n';
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    fmt::format_to(std::back_inserter(out), "{},{}", ids[graph.edges[k].from], ids[graph.edges[k].to]);
    if (!graph.weight.empty()) fmt::format_to(std::back_inserter(out), ",{}", graph.weight[k]);
    if (!graph.type.empty()) out += "," + type[static_cast<std::size_t>(graph.type[k])];
    out += '\n';
  }
  return out;
}

std::string dense_csv(const Features& x, const Ids& ids) {
  std::string out = "id";
  for (Index c = 0; c < x.cols; ++c) fmt::format_to(std::back_inserter(out), ",f{}", c);
  out += '\n';
  for (Index r = 0; r < x.rows; ++r) {
    out += ids[r];
    for (Index c = 0; c < x.cols; ++c) {
      fmt::format_to(std::back_inserter(out), ",{}", x.dense[static_cast<std::size_t>(r * x.cols + c)]);
    }
    out += '\n';
  }
  return out;
}

/// What the column of the ids is called: as no other.
std::string id_name(const std::vector<TableColumn>& table) {
  std::set<std::string> taken;
  for (const TableColumn& column : table) taken.insert(lower_case(column.name));
  if (!taken.contains("id")) return "id";
  std::string out = "node";
  while (taken.contains(out)) out += "_id";
  return out;
}

/// The columns of a table as their owner had them.
std::string table_csv(const Features& x, const std::vector<TableColumn>& table, const Ids& ids) {
  std::string out = id_name(table);
  for (const TableColumn& column : table) {
    out += ',';
    out += csv_field(column.name);
  }
  out += '\n';
  std::vector<float> row(static_cast<std::size_t>(x.cols));
  for (Index r = 0; r < x.rows; ++r) {
    out += ids[r];
    if (x.is_sparse) {
      std::fill(row.begin(), row.end(), 0.0f);
      for (Index k = x.sparse.row_start[r]; k < x.sparse.row_start[r + 1]; ++k)
        row[static_cast<std::size_t>(x.sparse.col[k])] = static_cast<float>(x.sparse.value[k]);
    }
    const float* features = x.is_sparse ? row.data() : x.dense.data() + r * x.cols;
    for (const TableColumn& column : table) {
      out += ',';
      out += csv_field(decode(column, features));
      features += column.width();
    }
    out += '\n';
  }
  return out;
}

/// What the columns of features.csv are, since its fields alone do not say it all.
std::string columns_csv(const FeatureColumns& columns) {
  using Kind = FeatureColumns::Kind;
  std::string out = "name,type,missing,values\n";
  if (columns.kind == Kind::words) out += "*,words\n";
  if (columns.kind == Kind::nodes) {
    out += "*,nodes\n";
    for (const std::string& node : columns.table[0].values) out += csv_field(node) + ",number,no\n";
    return out;
  }
  if (!columns.has_names()) return out + "*,untyped\n";
  for (const TableColumn& column : columns.table) {
    out += fmt::format("{},{},{}", csv_field(column.name), name_of(column.type),
                       column.has_missing ? "yes" : "no");
    for (const std::string& value : column.values) {
      out += ',';
      out += csv_field(value);
    }
    out += '\n';
  }
  return out;
}

std::string sparse_csv(const Csr& x, const Ids& ids) {
  std::string out = "node,feature,value\n";
  std::int32_t last = -1;
  for (Index r = 0; r < x.rows; ++r) {
    for (Index k = x.row_start[r]; k < x.row_start[r + 1]; ++k) {
      fmt::format_to(std::back_inserter(out), "{},{},{}\n", ids[r], x.col[k], x.value[k]);
      last = std::max(last, x.col[k]);
    }
  }
  // An explicit 0 keeps the width where the last column is empty.
  if (last + 1 < x.cols && x.rows > 0)
    fmt::format_to(std::back_inserter(out), "{},{},0\n", ids[0], x.cols - 1);
  return out;
}

std::string labels_csv(const Dataset& dataset, const Ids& ids) {
  std::string out = "id,class\n";
  for (std::size_t i = 0; i < dataset.label.size(); ++i) {
    out += ids[static_cast<Index>(i)] + ",";
    if (dataset.label[i] >= 0) {
      out += dataset.is_regression() ? fmt::format("{}", dataset.target[i])
                                     : csv_field(class_name(dataset, dataset.label[i]));
    }
    out += '\n';
  }
  return out;
}

std::string splits_csv(const Dataset& dataset, const Ids& ids) {
  std::string out = "id";
  std::vector<std::vector<const char*>> part;
  for (const auto& [set, splits] : dataset.splits) {
    for (std::size_t s = 0; s < splits.size(); ++s) {
      out += ',';
      out += csv_field(fmt::format("{}:{}", set, s));
      auto& column = part.emplace_back(dataset.label.size(), "");
      for (const auto i : splits[s].train) column[static_cast<std::size_t>(i)] = "train";
      for (const auto i : splits[s].val) column[static_cast<std::size_t>(i)] = "val";
      for (const auto i : splits[s].test) column[static_cast<std::size_t>(i)] = "test";
    }
  }
  out += '\n';
  for (std::size_t i = 0; i < dataset.label.size(); ++i) {
    out += ids[static_cast<Index>(i)];
    for (const auto& column : part) {
      out += ',';
      out += column[i];
    }
    out += '\n';
  }
  return out;
}

/// Empty where labels.csv alone determines the numbers of the classes.
std::string classes_csv(const Dataset& dataset) {
  if (dataset.is_regression()) return "";
  std::vector<std::string> names;
  bool is_clear = true;
  for (std::int32_t c = 0; c < dataset.classes; ++c) {
    names.push_back(class_name(dataset, c));
    if (names.back().empty())
      refuse("{}: class {} has an empty name; name it, or export .npz", dataset.name, c);
    is_clear = is_clear && !means_unlabelled(names.back());
  }
  if (is_clear && names == natural_classes(dataset)) return "";
  std::string out;
  for (const auto& name : names) out += csv_field(name) + "\n";
  return out;
}

namespace fs = std::filesystem;

/// A target that must not be replaced is an InputError.
void check_target(const fs::path& folder, bool replace) {
  static const std::set<std::string> ours{"edges.csv",  "features.csv", "labels.csv",
                                          "splits.csv", "classes.csv",  "columns.csv"};
  std::error_code error;
  if (!fs::exists(fs::symlink_status(folder, error))) return;
  if (!fs::is_directory(folder, error)) refuse(folder.string() + ": is not a folder; choose another name");
  bool is_empty = true;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    is_empty = false;
    if (replace && !ours.contains(entry.path().filename().string())) {
      refuse("{}: contains {}, which is not part of an export; choose another folder", folder.string(),
             entry.path().filename().string());
    }
  }
  if (error) refuse(folder.string() + ": cannot be read; choose another folder");
  if (!is_empty && !replace)
    refuse(folder.string() + ": already exists; choose another name, or use " + option("force"));
}

}  // namespace

std::vector<std::pair<std::string, std::string>> csv_files(const Dataset& dataset) {
  if (dataset.task != Task::node)
    refuse(dataset.name + ": contains many graphs; CSV export supports one graph with labelled nodes");
  if (dataset.targets > 1)
    refuse(dataset.name + ": has several targets per node, and labels.csv holds one; export .npz");
  const Ids ids(dataset);
  std::vector<std::pair<std::string, std::string>> out;
  out.emplace_back("edges.csv", edges_csv(dataset.graph, ids));
  using Kind = FeatureColumns::Kind;
  const FeatureColumns& columns = dataset.columns;
  const bool is_table = columns.kind == Kind::table && columns.has_names();
  const bool is_named = is_table || (columns.has_names() && columns.width() == dataset.features.cols);
  const Features& x = dataset.features;
  if (is_table || (is_named && columns.kind == Kind::words && !x.is_sparse)) {
    out.emplace_back("features.csv", table_csv(x, columns.table, ids));
  } else if (is_named || x.is_sparse) {
    out.emplace_back("features.csv", sparse_csv(nonzero_entries(x), ids));
  } else {
    out.emplace_back("features.csv", dense_csv(x, ids));
  }
  if (is_named || !x.is_sparse)
    out.emplace_back("columns.csv", columns_csv(is_named ? columns : FeatureColumns{}));
  out.emplace_back("labels.csv", labels_csv(dataset, ids));
  if (!dataset.splits.empty()) out.emplace_back("splits.csv", splits_csv(dataset, ids));
  if (std::string classes = classes_csv(dataset); !classes.empty()) {
    out.emplace_back("classes.csv", std::move(classes));
  }
  return out;
}

void write_csv_folder(const Dataset& dataset, const fs::path& folder, bool replace) {
  FolderAside aside(folder);
  check_target(aside.target(), replace);
  for (const auto& [name, contents] : csv_files(dataset)) write_file_atomically(aside / name, contents);
  aside.finish();
}

}  // namespace gdkm
