#include "gdkm/models/gcn/gcn_inputs.hpp"

#include <cassert>

#include "gdkm/models/graph_inputs.hpp"
#include "gdkm/models/upload_features.hpp"

namespace gdkm {

template <class T>
GcnInputs<T> make_gcn_inputs(Backend<T>& backend, const GcnConfig& config, const Relations& relations,
                             const Features& features, const Csr* outputs) {
  const Index nodes = relations.nodes();
  assert(nodes == features.rows && (outputs == nullptr || outputs->cols == nodes));
  assert(relations.count() == config.relations);
  GcnInputs<T> out;
  out.nodes = nodes;
  out.outputs = outputs == nullptr ? nodes : outputs->rows;
  for (const Relation& relation : relations.each) {
    const bool is_self = relations.count() > 1 && is_identity(relation.matrix);
    out.mixing.relations.push_back(is_self ? Sparse<T>() : Sparse<T>(backend, relation.matrix));
  }
  const auto selected = [&] { return outputs == nullptr ? Sparse<T>() : Sparse<T>(backend, *outputs); };
  if (config.arch == Architecture::platonov) {
    upload(backend, features).move_to(out);
    out.readout.push_back(selected());
    return out;
  }
  // The last convolution and the choice of outputs are one sparse matrix; with one layer it meets X.
  out.mix_after = !mixing_first_is_cheaper(relations, features);
  (out.mix_after ? upload(backend, features) : upload_mixed(backend, relations, features)).move_to(out);
  if (config.layers == 1) {
    out.readout.push_back(selected());
    return out;
  }
  for (Index r = 0; r < relations.count(); ++r) {
    const Csr& matrix = relations.each[static_cast<std::size_t>(r)].matrix;
    if (outputs == nullptr) {
      out.readout.push_back(out.mixing.relation(r));
    } else {
      out.readout.push_back(out.mixing.is_identity(r) ? selected()
                                                      : Sparse<T>(backend, multiply(*outputs, matrix)));
    }
  }
  return out;
}

Csr selection(const std::vector<std::int32_t>& rows, Index nodes) {
  Csr out;
  out.rows = static_cast<Index>(rows.size());
  out.cols = nodes;
  for (const auto node : rows) {
    out.col.push_back(node);
    out.value.push_back(1);
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

template GcnInputs<float> make_gcn_inputs(Backend<float>&, const GcnConfig&, const Relations&,
                                          const Features&, const Csr*);
template GcnInputs<double> make_gcn_inputs(Backend<double>&, const GcnConfig&, const Relations&,
                                           const Features&, const Csr*);

}  // namespace gdkm
