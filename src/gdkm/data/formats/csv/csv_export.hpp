#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// A data set as CSV: file names and contents. edges.csv (source, target, possibly weight), features.csv (id
/// and one column per feature; sparse ones as node, feature, value), labels.csv (id, class: all nodes),
/// splits.csv where there are splits, and classes.csv where the numbers of the classes do not follow from
/// labels.csv. read_csv_graph makes the same data set of it; only whether edges are directed is not said.
std::vector<std::pair<std::string, std::string>> csv_files(const Dataset& dataset);

}  // namespace gdkm
