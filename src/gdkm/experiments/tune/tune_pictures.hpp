#pragma once

#include <string>
#include <vector>

#include "gdkm/experiments/tune/tune_summary.hpp"

namespace gdkm {

/// One bar per option and value, from no effect to its mean effect, with two standard errors; as an element
/// of a page. A sentence if nothing was compared.
std::string effect_chart(const std::vector<OptionEffect>& effects, Select metric, bool regression);

/// Accuracy against confidence on the test items of all these runs together, with a sentence about it.
std::string reliability_figure(const ContenderRuns& runs);

}  // namespace gdkm
