#include "gdkm/training/predictor.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/support/error.hpp"

namespace gdkm {

template <class T>
std::vector<double> predict(Dkm<T>& model, const Problem& problem, std::uint64_t seed, double* used_jitter) {
  Backend<T>& backend = model.backend();
  const auto inputs = make_inputs<T>(backend, problem.mixing, problem.features, model.inducing_nodes());
  const auto network = model.network(inputs, false);
  const Index n = network->nodes(), classes = model.classes();
  const Matrix<T> mean(backend, n, classes), deviation(backend, 1, n), probabilities(backend, n, classes);
  const Matrix<T> noise(backend, prediction_samples, classes);
  backend.normals(Stream{seed, Purpose::prediction, 0}, noise);
  network->forward();
  network->factorisations().check();
  if (used_jitter != nullptr) *used_jitter = network->factorisations().jitter;
  network->output().marginals(0, mean, deviation);
  backend.mean_softmax(mean, deviation, noise, probabilities);
  const auto host = probabilities.to_host();
  if (!std::all_of(host.begin(), host.end(), [](T p) { return std::isfinite(p); })) {
    throw NumericalError("a predicted probability is not finite; try --precision float64 or a smaller --lr");
  }
  return {host.begin(), host.end()};
}

template <class T>
NodeFeatures last_features(Dkm<T>& model, const Problem& problem) {
  const auto inputs =
      make_inputs<T>(model.backend(), problem.mixing, problem.features, model.inducing_nodes());
  const auto network = model.network(inputs, false);
  network->forward();
  network->factorisations().check();
  const View<T> f = network->features().f_t();
  std::vector<T> host(static_cast<std::size_t>(f.size()));
  model.backend().download(f.data, host.data(), host.size() * sizeof(T));
  return {f.cols, {host.begin(), host.end()}};
}

template std::vector<double> predict(Dkm<float>&, const Problem&, std::uint64_t, double*);
template std::vector<double> predict(Dkm<double>&, const Problem&, std::uint64_t, double*);
template NodeFeatures last_features(Dkm<float>&, const Problem&);
template NodeFeatures last_features(Dkm<double>&, const Problem&);

}  // namespace gdkm
