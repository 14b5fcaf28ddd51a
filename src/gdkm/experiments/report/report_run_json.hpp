#pragma once

#include <nlohmann/json.hpp>

#include "gdkm/experiments/kernel_picture.hpp"
#include "gdkm/experiments/report/report_results.hpp"

namespace gdkm {

/// Rounded, so that the page stays small; null if it is not finite.
nlohmann::ordered_json rounded(double value, int decimals = 4);

/// {"columns": {"id": […], "dataset": […], …}, "options": {"nu": […], …}, "same": {"lr": "0.01", …}}: one
/// value per run, the options that differ between runs, and those that are the same in all.
nlohmann::ordered_json runs_json(const ReportRuns& runs);

/// {"17": [[epochs], [losses], [epochs with a validation score], [scores]], …} of finished runs.
nlohmann::ordered_json learning_curves_json(const ReportRuns& runs, const Store& store);

/// {"17": {"val": [[count, confidence, accuracy], …], "test": …}, …}, a triple per bin, 0 for an empty bin.
nlohmann::ordered_json reliability_json(const ReportRuns& runs);

/// The upper triangle of a kernel, row by row with the diagonal: a byte from 0 (−1) to 200 (+1) per entry, as
/// base64.
std::string half_picture(const KernelPicture& picture);

}  // namespace gdkm
