#include "gdkm/models/exact/full_rank_adam.hpp"

#include <cmath>
#include <string>

#include "gdkm/support/error.hpp"

namespace gdkm {

FullRankAdam::FullRankAdam(FullRankDkm& dkm, GramTop& top)
    : dkm_(dkm), top_(top), moments_(static_cast<std::size_t>(dkm.model().layers()) + 1) {
  for (std::size_t k = 0; k < moments_.size(); ++k) {
    moments_[k].first.resize(parameters(k).size());
    moments_[k].second.resize(parameters(k).size());
  }
}

std::span<double> FullRankAdam::parameters(std::size_t k) const {
  return k + 1 < moments_.size() ? std::span<double>(dkm_.parameters(static_cast<int>(k)).value)
                                 : top_.parameters();
}

std::span<const double> FullRankAdam::gradient(std::size_t k) const {
  return k + 1 < moments_.size() ? std::span<const double>(dkm_.gradient(static_cast<int>(k)).value)
                                 : top_.gradient();
}

FullRankValue FullRankAdam::step(double rate) {
  const FullRankValue value = dkm_.evaluate(top_, true);
  if (!std::isfinite(value.objective)) {
    throw NumericalError("the full-rank objective is not finite at step " + std::to_string(count_) +
                         "; lower the learning rate, or raise the jitter");
  }
  const AdamStep adam{.rate = rate, .count = ++count_};
  const auto count = static_cast<double>(count_);
  const double correction = std::sqrt(1 - std::pow(adam.beta2, count));
  const double scaled_rate = rate * correction / (1 - std::pow(adam.beta1, count));
  const double epsilon = adam.epsilon * correction;
  for (std::size_t k = 0; k < moments_.size(); ++k) {
    auto& [first, second] = moments_[k];
    const auto g = gradient(k);
    const auto parameter = parameters(k);
    for (std::size_t j = 0; j < parameter.size(); ++j) {
      first[j] += (1 - adam.beta1) * (g[j] - first[j]);
      second[j] += (1 - adam.beta2) * (g[j] * g[j] - second[j]);
      parameter[j] += scaled_rate * first[j] / (std::sqrt(second[j]) + epsilon);
    }
  }
  return value;
}

TensorFile FullRankAdam::save() const {
  TensorFile out;
  const auto add = [&](const std::string& name, std::span<const double> values) {
    out.tensors[name] = Tensor::make<double>({static_cast<std::int64_t>(values.size())}, values);
  };
  for (std::size_t k = 0; k < moments_.size(); ++k) {
    const std::string number = std::to_string(k);
    add("parameter." + number, parameters(k));
    add("first." + number, moments_[k].first);
    add("second." + number, moments_[k].second);
  }
  const auto count = static_cast<double>(count_);
  add("count", std::span(&count, 1));
  return out;
}

void FullRankAdam::restore(const TensorFile& state, const std::filesystem::path& path) {
  const auto get = [&](const std::string& name, std::size_t size) {
    const auto at = state.tensors.find(name);
    if (at == state.tensors.end() || static_cast<std::size_t>(at->second.size()) != size) {
      throw InputError(path.string() + ": '" + name +
                       "' is missing or has another size; the checkpoint is damaged");
    }
    return at->second.as<double>();
  };
  for (std::size_t k = 0; k < moments_.size(); ++k) {
    const std::string number = std::to_string(k);
    const auto to = parameters(k);
    const auto from = get("parameter." + number, to.size());
    std::copy(from.begin(), from.end(), to.begin());
    moments_[k].first = get("first." + number, to.size());
    moments_[k].second = get("second." + number, to.size());
  }
  count_ = std::llround(get("count", 1)[0]);
}

}  // namespace gdkm
