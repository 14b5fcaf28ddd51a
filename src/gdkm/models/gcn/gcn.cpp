#include "gdkm/models/gcn/gcn.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/support/error.hpp"

namespace gdkm {

template <class T>
Gcn<T>::Gcn(Backend<T>& backend, const GcnConfig& config, Index features, Index classes)
    : backend_(backend),
      config_(config),
      features_(features),
      classes_(classes),
      parameters_(backend),
      statistics_(backend) {
  // Shapes do not depend on the graph: a network on one node without features declares them.
  Features none;
  none.rows = 1;
  none.cols = features;
  none.is_sparse = true;
  none.sparse = csr_from_triplets(1, features, {});
  Relations relations;
  for (Index r = 0; r < config.relations; ++r)
    relations.each.push_back({"", RelationScaling::sym, csr_from_triplets(1, 1, {{0, 0, 1.0}})});
  network(make_gcn_inputs<T>(backend, config, relations, none), false);
  parameters_.allocate();
  statistics_.allocate();
  initialise(0);
}

template <class T>
std::unique_ptr<GcnNetwork<T>> Gcn<T>::network(const GcnInputs<T>& inputs, bool training) {
  return std::make_unique<GcnNetwork<T>>(backend_, inputs, config_, parameters_, statistics_, classes_,
                                         training);
}

template <class T>
void Gcn<T>::initialise(std::uint64_t seed) {
  Random random(Stream{seed, Purpose::initial, 0});
  for (const auto& entry : parameters_.entries()) {
    std::vector<T> value(static_cast<std::size_t>(entry.rows * entry.cols), T(0));
    if (is_weight(entry.name)) {
      const double bound = std::sqrt(6.0 / static_cast<double>(entry.rows + entry.cols));
      for (T& v : value) v = static_cast<T>(bound * (2 * random.uniform() - 1));
    }
    parameters_.set(entry.name, value);
  }
  for (const auto& entry : statistics_.entries()) {
    const T start = entry.name.ends_with(".variance") ? T(1) : T(0);
    statistics_.set(entry.name, std::vector<T>(static_cast<std::size_t>(entry.cols), start));
  }
}

template <class T>
void Gcn<T>::add_weight_decay() {
  if (config_.weight_decay == 0) return;
  for (int id = 0; id < static_cast<int>(parameters_.entries().size()); ++id) {
    const std::string& name = parameters_.entries()[static_cast<std::size_t>(id)].name;
    if (!is_weight(name) || name == "output.W") continue;
    backend_.add(static_cast<T>(config_.weight_decay), parameters_.value(id), T(1), parameters_.gradient(id));
  }
}

template <class T>
std::vector<double> class_probabilities(Gcn<T>& model, const GcnInputs<T>& inputs) {
  Backend<T>& backend = model.backend();
  const auto network = model.network(inputs, false);
  network->predict();
  // A softmax is the mean over one sample without noise.
  const Matrix<T> none(backend, 1, std::max(inputs.outputs, model.classes()));
  const Matrix<T> probabilities(backend, inputs.outputs, model.classes());
  backend.mean_softmax(network->logits(), none.view().block_cols(0, inputs.outputs),
                       none.view().block_cols(0, model.classes()), probabilities);
  const auto host = probabilities.to_host();
  if (!std::all_of(host.begin(), host.end(), [](T p) { return std::isfinite(p); })) {
    throw NumericalError("a predicted probability is not finite; try " + option("precision", "float64") +
                         " or a smaller " + option("lr"));
  }
  return {host.begin(), host.end()};
}

template class Gcn<float>;
template class Gcn<double>;
template std::vector<double> class_probabilities(Gcn<float>&, const GcnInputs<float>&);
template std::vector<double> class_probabilities(Gcn<double>&, const GcnInputs<double>&);

}  // namespace gdkm
