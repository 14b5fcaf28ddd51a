#include "gdkm/models/gcn/gcn_batch.hpp"

#include <algorithm>
#include <numeric>

#include "gdkm/graph/graph.hpp"
#include "gdkm/models/graph_inputs.hpp"

namespace gdkm {

namespace {

std::vector<std::int32_t> numbers_up_to(std::size_t count) {
  std::vector<std::int32_t> out(count);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

/// Items that have a class.
std::vector<std::int32_t> labelled(const std::vector<std::int32_t>& items,
                                   const std::vector<std::int32_t>& label) {
  std::vector<std::int32_t> out;
  for (const auto item : items) {
    if (label[static_cast<std::size_t>(item)] >= 0) out.push_back(item);
  }
  return out;
}

template <class T>
Labels upload_labels(Backend<T>& backend, const std::vector<std::int32_t>& rows,
                     const std::vector<std::int32_t>& label, const std::vector<std::int32_t>& items) {
  std::vector<std::int32_t> chosen;
  for (const auto item : items) chosen.push_back(label[static_cast<std::size_t>(item)]);
  return {Buffer<std::int32_t>(backend, rows), Buffer<std::int32_t>(backend, chosen)};
}

}  // namespace

template <class T>
GcnBatch<T> node_batch(Backend<T>& backend, const GcnConfig& config, const Csr& mixing,
                       const Features& features, const std::vector<std::int32_t>& label,
                       const std::vector<std::int32_t>& items, bool whole) {
  const auto nodes = labelled(items, label);
  if (whole || config.batch_norm) {
    return {make_gcn_inputs<T>(backend, config, mixing, features),
            upload_labels(backend, nodes, label, nodes)};
  }
  const auto near = neighbourhood(mixing, nodes, config.layers);
  std::vector<std::int32_t> places;
  for (const auto node : nodes) {
    places.push_back(
        static_cast<std::int32_t>(std::lower_bound(near.begin(), near.end(), node) - near.begin()));
  }
  const Csr outputs = selection(places, static_cast<Index>(near.size()));
  return {make_gcn_inputs<T>(backend, config, submatrix(mixing, near, near), select_rows(features, near),
                             &outputs),
          upload_labels(backend, numbers_up_to(nodes.size()), label, nodes)};
}

template <class T>
GcnBatch<T> graph_batch(Backend<T>& backend, const GcnConfig& config, const Csr& mixing,
                        const Features& features, const std::vector<std::int32_t>& start,
                        const std::vector<std::int32_t>& label, const std::vector<std::int32_t>& items) {
  const auto graphs = labelled(items, label);
  std::vector<std::int32_t> nodes, starts{0};
  for (const auto graph : graphs) {
    const auto g = static_cast<std::size_t>(graph);
    for (auto node = start[g]; node < start[g + 1]; ++node) nodes.push_back(node);
    starts.push_back(static_cast<std::int32_t>(nodes.size()));
  }
  const Csr outputs = pooling_matrix(starts, config.pooling);
  return {make_gcn_inputs<T>(backend, config, submatrix(mixing, nodes, nodes), select_rows(features, nodes),
                             &outputs),
          upload_labels(backend, numbers_up_to(graphs.size()), label, graphs)};
}

template GcnBatch<float> node_batch(Backend<float>&, const GcnConfig&, const Csr&, const Features&,
                                    const std::vector<std::int32_t>&, const std::vector<std::int32_t>&, bool);
template GcnBatch<double> node_batch(Backend<double>&, const GcnConfig&, const Csr&, const Features&,
                                     const std::vector<std::int32_t>&, const std::vector<std::int32_t>&,
                                     bool);
template GcnBatch<float> graph_batch(Backend<float>&, const GcnConfig&, const Csr&, const Features&,
                                     const std::vector<std::int32_t>&, const std::vector<std::int32_t>&,
                                     const std::vector<std::int32_t>&);
template GcnBatch<double> graph_batch(Backend<double>&, const GcnConfig&, const Csr&, const Features&,
                                      const std::vector<std::int32_t>&, const std::vector<std::int32_t>&,
                                      const std::vector<std::int32_t>&);

}  // namespace gdkm
