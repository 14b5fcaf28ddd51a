#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gdkm/store/store.hpp"

namespace gdkm {

/// Runs or their learning curves as a flat table for other programs.
struct ExportTable {
  enum class Kind { text, whole, real, flag };
  struct Column {
    std::string name;
    Kind kind = Kind::text;                   // matters to Parquet alone
    std::vector<nlohmann::json> values = {};  // null if a row has none
  };
  std::vector<Column> columns;

  std::size_t rows() const { return columns.empty() ? 0 : columns[0].values.size(); }
  /// Adds a row: one value per column; NaN counts as none.
  void add(std::vector<nlohmann::json> row);
};

/// One row per run, with its configuration (a column per option) and all metrics.
ExportTable export_runs(const std::vector<StoredRun>& runs);
/// One row per epoch of every run: run, epoch, loss, val.
ExportTable export_curves(const Store& store, const std::vector<StoredRun>& runs);

/// A field of CSV: quoted where necessary.
std::string csv_field(const std::string& text);
/// With a header line; a missing value is empty.
std::string to_csv(const ExportTable& table);
/// A list of objects, without missing values.
std::string to_json_text(const ExportTable& table);
/// The same as a Parquet file.
std::string to_parquet(const ExportTable& table);

}  // namespace gdkm
