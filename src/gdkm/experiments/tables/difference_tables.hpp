#pragma once

#include <string>

#include "gdkm/experiments/tables/paper_tables.hpp"

namespace gdkm {

/// What the GCDKM scores more than other models on the data sets of one task, each with the settings of best
/// validation accuracy.
ResultTable difference_table(const Store& store, const std::string& name, const std::string& task,
                             const TableScope& scope);

/// What the GCDKM scores more with learned kernels than with fixed ones, all else equal.
ResultTable gain_table(const Store& store, const std::string& name, const std::string& task,
                       const TableScope& scope);

}  // namespace gdkm
