#pragma once

#include <vector>

#include "gdkm/training/dkm_trainable.hpp"
#include "gdkm/training/gcn_trainable.hpp"
#include "gdkm/training/predictor.hpp"
#include "gdkm/training/schedule.hpp"

namespace gdkm {

/// The models that Trainer trains, one entry for each configuration: its class, the schedule of its learning
/// rate, and how it predicts. Learners, fitted models and model files find them here and know no others.
template <class Config>
struct TrainedModel;

template <>
struct TrainedModel<ModelConfig> {
  template <class T>
  using Type = Dkm<T>;
  static constexpr Schedule schedule = paper_schedule;

  template <class T>
  static std::vector<double> predict(Dkm<T>& model, const Problem& problem, const TrainOptions& options,
                                     double* used_jitter) {
    return gdkm::predict(model, problem, options.seed, used_jitter, options.batches);
  }
};

template <>
struct TrainedModel<GcnConfig> {
  template <class T>
  using Type = Gcn<T>;
  static constexpr Schedule schedule = constant_rate;

  template <class T>
  static std::vector<double> predict(Gcn<T>& model, const Problem& problem, const TrainOptions& options,
                                     double* /*used_jitter*/) {
    return gdkm::predict(model, problem, options.batches);
  }
};

/// Whether a configuration has an entry; exact models have none.
template <class Config>
concept HasTrainedModel = requires {
  TrainedModel<Config>::schedule;
};

}  // namespace gdkm
