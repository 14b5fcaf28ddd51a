#include "gdkm/data/formats/planetoid/planetoid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "gdkm/data/formats/geom_gcn/geom_gcn_splits.hpp"
#include "gdkm/data/formats/pickle/pickled_array.hpp"
#include "gdkm/data/formats/shared/split_maker.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr Index validation_nodes = 500;

/// Features and the classes of their rows.
struct Part {
  std::string where;  // file of the features
  Csr features;
  OneHot classes;

  Index rows() const { return features.rows; }
};

std::string file_name(const std::string& name, const char* part) {
  return fmt::format("ind.{}.{}", name, part);
}

Part read_part(const FileTree& files, const std::string& name, const char* features, const char* classes) {
  const Pickle x = read_pickle(files.read_required(file_name(name, features)));
  const Pickle y = read_pickle(files.read_required(file_name(name, classes)));
  Part out{x.where(), pickled_csr(x), pickled_one_hot(y)};
  if (out.rows() != static_cast<Index>(out.classes.label.size())) {
    refuse("{}: has {} rows, but '{}' has {}; fetch both files again", x.where(), out.rows(),
           file_name(name, classes), out.classes.label.size());
  }
  return out;
}

void check_same_columns(const Part& all, const Part& part) {
  if (part.features.cols != all.features.cols) {
    refuse("{}: has {} features, but allx has {}; fetch both files again", part.where, part.features.cols,
           all.features.cols);
  }
  if (part.classes.classes != all.classes.classes) {
    refuse("{}: has {} classes, but ally has {}; fetch both files again", part.where, part.classes.classes,
           all.classes.classes);
  }
}

/// x must be the first rows of allx; otherwise the training nodes would differ from the published ones.
void check_head(const Part& all, const Part& head) {
  if (head.rows() > all.rows()) {
    refuse("{}: has {} rows, but allx, which must begin with them, has {}; fetch both files again",
           head.where, head.rows(), all.rows());
  }
  const auto is_same_row = [&](Index r) {
    const Csr &a = all.features, &h = head.features;
    const Index from = h.row_start[r], to = h.row_start[r + 1];
    return a.row_start[r] == from && a.row_start[r + 1] == to &&
           std::equal(h.col.begin() + from, h.col.begin() + to, a.col.begin() + from) &&
           std::equal(h.value.begin() + from, h.value.begin() + to, a.value.begin() + from) &&
           all.classes.label[r] == head.classes.label[r];
  };
  for (Index r = 0; r < head.rows(); ++r) {
    if (!is_same_row(r)) {
      refuse(
          "{}: row {} differs from row {} of allx and ally, which must begin with the training "
          "nodes; fetch the files again",
          head.where, r, r);
    }
  }
}

/// The nodes of the rows of tx. All follow those of allx.
std::vector<std::int32_t> read_test_index(const Text& text, const Part& all, const Part& test,
                                          ThreadPool& pool) {
  auto nodes = parse_lines<std::int32_t>(text, 0, pool, [&](Line& line) {
    const auto node = line.number<std::int32_t>("a node number");
    line.expect_end();
    if (node < all.rows())
      refuse("node {} is one of the {} nodes of allx; test nodes must follow them", node, all.rows());
    if (node == std::numeric_limits<std::int32_t>::max()) refuse("the node number is too large; correct it");
    return node;
  });
  if (static_cast<Index>(nodes.size()) != test.rows()) {
    refuse("{}: has {} nodes, but tx has {} rows; fetch both files again", text.where, nodes.size(),
           test.rows());
  }
  auto sorted = nodes;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice != sorted.end()) refuse("{}: node {} occurs twice; list each test node once", text.where, *twice);
  return nodes;
}

