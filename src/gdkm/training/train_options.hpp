#pragma once

#include <cstdint>

#include "gdkm/models/inducing_points.hpp"
#include "gdkm/training/batches.hpp"
#include "gdkm/training/schedule.hpp"

namespace gdkm {

/// How any model is trained.
struct TrainOptions {
  int epochs = 300;
  double rate = 1e-2;  // the peak of the schedule
  Schedule schedule = paper_schedule;
  int patience = 100;  // stop after so many epochs without a better validation score; 0: never. Of models
                       // that keep their best epoch.
  std::uint64_t seed = 0;
  Init init = Init::kmeans;  // of inducing points
  BatchOptions batches;
};

}  // namespace gdkm
