#include "gdkm/graph/own_graph.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "gdkm/graph/distribute.hpp"
#include "gdkm/graph/mix_dense.hpp"
#include "gdkm/ranks/collect.hpp"

namespace gdkm {

OwnGraph::OwnGraph(const Relations& relations, const Features& features, const NodeRanks& shared)
    : shared_(shared), own_(shared.own()) {
  const bool all = features.rows == relations.nodes();
  relations_ = all ? rows_of(relations, own_) : relations;
  features_ = all ? select_rows(features, own_) : features;
}

bool OwnGraph::is_identity(const Csr& rows) const {
  char here = rows.nonzeros() == rows.rows ? 1 : 0;
  for (std::size_t k = 0; k < own_.size() && here != 0; ++k)
    here = rows.row_start[k] == static_cast<Index>(k) && rows.col[k] == own_[k] && rows.value[k] == 1;
  const auto of_all = one_of_each(*shared_.ranks, here);
  return std::all_of(of_all.begin(), of_all.end(), [](char yes) { return yes != 0; });
}

DistributedCsr OwnGraph::distribute(const Csr& rows) const {
  return gdkm::distribute(rows, shared_);
}

Csr OwnGraph::between(const std::vector<std::int32_t>& nodes) const {
  std::vector<std::int32_t> rows, places;
  const auto number = shared_.numbers();
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const auto node = static_cast<std::size_t>(nodes[k]);
    if ((*shared_.owner)[node] != shared_.ranks->rank()) continue;
    rows.push_back(number[node]);
    places.push_back(static_cast<std::int32_t>(k));
  }
  const Csr mine = submatrix(relations_.first(), rows, nodes);
  std::vector<Triplet> entries;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (Index k = mine.row_start[r]; k < mine.row_start[r + 1]; ++k)
      entries.push_back(
          {places[r], mine.col[static_cast<std::size_t>(k)], mine.value[static_cast<std::size_t>(k)]});
  }
  const auto size = static_cast<Index>(nodes.size());
  return csr_from_triplets(size, size, all_of_each(*shared_.ranks, entries));
}

void OwnGraph::add_up(std::vector<double>& sums) const {
  shared_.ranks->add_up(std::span<double>(sums));
}

// Own rows of X are used where they are.
template <class T>
std::vector<T> OwnGraph::mix_dense() const {
  std::vector<std::int32_t> remote;
  for (const auto node : columns_of(relations_)) {
    if ((*shared_.owner)[static_cast<std::size_t>(node)] != shared_.ranks->rank()) remote.push_back(node);
  }
  const Features around = fetch_rows(features_, remote, shared_);
  std::vector<const float*> row(shared_.owner->size(), nullptr);
  const Index width = features_.cols;
  for (std::size_t k = 0; k < own_.size(); ++k)
    row[static_cast<std::size_t>(own_[k])] = features_.dense.data() + static_cast<Index>(k) * width;
  for (std::size_t k = 0; k < remote.size(); ++k)
    row[static_cast<std::size_t>(remote[k])] = around.dense.data() + static_cast<Index>(k) * width;
  const auto rows = static_cast<Index>(own_.size());
  std::vector<T> out(static_cast<std::size_t>(rows * relations_.count() * width));
  for (Index r = 0; r < relations_.count() && rows > 0; ++r)
    mix_rows(relations_.each[static_cast<std::size_t>(r)].matrix, row, width, out.data() + r * width,
             relations_.count() * width);
  return out;
}

std::optional<OwnGraph::Surroundings> OwnGraph::sparse_to_mix_if_cheaper() const {
  const auto needed = columns_of(relations_);
  Surroundings out;
  for (const Relation& relation : relations_.each) {
    std::vector<std::int32_t> rows(own_.size());
    std::iota(rows.begin(), rows.end(), 0);
    out.relations.each.push_back({relation.name, relation.scaling, submatrix(relation.matrix, rows, needed)});
    if (needed.empty()) out.relations.each.back().matrix.cols = 0;  // which means all columns to submatrix
  }
  out.features = fetch_rows(features_, needed, shared_);
  double counts[2] = {};
  for (const Relation& relation : out.relations.each) {
    const Csr& p = relation.matrix;
    counts[0] += static_cast<double>(features_.sparse.nonzeros() + p.nonzeros());
    counts[1] += static_cast<double>(
        count_product_nonzeros(p, out.features.sparse, std::numeric_limits<Index>::max() - 1));
  }
  shared_.ranks->add_up(counts);
  if (counts[1] > counts[0]) return std::nullopt;
  return out;
}

template std::vector<float> OwnGraph::mix_dense() const;
template std::vector<double> OwnGraph::mix_dense() const;

}  // namespace gdkm
