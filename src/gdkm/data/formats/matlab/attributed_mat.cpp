#include "gdkm/data/formats/matlab/attributed_mat.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/data/formats/shared/checked_matrix.hpp"
#include "gdkm/data/formats/shared/numpy_random.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

std::vector<std::int32_t> read_labels(const MatFile& file) {
  const std::string where = file.where("Label");
  const MatMatrix stored = file.dense("Label");
  if (std::min(stored.rows, stored.cols) != 1)
    refuse("{}: has size {} x {}; save one class per node, n x 1", where, stored.rows, stored.cols);
  if (stored.value.size() < 2) refuse(where + ": has fewer than two nodes; splits need at least two");
  std::vector<std::int32_t> out;
  out.reserve(stored.value.size());
  const auto nodes = static_cast<double>(stored.value.size());
  for (const double value : stored.value) {
    if (!(value >= 1 && value <= nodes) || value != std::floor(value)) {
      refuse("{}: node {}: expected a class number 1, 2, ..., got {}; renumber the classes", where,
             out.size() + 1, value);
    }
    out.push_back(static_cast<std::int32_t>(value) - 1);
  }
  return out;
}

}  // namespace

bool is_attributed_mat(const MatFile& file) {
  return file.contains("Network") && file.contains("Attributes") && file.contains("Label");
}

Dataset read_attributed_mat(const Text& text, const std::string& name) {
  const MatFile file(text);
  Dataset out;
  out.name = name;
  out.label = read_labels(file);
  out.classes = 1 + *std::max_element(out.label.begin(), out.label.end());
  for (const char* variable : {"Network", "Attributes"}) {
    const Index rows = file.shape(variable).rows;
    if (rows == out.items()) continue;
    refuse("{}: has {} rows, but 'Label' has {} nodes; save one row per node", file.where(variable), rows,
           out.items());
  }
  out.graph = graph_from_matrix(file.where("Network"), file.sparse("Network"));
  out.features = features_from_matrix(file.where("Attributes"), file.sparse("Attributes"));
  out.splits["public"] = numpy_random_splits(out.label, 0.6, 0.2, 10);
  return out;
}

}  // namespace gdkm
