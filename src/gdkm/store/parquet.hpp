#pragma once

#include <string>

#include "gdkm/store/run_export.hpp"

namespace gdkm {

/// The table as a Parquet file: one row group, one page per column, plain and uncompressed; every column may
/// have nulls. What readers need and no more.
std::string to_parquet(const ExportTable& table);

}  // namespace gdkm
