#pragma once

/// \file
/// gdkm as a library: fit a model, predict with it, look into it, keep it. This header only lists the others;
/// the shortest program that uses them is examples/ten_lines.cpp.

#include "gdkm/dataset/dataset.hpp"        // Dataset, Split: graphs with features, labels and splits
#include "gdkm/fitting/choose_splits.hpp"  // the splits that settings name
#include "gdkm/fitting/fit.hpp"            // fit(): trains one model on one split
#include "gdkm/fitting/fitted_model.hpp"   // FittedModel: predict, features, kernel, save, load, card
#include "gdkm/fitting/study.hpp"          // run_study(): seeds × splits, with checkpoints
#include "gdkm/settings/option.hpp"        // the table of options: names, ranges, help, effects
#include "gdkm/settings/settings.hpp"      // Settings: what a training is told
#include "gdkm/support/error.hpp"          // InputError, OptionError, NumericalError
#include "gdkm/training/metrics.hpp"       // accuracy, NLL, calibration
