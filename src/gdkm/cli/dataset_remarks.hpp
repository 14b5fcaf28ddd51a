#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/dataset/summary.hpp"

namespace gdkm::cli {

/// Prints the properties of a data set, one per line.
void print_summary(const DatasetSummary& summary);

/// What its reader left out or assumed, and properties of a data set that are legal but may be mistakes, one
/// per line: duplicate edges, self-loops, isolated nodes, nodes without features or class, tiny classes.
std::vector<std::string> dataset_remarks(const Dataset& dataset, const DatasetSummary& summary);

}  // namespace gdkm::cli
