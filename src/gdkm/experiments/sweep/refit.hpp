#pragma once

#include "gdkm/experiments/sweep/run_execution.hpp"
#include "gdkm/fitting/fitted_model.hpp"

namespace gdkm {

/// Trains the model of a run once more, and keeps it: stores hold scores, not models. With the threads of the
/// run it is the same model. `options.interrupted` ends training early: nothing is returned then.
std::optional<FittedModel> refit(const Configuration& configuration, const Dataset& dataset,
                                 const ExecutionOptions& options);

/// Trains on the validation items, too, for as many epochs as the model of `tuned` has seen, at a constant
/// rate: nothing is left to stop or calibrate by. The calibration is that of `tuned`, which is the run of the
/// same configuration on the training items alone. An InputError if the model must choose something on
/// validation items.
std::optional<FittedModel> refit_on_all(const Configuration& configuration, const RunResult& tuned,
                                        const Dataset& dataset, const ExecutionOptions& options);

}  // namespace gdkm
