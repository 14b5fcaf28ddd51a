#pragma once

#include <string>

#include "gdkm/store/run_export.hpp"

namespace gdkm {

/// The table as a minimal Parquet file: one row group, one page per column, plain encoding, uncompressed.
/// Every column may have nulls.
std::string to_parquet(const ExportTable& table);

}  // namespace gdkm
