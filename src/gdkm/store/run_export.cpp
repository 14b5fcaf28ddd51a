#include "gdkm/store/run_export.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/support/parquet.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::json;
using Kind = ExportTable::Kind;

/// Columns in order of first use; rows without a value get null.
class Rows {
 public:
  void begin_row() {
    for (auto& column : table_.columns) column.values.resize(rows_);
    ++rows_;
  }
  void set(const std::string& name, Kind kind, Json value) {
    auto at = std::find_if(table_.columns.begin(), table_.columns.end(),
                           [&](const auto& column) { return column.name == name; });
    if (at == table_.columns.end()) at = table_.columns.insert(at, {name, kind, {}});
    at->values.resize(rows_);
    at->values.back() = std::move(value);
  }
  ExportTable table() && {
    for (auto& column : table_.columns) column.values.resize(rows_);
    return std::move(table_);
  }

 private:
  ExportTable table_;
  std::size_t rows_ = 0;
};

/// A column has one kind; nu may be a number, "inf" or a list, so it is text.
std::pair<Kind, Json> option_value(const std::string& name, const Json& value) {
  if (name == "nu") return {Kind::text, option_text(value)};
  if (value.is_boolean()) return {Kind::flag, value};
  if (value.is_number_integer()) return {Kind::whole, value};
  if (value.is_number()) return {Kind::real, value};
  return {Kind::text, option_text(value)};
}

void set_metrics(Rows& rows, const std::string& part, const std::optional<Metrics>& metrics) {
  if (!metrics) return;
  if (metrics->r2) {
    rows.set(part + "_r2", Kind::real, *metrics->r2);
    rows.set(part + "_rmse", Kind::real, *metrics->rmse);
  } else {
    rows.set(part + "_accuracy", Kind::real, metrics->accuracy);
    rows.set(part + "_ece", Kind::real, metrics->ece);
  }
  rows.set(part + "_nll", Kind::real, metrics->nll);
  if (metrics->auc) rows.set(part + "_auc", Kind::real, *metrics->auc);
  if (!metrics->confusion) return;
  rows.set(part + "_f1_macro", Kind::real, *metrics->f1_macro());
  rows.set(part + "_f1_weighted", Kind::real, *metrics->f1_weighted());
  rows.set(part + "_balanced_accuracy", Kind::real, *metrics->balanced_accuracy());
}

std::string csv_text(const Json& value) {
  if (value.is_null()) return "";
  return value.is_string() ? csv_field(value) : value.dump();
}

}  // namespace

void ExportTable::add(std::vector<Json> row) {
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const bool none = row[c].is_number_float() && std::isnan(row[c].get<double>());
    columns[c].values.push_back(none ? Json() : std::move(row[c]));
  }
}

ExportTable export_runs(const std::vector<StoredRun>& runs) {
  Rows rows;
  for (const StoredRun& run : runs) {
    const Configuration& c = run.configuration;
    rows.begin_row();
    rows.set("id", Kind::whole, run.id);
    rows.set("hash", Kind::text, run.hash);
    rows.set("status", Kind::text, name_of(run.status));
    rows.set("dataset", Kind::text, c.dataset);
    rows.set("model", Kind::text, c.model);
    rows.set("seed", Kind::whole, c.seed);
    rows.set("split", Kind::whole, c.split);
    for (const auto& [name, value] : c.options.items()) {
      auto [kind, flat] = option_value(name, value);
      // "split" is the index of the run's split; the option says how splits are made.
      rows.set(name == "split" ? "split_spec" : name, kind, std::move(flat));
    }
    if (run.result) {
      rows.set("epochs_done", Kind::whole, run.result->epochs);
      rows.set("best_epoch", Kind::whole, run.result->best_epoch);
      rows.set("seconds", Kind::real, run.result->seconds);
      rows.set("first_loss", Kind::real, run.result->first_loss);
      rows.set("last_loss", Kind::real, run.result->last_loss);
      rows.set("jitter_needed", Kind::real, run.result->jitter);
      set_metrics(rows, "train", run.result->train);
      set_metrics(rows, "val", run.result->val);
      set_metrics(rows, "test", run.result->test);
    }
    if (!run.message.empty()) rows.set("message", Kind::text, run.message);
    if (run.ended > 0) rows.set("ended", Kind::real, run.ended);
    if (!run.environment) continue;
    const Json environment = to_json(*run.environment);
    for (const char* name : {"version", "commit", "machine", "device", "blas"}) {
      if (environment.contains(name)) rows.set(name, Kind::text, environment[name]);
    }
  }
  return std::move(rows).table();
}

ExportTable export_curves(const Store& store, const std::vector<StoredRun>& runs) {
  ExportTable out;
  out.columns = {{"run", Kind::whole}, {"epoch", Kind::whole}, {"loss", Kind::real}, {"val", Kind::real}};
  for (const StoredRun& run : runs) {
    for (const CurvePoint& point : store.curve(run.id))
      out.add({run.id, point.epoch, point.loss, point.val ? Json(*point.val) : Json()});
  }
  return out;
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

std::string to_csv(const ExportTable& table) {
  std::string out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) out += (c > 0 ? "," : "") + table.columns[c].name;
  out += "\n";
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      if (c > 0) out += ",";
      out += csv_text(table.columns[c].values[row]);
    }
    out += "\n";
  }
  return out;
}

std::string to_parquet(const ExportTable& table) {
  ParquetFile out(table.rows());
  for (const auto& column : table.columns) {
    std::vector<char> present, flags;
    std::vector<std::string> texts;
    std::vector<std::int64_t> wholes;
    std::vector<double> reals;
    for (const Json& value : column.values) {
      present.push_back(value.is_null() ? 0 : 1);
      if (value.is_null()) continue;
      if (column.kind == Kind::text) texts.push_back(value);
      if (column.kind == Kind::whole) wholes.push_back(value);
      if (column.kind == Kind::real) reals.push_back(value);
      if (column.kind == Kind::flag) flags.push_back(value.get<bool>() ? 1 : 0);
    }
    if (column.kind == Kind::text) out.add_texts(column.name, texts, present);
    if (column.kind == Kind::whole) out.add_wholes(column.name, wholes, present);
    if (column.kind == Kind::real) out.add_reals(column.name, reals, present);
    if (column.kind == Kind::flag) out.add_flags(column.name, flags, present);
  }
  return std::move(out).bytes();
}

std::string to_json_text(const ExportTable& table) {
  auto out = nlohmann::ordered_json::array();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const auto& column : table.columns) {
      if (!column.values[row].is_null()) object[column.name] = column.values[row];
    }
    out.push_back(std::move(object));
  }
  return out.dump(2) + "\n";
}

}  // namespace gdkm
