#include "gdkm/fitting/fingerprint.hpp"

#include <fmt/format.h>

#include <vector>

#include "gdkm/dataset/feature_columns_text.hpp"

namespace gdkm {

namespace {

/// FNV-1a.
class Hash {
 public:
  template <class Values>
  void feed(const Values& values) {
    const auto* byte = reinterpret_cast<const unsigned char*>(values.data());
    for (std::size_t k = 0; k < values.size() * sizeof(typename Values::value_type); ++k)
      state_ = (state_ ^ byte[k]) * 1099511628211ull;
  }
  void feed(const Csr& matrix) {
    feed(matrix.row_start);
    feed(matrix.col);
    feed(matrix.value);
  }
  void feed(const Features& features) {
    feed(features.sparse);
    feed(features.dense);
  }
  std::string text() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 14695981039346656037ull;
};

}  // namespace

std::string fingerprint(const Relations& relations) {
  Hash hash;
  for (const Relation& relation : relations.each) hash.feed(relation.matrix);
  return hash.text();
}

std::string fingerprint(const Graph& graph, AdjacencyOptions options) {
  options.keep_direction = true;
  return fingerprint(adjacency(graph, options));
}

std::string fingerprint(const Features& features) {
  Hash hash;
  hash.feed(features);
  return hash.text();
}

std::string fingerprint(const Dataset& dataset, const Relations& relations, const Preprocessing& how) {
  if (how.structure_features) return fingerprint(dataset.graph, how.adjacency);  // never of a share
  if (how.makes_rows()) return fingerprint(dataset.features);                    // there are no edges
  if (dataset.share_of.empty()) return fingerprint(relations);
  Hash hash;
  hash.feed(dataset.share_of);
  for (const Relation& relation : relations.each) hash.feed(relation.name);
  return hash.text();
}

std::string fingerprint_of_share(const Dataset& dataset) {
  Hash hash;
  hash.feed(dataset.share_of);
  hash.feed(dataset.owner);
  return hash.text();
}

namespace {

void feed_splits(const Dataset& dataset, Hash& hash) {
  for (const auto& [name, set] : dataset.splits) {
    for (const Split& split : set) {
      for (const auto& part : {split.train, split.val, split.test}) hash.feed(part);
    }
  }
}

}  // namespace

std::string fingerprint(const Dataset& dataset, bool with_splits) {
  Hash hash;
  if (!dataset.share_of.empty()) {
    hash.feed(dataset.share_of);
    if (with_splits) feed_splits(dataset, hash);
    return hash.text();
  }
  for (const Edge& edge : dataset.graph.edges) hash.feed(std::vector<std::int32_t>{edge.from, edge.to});
  hash.feed(dataset.graph.weight);
  if (!dataset.graph.type.empty()) {
    hash.feed(std::vector<std::int32_t>{dataset.graph.types()});
    hash.feed(dataset.graph.type);
  }
  hash.feed(dataset.features);
  if (dataset.columns.has_names()) {
    const std::string columns = to_text(dataset.columns);
    hash.feed(std::vector<char>(columns.begin(), columns.end()));
  }
  hash.feed(dataset.label);
  if (dataset.is_regression()) hash.feed(dataset.target);
  if (with_splits) feed_splits(dataset, hash);
  return hash.text();
}

}  // namespace gdkm
