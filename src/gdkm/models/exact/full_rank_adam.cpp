#include "gdkm/models/exact/full_rank_adam.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
/// A copy as one row on the host.
Dense as_row(std::span<const double> values) {
  return {1, static_cast<Index>(values.size()), std::vector<double>(values.begin(), values.end())};
}
}  // namespace

FullRankAdam::FullRankAdam(FullRankDkm& dkm, GramTop& top) : dkm_(dkm), top_(top) {
  const auto zeros_like = [](const Dense& a) { return Dense(a.rows, a.cols, a.device()); };
  for (int k = 0; k < layers(); ++k) {
    const Dense& parameters = dkm.parameters(k);
    moments_.push_back({zeros_like(parameters), zeros_like(parameters)});
  }
  const auto size = static_cast<Index>(top.parameters().size());
  top_moments_ = {Dense(1, size), Dense(1, size)};
}

FullRankValue FullRankAdam::step(double rate) {
  const FullRankValue value = dkm_.evaluate(top_, true);
  if (!std::isfinite(value.objective)) {
    throw NumericalError("the full-rank objective is not finite at step " + std::to_string(count_) +
                         "; lower the learning rate, or raise the jitter");
  }
  const AdamStep adam{.rate = rate, .count = ++count_};
  for (int k = 0; k < layers(); ++k) {
    auto& [first, second] = moments_[static_cast<std::size_t>(k)];
    adam_ascent(adam, dkm_.gradient(k), first, second, dkm_.parameters(k));
  }
  const std::span<double> parameters = top_.parameters();
  Dense of_top = as_row(parameters);
  adam_ascent(adam, as_row(top_.gradient()), top_moments_.first, top_moments_.second, of_top);
  std::copy(of_top.value.begin(), of_top.value.end(), parameters.begin());
  return value;
}

TensorFile FullRankAdam::save() const {
  TensorFile out;
  const auto add = [&](const std::string& name, std::span<const double> values) {
    out.tensors[name] = Tensor::make<double>({static_cast<std::int64_t>(values.size())}, values);
  };
  const auto add_all = [&](int k, const Dense& parameters, const Moments& moments) {
    const std::string number = std::to_string(k);
    add("parameter." + number, to_host(parameters).value);
    add("first." + number, to_host(moments.first).value);
    add("second." + number, to_host(moments.second).value);
  };
  for (int k = 0; k < layers(); ++k) add_all(k, dkm_.parameters(k), moments_[static_cast<std::size_t>(k)]);
  add_all(layers(), as_row(top_.parameters()), top_moments_);
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
  const auto set_all = [&](int k, Dense& parameters, Moments& moments) {
    const auto set = [&](const std::string& name, Dense& to) {
      const auto size = static_cast<std::size_t>(to.rows * to.cols);
      to = beside(to, Dense(to.rows, to.cols, get(name + std::to_string(k), size)));
    };
    set("parameter.", parameters);
    set("first.", moments.first);
    set("second.", moments.second);
  };
  for (int k = 0; k < layers(); ++k) set_all(k, dkm_.parameters(k), moments_[static_cast<std::size_t>(k)]);
  Dense of_top = as_row(top_.parameters());
  set_all(layers(), of_top, top_moments_);
  std::copy(of_top.value.begin(), of_top.value.end(), top_.parameters().begin());
  count_ = std::llround(get("count", 1)[0]);
}

}  // namespace gdkm
