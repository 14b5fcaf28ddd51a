#pragma once

/// \file
/// gdkm as a library: fit a model, predict with it, look into it, keep it.
///
///     gdkm::Dataset graph = …;                       // dataset/dataset.hpp; gdkm::load() of
///     gdkm/data/load.hpp reads one gdkm::Settings settings;                       // settings/settings.hpp;
///     what each means: settings/option_table.cpp settings.config.nu = {0.1}; gdkm::FittedModel model =
///     gdkm::fit(graph, split, settings); gdkm::Predictions p = model.predict(graph);    //
///     fitting/predictions.hpp model.save("model.safetensors");
///
/// Each header below is one noun; this one only lists them.

#include "gdkm/dataset/dataset.hpp"  // Dataset, Split: a graph or many, with features, labels and splits
#include "gdkm/fitting/choose_splits.hpp"  // the splits that settings name
#include "gdkm/fitting/fit.hpp"            // fit(): trains one model on one split
#include "gdkm/fitting/fitted_model.hpp"   // FittedModel: predict, features, kernel, save, load, card
#include "gdkm/fitting/study.hpp"          // run_study(): seeds × splits, with checkpoints
#include "gdkm/settings/option.hpp"        // the table of options: names, ranges, help, effects
#include "gdkm/settings/settings.hpp"      // Settings: what a training is told
#include "gdkm/support/error.hpp"          // InputError, OptionError, NumericalError
#include "gdkm/training/metrics.hpp"       // accuracy, NLL, calibration