/// allx, then the rows of tx at the places that test.index gives. Missing numbers get empty rows.
Csr join(const Part& all, const Part& test, const std::vector<Index>& test_row) {
  Csr out = all.features;
  out.rows += static_cast<Index>(test_row.size());
  for (const Index row : test_row) {
    if (row >= 0) {
      const auto from = test.features.row_start[row], to = test.features.row_start[row + 1];
      out.col.insert(out.col.end(), test.features.col.begin() + from, test.features.col.begin() + to);
      out.value.insert(out.value.end(), test.features.value.begin() + from, test.features.value.begin() + to);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

Split public_split(const std::string& where, const std::vector<std::int32_t>& label, Index train,
                   Index labelled, const std::vector<std::int32_t>& test) {
  SplitMaker maker(where, label);
  for (Index i = 0; i < train; ++i) maker.add(SplitPart::train, i);
  for (Index i = train; i < std::min(train + validation_nodes, labelled); ++i) maker.add(SplitPart::val, i);
  for (const auto i : test) maker.add(SplitPart::test, i);
  return maker.finish();
}

const PickleDict& expect_dict(const Pickle& pickle) {
  const auto* dict = pickle.get<PickleDict>(pickle.root());
  if (dict != nullptr) return *dict;
  refuse("{}: is not a dict of lists of neighbours; fetch the published file", pickle.where());
}

/// The number of nodes that the graph lists.
Index count_listed_nodes(const Pickle& pickle) {
  return static_cast<Index>(expect_dict(pickle).items.size());
}

std::int32_t node(const Pickle& pickle, PickleId id, Index nodes) {
  const auto* number = pickle.get<std::int64_t>(id);
  if (number == nullptr)
    refuse("{}: expected an integer as node; number nodes 0..{}", pickle.where(), nodes - 1);
  if (*number < 0 || *number >= nodes) {
    refuse("{}: refers to node {}, but the other files have nodes 0..{}; fetch all files again",
           pickle.where(), *number, nodes - 1);
  }
  return static_cast<std::int32_t>(*number);
}

}  // namespace

bool is_planetoid(const FileTree& files, const std::string& name) {
  return !files.is_archive() && files.find(file_name(name, "graph")) && files.find(file_name(name, "allx"));
}

Dataset read_planetoid(const FileTree& files, const std::string& name, ThreadPool& pool) {
  const Part all = read_part(files, name, "allx", "ally"), train = read_part(files, name, "x", "y");
  const Part test = read_part(files, name, "tx", "ty");
  if (all.features.cols == 0) refuse(all.where + ": has no feature columns; give at least one");
  check_same_columns(all, train);
  check_same_columns(all, test);
  check_head(all, train);
  const Text index_text = files.read_required(file_name(name, "test.index"));
  const auto test_nodes = read_test_index(index_text, all, test, pool);
  const Pickle graph = read_pickle(files.read_required(file_name(name, "graph")));

  // Numbers missing in test.index are nodes too, if the graph can have so many.
  const Index nodes = 1 + *std::max_element(test_nodes.begin(), test_nodes.end());
  const Index left_out = nodes - all.rows() - test.rows();
  if (left_out > count_listed_nodes(graph)) {
    refuse("{}: its largest node is {}, but allx, tx and the graph have fewer than {} nodes; correct it",
           index_text.where, nodes - 1, nodes);
  }
  std::vector<Index> test_row(static_cast<std::size_t>(nodes - all.rows()), -1);
  for (std::size_t k = 0; k < test_nodes.size(); ++k) {
    test_row[static_cast<std::size_t>(test_nodes[k] - all.rows())] = static_cast<Index>(k);
  }

  Dataset out;
  out.name = name;
  out.graph.nodes = nodes;
  out.graph.edges = pickled_edges(graph, nodes);
  out.features = sparse_features(join(all, test, test_row));
  out.label = all.classes.label;
  for (const Index row : test_row) out.label.push_back(row < 0 ? -1 : test.classes.label[row]);
  out.classes = static_cast<int>(all.classes.classes);
  out.splits["public"] = {public_split(train.where, out.label, train.rows(), all.rows(), test_nodes)};
  auto geom = read_geom_gcn_splits(files, name, out.label);
  if (!geom.empty()) out.splits["geom"] = std::move(geom);
  return out;
}

std::vector<Edge> pickled_edges(const Pickle& pickle, Index nodes) {
  std::vector<Edge> out;
  std::vector<bool> is_listed(static_cast<std::size_t>(nodes), false);
  for (const auto& [key, value] : expect_dict(pickle).items) {
    const std::int32_t from = node(pickle, key, nodes);
    if (is_listed[from]) refuse("{}: node {} is listed twice; merge its two lists", pickle.where(), from);
    is_listed[from] = true;
    const auto* list = pickle.get<PickleList>(value);
    if (list == nullptr)
      refuse("{}: node {} has no list of neighbours; store one, even if it is empty", pickle.where(), from);
    // Each neighbour takes at least one byte, unless nodes share a list to blow up a small file.
    if (list->items.size() > pickle.file_size() - out.size()) {
      refuse("{}: has more edges than bytes, because nodes share lists; store one list per node",
             pickle.where());
    }
    for (const PickleId item : list->items) out.push_back({from, node(pickle, item, nodes)});
  }
  return out;
}

}  // namespace gdkm
