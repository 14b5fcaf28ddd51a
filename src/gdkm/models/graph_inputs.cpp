#include "gdkm/models/graph_inputs.hpp"

#include <cassert>
#include <cmath>
#include <numeric>
#include <optional>

#include "gdkm/graph/mix_dense.hpp"
#include "gdkm/graph/own_graph.hpp"
#include "gdkm/models/upload_features.hpp"

namespace gdkm {

// For dense features it always is, because P_r X is no larger than X.
bool mixing_first_is_cheaper(const Relations& relations, const Features& features) {
  if (!features.is_sparse) return true;
  Index separate = 0, mixed = 0;
  for (const Relation& relation : relations.each)
    separate += features.sparse.nonzeros() + relation.matrix.nonzeros();
  for (const Relation& relation : relations.each)
    mixed += count_product_nonzeros(relation.matrix, features.sparse, separate);
  return mixed <= separate;
}

namespace {

template <class T>
Matrix<T> row_norms(Backend<T>& backend, const Features& features) {
  std::vector<T> host;
  for (Index r = 0; r < features.rows; ++r) {
    double square = 0;
    if (features.is_sparse) {
      const Csr& x = features.sparse;
      for (Index k = x.row_start[r]; k < x.row_start[r + 1]; ++k) square += x.value[k] * x.value[k];
    } else {
      for (Index j = 0; j < features.cols; ++j) {
        const double value = features.dense[r * features.cols + j];
        square += value * value;
      }
    }
    host.push_back(static_cast<T>(std::sqrt(square)));
  }
  return Matrix<T>(backend, 1, features.rows, host, Space::nodes);
}

/// A_tiᵀ X as a dense m×d matrix, which is as large as the inducing inputs. `shared`: where ranks have rows
/// of both, which add up.
template <class T>
Matrix<T> inducing_part(Backend<T>& backend, const Csr& a_ti, const Features& features,
                        const OwnGraph* shared = nullptr) {
  const Csr mixing = transpose(a_ti);
  std::vector<double> sum;
  if (features.is_sparse) {
    const Features mixed = mix(mixing, features);
    sum.resize(static_cast<std::size_t>(mixed.rows * mixed.cols));
    for (Index r = 0; r < mixed.rows; ++r) {
      for (Index k = mixed.sparse.row_start[r]; k < mixed.sparse.row_start[r + 1]; ++k)
        sum[r * mixed.cols + mixed.sparse.col[k]] = mixed.sparse.value[k];
    }
  } else {
    sum = mix_dense<double>(mixing, features);
  }
  if (shared != nullptr) shared->add_up(sum);
  return Matrix<T>(backend, mixing.rows, features.cols, std::vector<T>(sum.begin(), sum.end()));
}

}  // namespace

Csr pooling_matrix(const std::vector<std::int32_t>& graph_start, Pooling pooling) {
  Csr out;
  out.rows = static_cast<Index>(graph_start.size()) - 1;
  out.cols = graph_start.back();
  for (std::size_t g = 0; g + 1 < graph_start.size(); ++g) {
    const auto size = static_cast<double>(graph_start[g + 1] - graph_start[g]);
    for (auto node = graph_start[g]; node < graph_start[g + 1]; ++node) {
      out.col.push_back(node);
      out.value.push_back(pooling == Pooling::mean ? 1 / size : 1.0);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

Features mix_by(const Relations& relations, const Features& features) {
  if (relations.count() == 1) return mix(relations.first(), features);
  std::vector<Features> parts;
  for (const Relation& relation : relations.each) parts.push_back(mix(relation.matrix, features));
  return side_by_side(parts);
}

namespace {

/// Uploads P_r X of own nodes, where that is cheaper than to mix in every product; otherwise nothing.
template <class T>
std::optional<DeviceFeatures<T>> upload_mixed_if_cheaper(Backend<T>& backend, const OwnGraph& graph) {
  const Features& own = graph.features();
  if (own.is_sparse) {
    const auto around = graph.sparse_to_mix_if_cheaper();
    if (!around) return std::nullopt;
    return upload_mixed(backend, around->relations, around->features);
  }
  const Index width = graph.relations().count() * own.cols;
  return DeviceFeatures<T>{{},
                           Matrix<T>(backend, own.rows, width, graph.template mix_dense<T>(), Space::nodes)};
}

template <class T>
GraphInputs<T> shared_inputs(Backend<T>& backend, const OwnGraph& graph,
                             const std::vector<std::int32_t>& inducing_nodes, bool mixes_inputs, int degree) {
  GraphInputs<T> out;
  out.nodes = graph.features().rows;
  out.all_nodes = graph.relations().nodes();
  for (const Relation& relation : graph.relations().each) {
    // See make_inputs. All ranks ask, whatever they have found.
    const bool may_be_free = graph.relations().count() > 1 && out.mixing.identity() < 0;
    if (may_be_free && graph.is_identity(relation.matrix)) {
      out.mixing.relations.emplace_back();
    } else {
      out.mixing.relations.emplace_back(backend, graph.distribute(relation.matrix));
    }
  }
  if (!inducing_nodes.empty()) {
    assert(graph.relations().count() == 1);
    std::vector<std::int32_t> rows(static_cast<std::size_t>(out.nodes));
    std::iota(rows.begin(), rows.end(), 0);
    const Csr a_ti = submatrix(graph.relations().first(), rows, inducing_nodes);
    out.mixing.ti = Sparse<T>(backend, a_ti);
    out.mixing.ii = Sparse<T>(backend, graph.between(inducing_nodes));
    out.input.inducing_part = inducing_part(backend, a_ti, graph.features(), &graph);
  }
  std::optional<DeviceFeatures<T>> mixed;
  if (mixes_inputs && degree == 0) mixed = upload_mixed_if_cheaper(backend, graph);
  out.input.mixing = !mixes_inputs ? InputMixing::none : mixed ? InputMixing::before : InputMixing::within;
  (mixed ? *mixed : upload(backend, graph.features())).move_to(out.input);
  if (!mixes_inputs) out.input.norm = row_norms(backend, graph.features());
  return out;
}

}  // namespace

template <class T>
GraphInputs<T> make_inputs(Backend<T>& backend, const Relations& relations, const Features& features,
                           const std::vector<std::int32_t>& inducing_nodes, bool mixes_inputs, int degree,
                           const std::vector<std::int32_t>& owner) {
  if (const NodeRanks shared{&owner, backend.ranks()})
    return shared_inputs(backend, OwnGraph(relations, features, shared), inducing_nodes, mixes_inputs,
                         degree);
  GraphInputs<T> out;
  out.nodes = relations.nodes();
  for (const Relation& relation : relations.each) {
    // One of several relations may be free: see MixRelations. Where no node has edges, others are I as well.
    const bool is_free = relations.count() > 1 && out.mixing.identity() < 0 && is_identity(relation.matrix);
    if (is_free) {
      out.mixing.relations.emplace_back();
    } else {
      out.mixing.relations.emplace_back(backend, relation.matrix);
    }
  }
  if (!inducing_nodes.empty()) {
    assert(relations.count() == 1);
    std::vector<std::int32_t> all(static_cast<std::size_t>(relations.nodes()));
    std::iota(all.begin(), all.end(), 0);
    const Csr a_ti = submatrix(relations.first(), all, inducing_nodes);
    out.mixing.ti = Sparse<T>(backend, a_ti);
    out.mixing.ii = Sparse<T>(backend, submatrix(relations.first(), inducing_nodes, inducing_nodes));
    out.input.inducing_part = inducing_part(backend, a_ti, features);
  }
  if (!mixes_inputs) {
    out.input.mixing = InputMixing::none;
    upload(backend, features).move_to(out.input);
    out.input.norm = row_norms(backend, features);
  } else if (degree == 0 && mixing_first_is_cheaper(relations, features)) {
    out.input.mixing = InputMixing::before;
    upload_mixed(backend, relations, features).move_to(out.input);
  } else {
    out.input.mixing = InputMixing::within;
    upload(backend, features).move_to(out.input);
  }
  return out;
}

template GraphInputs<float> make_inputs(Backend<float>&, const Relations&, const Features&,
                                        const std::vector<std::int32_t>&, bool, int,
                                        const std::vector<std::int32_t>&);
template GraphInputs<double> make_inputs(Backend<double>&, const Relations&, const Features&,
                                         const std::vector<std::int32_t>&, bool, int,
                                         const std::vector<std::int32_t>&);

}  // namespace gdkm
