#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/data/formats/assembly/node_index.hpp"
#include "gdkm/data/formats/csv/csv.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Reads "id, part, part, …": every column beyond the first is a split, and its fields are train, val (valid,
/// validation) or test, or empty for a node that is in none. A column named SET:K belongs to the set of
/// splits SET, any other to "public".
std::map<std::string, std::vector<Split>> read_csv_splits(const CsvFile& file, const NodeIndex& nodes,
                                                          const std::vector<std::int32_t>& label,
                                                          ThreadPool& pool);

}  // namespace gdkm
