#pragma once

#include <string>

#include "gdkm/training/metrics.hpp"

namespace gdkm {

/// ν as people write it: "∞", "10", "0.1".
std::string nu_name(double nu);
/// "NNGP (ν = ∞)" or "DKM (ν = 0.1)".
std::string model_name(double nu);
/// ν as the command line and JSON spell it: "inf", "0.1".
std::string nu_option(double nu);

/// "0.82", "−0.08" with a minus sign, which is as wide as a digit, and "0.00" without a sign.
std::string number_text(double value, int decimals);
/// "5,278", "0.81": with a separator of thousands.
std::string grouped_digits(double value, int decimals = 0, std::string_view separator = ",");

/// Scores as tables write them: accuracies in percent, and R² where numbers are predicted.
std::string score_text(double value, bool regression);
/// The mean, with the standard deviation where there is more than one; - where there is none.
std::string score_text(const Summary& summary, bool regression);
std::string mean_text(const Summary& summary, int decimals);
/// "1.50 ± 0.30" of a mean and half of its interval; the mean alone where `half` is NaN.
std::string interval_text(double mean, double half, int decimals);
/// The title of a column of `part`'s scores ("val"), of data with classes, with numbers, or with both.
std::string score_title(const std::string& part, bool classes, bool numbers);

}  // namespace gdkm
