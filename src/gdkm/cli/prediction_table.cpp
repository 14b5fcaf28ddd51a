#include "gdkm/cli/prediction_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/store/run_export.hpp"

namespace gdkm::cli {

namespace {

/// A field of CSV: the name of number k, or `otherwise` where there are no names.
std::string field(const std::vector<std::string>& names, Index k, const std::string& otherwise) {
  return names.empty() ? otherwise : csv_field(names[static_cast<std::size_t>(k)]);
}

/// The name of a column of output c: with its number where there are several.
std::string numbered(const std::string& name, const Predictions& predictions, Index c) {
  return predictions.outputs == 1 ? "," + name : fmt::format(",{}{}", name, c);
}

std::string titles(const PredictionTable& table) {
  const Predictions& predictions = table.predictions;
  std::string out = predictions.regression ? "id" : "id,class";
  for (Index c = 0; c < predictions.outputs; ++c) {
    if (predictions.regression) {
      out += numbered("mean", predictions, c) + numbered("deviation", predictions, c);
    } else {
      out += "," + field(table.class_names, c, fmt::format("p{}", c));
    }
  }
  if (table.sets && !predictions.regression) out += ",set";
  for (Index c = 0; table.sets && predictions.regression && c < predictions.outputs; ++c)
    out += numbered("lower", predictions, c) + numbered("upper", predictions, c);
  for (int k = 1; table.nearest && k <= table.nearest->count; ++k)
    out += fmt::format(",near{0},near{0}_label,near{0}_similarity", k);
  return out + "\n";
}

/// The classes of an item's set, with | between them.
std::string set_text(const PredictionTable& table, Index item) {
  std::string out;
  for (Index c = 0; c < table.predictions.outputs; ++c) {
    if (table.sets->member[static_cast<std::size_t>(item * table.predictions.outputs + c)] == 0) continue;
    const auto k = static_cast<std::size_t>(c);
    out += (out.empty() ? "" : "|") + (table.class_names.empty() ? std::to_string(c) : table.class_names[k]);
  }
  return csv_field(out);
}

/// The class, or the numbers, of a training item.
std::string label_text(const PredictionTable& table, std::int32_t item) {
  const NearestItems& nearest = *table.nearest;
  const auto at = static_cast<std::size_t>(item),
             outputs = static_cast<std::size_t>(table.predictions.outputs);
  if (!table.predictions.regression) {
    const std::int32_t label = at < nearest.label.size() ? nearest.label[at] : -1;
    return label < 0 ? "" : field(table.class_names, label, std::to_string(label));
  }
  std::string out;
  for (std::size_t c = 0; c < outputs && (at + 1) * outputs <= nearest.target.size(); ++c)
    out += (c == 0 ? "" : "|") + fmt::format("{:.9g}", nearest.target[at * outputs + c]);
  return out;
}

}  // namespace

std::string PredictionTable::csv() const {
  std::string out = titles(*this);
  for (Index r = 0; r < predictions.items; ++r) {
    out += field(predictions.names, r, std::to_string(r));
    if (!predictions.regression) {
      const Index best = predictions.predicted_class(r);
      out += "," + field(class_names, best, std::to_string(best));
    }
    for (Index c = 0; c < predictions.outputs; ++c) {
      out += predictions.regression
                 ? fmt::format(",{:.9g},{:.9g}", predictions.mean(r, c), predictions.deviation(r, c))
                 : fmt::format(",{:.9g}", predictions.row(r)[c]);
    }
    if (sets && !predictions.regression) out += "," + set_text(*this, r);
    for (Index c = 0; sets && predictions.regression && c < predictions.outputs; ++c) {
      const auto at = static_cast<std::size_t>(r * predictions.outputs + c);
      out += fmt::format(",{:.9g},{:.9g}", sets->lower[at], sets->upper[at]);
    }
    for (int k = 0; nearest && k < nearest->count; ++k) {
      const auto at = static_cast<std::size_t>(r * nearest->count + k);
      const std::int32_t item = nearest->item[at];
      out += fmt::format(",{},{},{:.6g}", field(nearest->names, item, std::to_string(item)),
                         label_text(*this, item), nearest->similarity[at]);
    }
    out += '\n';
  }
  return out;
}

void PredictionTable::write_npz(const std::filesystem::path& path) const {
  NpzWriter writer;
  const std::vector<std::int64_t> shape{predictions.items, predictions.outputs};
  if (!predictions.names.empty()) writer.add_strings("names", predictions.names);
  if (predictions.regression) {
    std::vector<double> mean, deviation;
    for (Index r = 0; r < predictions.items; ++r) {
      const double* row = predictions.row(r);
      mean.insert(mean.end(), row, row + predictions.outputs);
      deviation.insert(deviation.end(), row + predictions.outputs, row + 2 * predictions.outputs);
    }
    writer.add("mean", shape, mean);
    writer.add("deviation", shape, deviation);
    if (sets) {
      writer.add("lower", shape, sets->lower);
      writer.add("upper", shape, sets->upper);
    }
  } else {
    std::vector<std::int64_t> predicted;
    for (Index r = 0; r < predictions.items; ++r) predicted.push_back(predictions.predicted_class(r));
    writer.add("class", {predictions.items}, predicted);
    writer.add("probabilities", shape, predictions.values);
    if (sets)
      writer.add_bools("set", shape, std::vector<std::uint8_t>(sets->member.begin(), sets->member.end()));
  }
  if (nearest) {
    writer.add("nearest", {predictions.items, nearest->count}, nearest->item);
    writer.add("similarity", {predictions.items, nearest->count}, nearest->similarity);
  }
  writer.write(path);
}

}  // namespace gdkm::cli
