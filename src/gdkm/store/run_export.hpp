#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gdkm/store/store.hpp"

namespace gdkm {

/// Runs, or their curves, as one flat table for other programs.
struct ExportTable {
  enum class Kind { text, whole, real, flag };
  struct Column {
    std::string name;
    Kind kind = Kind::text;
    std::vector<nlohmann::json> values;  // null where a row has none
  };
  std::vector<Column> columns;

  std::size_t rows() const { return columns.empty() ? 0 : columns[0].values.size(); }
};

/// A row per run: what it is, each option in a column of its own, and every metric.
ExportTable export_runs(const std::vector<Run>& runs);
/// A row per epoch of every run: run, epoch, loss, val.
ExportTable export_curves(const Store& store, const std::vector<Run>& runs);

/// With a line of titles; texts are quoted where they have to be, and a missing value is empty.
std::string to_csv(const ExportTable& table);
/// A list of objects, without what is missing.
std::string to_json_text(const ExportTable& table);

}  // namespace gdkm
