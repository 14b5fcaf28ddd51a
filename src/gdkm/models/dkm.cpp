#include "gdkm/models/dkm.hpp"

#include <cmath>

#include "gdkm/layers/center.hpp"
#include "gdkm/models/architecture.hpp"
#include "gdkm/models/first_gamma.hpp"

namespace gdkm {

template <class T>
Dkm<T>::Dkm(Backend<T>& backend, const ModelConfig& config, Index features, Index classes)
    : backend_(backend), config_(config), features_(features), classes_(classes), parameters_(backend) {}

template <class T>
std::unique_ptr<Network<T>> Dkm<T>::network(const GraphInputs<T>& inputs, bool training) {
  auto network = std::make_unique<Network<T>>(backend_, inputs, parameters_, config_, classes_, training);
  build(*network, config_.arch);
  if (parameters_.values().empty()) parameters_.allocate();
  return network;
}

template <class T>
void Dkm<T>::declare_parameters() {
  // The shapes do not depend on the graph, so a graph of one node without features is enough.
  Features none;
  none.rows = 1;
  none.cols = features_;
  none.is_sparse = true;
  none.sparse = csr_from_triplets(1, features_, {});
  Relations relations;
  for (Index r = 0; r < config_.relation_count(); ++r)
    relations.each.push_back({"", RelationScaling::sym, csr_from_triplets(1, 1, {{0, 0, 1.0}})});
  const Index sites = config_.scheme == Scheme::intra ? config_.inducing : 0;
  const auto inputs =
      make_inputs<T>(backend_, relations, none, std::vector<std::int32_t>(static_cast<std::size_t>(sites), 0),
                     config_.mixes_inputs(), config_.degree(), {0});
  network(inputs, false);
}

template <class T>
void Dkm<T>::initialise(const InducingPoints& points) {
  inducing_nodes_ = points.nodes;
  backend_.fill(parameters_.values(), T(0));  // L = I, μ = 0, σ = 1
  parameters_.set("X_i", std::vector<T>(points.inputs.begin(), points.inputs.end()));
  auto l_sigma = parameters_.get("readout.L_sigma");
  const auto width = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(l_sigma.size()))));
  for (std::size_t j = 0; j < width; ++j) l_sigma[j * width + j] = static_cast<T>(std::log(0.1));
  parameters_.set("readout.L_sigma", l_sigma);
  if (config_.regression) parameters_.set("readout.log_noise", {static_cast<T>(std::log(0.1))});
  for (const auto& entry : parameters_.entries()) {
    if (entry.name.ends_with(".gamma")) {
      const auto gamma = first_gamma(entry.cols);
      parameters_.set(entry.name, std::vector<T>(gamma.begin(), gamma.end()));
    }
    if (entry.name.ends_with(".log_beta"))
      parameters_.set(entry.name, {static_cast<T>(Center<T>::first_log_beta)});
  }
}

template <class T>
std::vector<std::vector<double>> Dkm<T>::mixing_weights() const {
  std::vector<std::vector<double>> out;
  const Index count = config_.relation_count();
  for (int layer = 1; layer <= config_.layers; ++layer) {
    const std::string name = "mix" + std::to_string(layer);
    if (parameters_.has(name + ".gamma")) {
      const auto gamma = parameters_.get(name + ".gamma");
      out.emplace_back(gamma.begin(), gamma.end());
    } else if (parameters_.has(name + ".w")) {
      const auto raw = parameters_.get(name + ".w");
      std::vector<double> w;
      double sum = 0;
      for (const T each : raw) sum += std::exp(static_cast<double>(each));
      for (const T each : raw) w.push_back(std::exp(static_cast<double>(each)) / sum);
      out.push_back(w);
    } else if (count > 1) {
      out.emplace_back(static_cast<std::size_t>(count), 1 / static_cast<double>(count));
    }
  }
  return out;
}

template class Dkm<float>;
template class Dkm<double>;

}  // namespace gdkm
