#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/data/formats/csv/csv_file.hpp"
#include "gdkm/data/formats/shared/node_index.hpp"
#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

/// Reads "id, part, part, …". Every column after the first is a split; its fields are train, val (valid,
/// validation), test, or empty for a node outside the split. A column named SET:K belongs to the split set
/// SET, any other to "public".
std::map<std::string, std::vector<Split>> read_csv_splits(const CsvFile& file, const NodeIndex& nodes,
                                                          const std::vector<std::int32_t>& label,
                                                          ThreadPool& pool);

}  // namespace gdkm
