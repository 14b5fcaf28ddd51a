#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>

#include "gdkm/cli/command.hpp"
#include "gdkm/cli/options.hpp"
#include "gdkm/data/files/npz_writer.hpp"
#include "gdkm/data/load.hpp"
#include "gdkm/fitting/fitted_model.hpp"
#include "gdkm/store/run_export.hpp"
#include "gdkm/support/atomic_file.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/parquet.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm::cli {

namespace {

namespace fs = std::filesystem;
enum class FileKind { csv, npz, parquet };

struct EmbedCommand {
  std::string model, data, data_dir, output = "-", rows, columns;
  int layer = -1;
  bool kernel = false, nodes = false;
  Settings settings;  // of which the device and its threads

  void run() const;
};

FileKind kind_of_file(const std::string& file) {
  const std::string ending = fs::path(file).extension().string();
  if (ending == ".npz") return FileKind::npz;
  if (ending == ".parquet") return FileKind::parquet;
  if (ending.empty() || ending == ".csv") return FileKind::csv;
  throw InputError(fmt::format(
      "--output {}: '{}' is no format that can be written; use .csv, .npz or .parquet", file, ending));
}

/// Rows of numbers under names.
struct NumberTable {
  std::vector<std::string> names;    // of the rows
  std::vector<std::int32_t> number;  // of the rows, among all of the data
  std::vector<std::string> titles;   // of the columns
  std::vector<double> values;        // row-major

  std::string csv() const {
    std::string out = "id";
    for (const std::string& title : titles) out += "," + csv_field(title);
    out += '\n';
    for (std::size_t r = 0; r < names.size(); ++r) {
      out += csv_field(names[r]);
      for (std::size_t c = 0; c < titles.size(); ++c)
        out += fmt::format(",{:.9g}", values[r * titles.size() + c]);
      out += '\n';
    }
    return out;
  }
  std::string parquet() const {
    ParquetFile out(names.size());
    out.add_texts("id", names);
    for (std::size_t c = 0; c < titles.size(); ++c) {
      std::vector<double> column;
      for (std::size_t r = 0; r < names.size(); ++r) column.push_back(values[r * titles.size() + c]);
      out.add_reals(titles[c], column);
    }
    return std::move(out).bytes();
  }
};

/// The names of all rows, as users write them.
class RowNames {
 public:
  RowNames(std::vector<std::string> names, Index count) : names_(std::move(names)) {
    for (Index k = 0; names_.size() < static_cast<std::size_t>(count); ++k)
      names_.push_back(std::to_string(k));
    for (std::size_t k = 0; k < names_.size(); ++k)
      number_.emplace(names_[k], static_cast<std::int32_t>(k));  // the first of equal names
  }

  const std::string& of(std::int32_t number) const { return names_[static_cast<std::size_t>(number)]; }
  /// `all`, names with commas between them, or a file with one on each line; `option` asked for it.
  std::vector<std::int32_t> find(const std::string& option, const std::string& list) const {
    std::vector<std::int32_t> out;
    if (list == "all") {
      out.resize(names_.size());
      std::iota(out.begin(), out.end(), 0);
      return out;
    }
    for (const std::string& word : words_of(list)) {
      const auto at = number_.find(word);
      const auto number = whole_number<std::int32_t>(word);
      if (at != number_.end()) {
        out.push_back(at->second);
      } else if (number && *number >= 0 && *number < std::ssize(names_)) {
        out.push_back(*number);
      } else {
        throw InputError(
            fmt::format("{}: '{}' is neither the name nor the number of one of {} rows; use names, "
                        "numbers from 0 to {}, or a file with one on each line",
                        option, shown(word), names_.size(), names_.size() - 1));
      }
    }
    if (out.empty()) throw InputError(option + " " + list + ": names no rows; give some, or all");
    return out;
  }

 private:
  static std::vector<std::string> words_of(const std::string& list) {
    std::error_code ignored;
    const bool is_file = fs::is_regular_file(list, ignored);
    std::string text = list;
    if (is_file) {
      std::ifstream file(list, std::ios::binary);
      text.assign(std::istreambuf_iterator<char>(file), {});
    }
    std::vector<std::string> out;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(is_file ? '\n' : ',', begin), text.size());
      std::string word = text.substr(begin, end - begin);
      if (!word.empty() && word.back() == '\r') word.pop_back();
      if (!word.empty()) out.push_back(word);
      begin = end + 1;
    }
    return out;
  }

  std::vector<std::string> names_;
  std::map<std::string, std::int32_t> number_;
};

void write(const std::string& output, FileKind kind, const NumberTable& table, const char* array,
           const std::vector<std::int32_t>* columns) {
  if (kind == FileKind::csv) return write_output(output, table.csv());
  if (kind == FileKind::parquet) return write_file_atomically(output, table.parquet());
  NpzWriter writer;
  const auto rows = static_cast<std::int64_t>(table.names.size()),
             width = static_cast<std::int64_t>(table.titles.size());
  writer.add(array, {rows, width}, table.values);
  writer.add_strings("names", table.names);
  writer.add("rows", {rows}, table.number);
  if (columns != nullptr) {
    writer.add_strings("column_names", table.titles);
    writer.add("columns", {width}, *columns);
  }
  writer.write(output);
}

void EmbedCommand::run() const {
  for (const std::string& input : {model, data, rows, columns}) check_output("--output", output, input);
  const FileKind kind = kind_of_file(output);
  if (!columns.empty() && !kernel)
    throw InputError("--columns: it goes with --kernel; add it, or leave both out");
  if (kernel && rows.empty())
    throw InputError("--kernel: which rows? give --rows with names or numbers, or all for the whole matrix");
  const FittedModel fitted = FittedModel::load(model, settings.device);
  if (nodes && fitted.card().task.value_or(Task::node) == Task::node)
    throw InputError("--nodes: it is for models of graphs, and this one predicts nodes; leave it out");
  if (nodes && fitted.card().settings.preprocessing.makes_rows())
    throw InputError(
        "--nodes: --pool-features made one row of each graph before the model saw it, so that it has "
        "features of graphs alone; leave it out");
  const FeatureRows of = nodes ? FeatureRows::nodes : FeatureRows::items;
  Dataset dataset = load(data, folder(data_dir), settings.device.threads, fitted.card().columns);
  align(dataset.features, dataset.columns, fitted.card().columns, {nullptr, &dataset.remarks});
  for (const std::string& remark : dataset.remarks) note(remark);
  const NodeFeatures features = fitted.features(dataset, layer, of);
  const Index count = features.width == 0 ? 0 : static_cast<Index>(features.values.size()) / features.width;
  const RowNames names(features.names, count);

  NumberTable table;
  table.number = names.find("--rows", rows.empty() ? "all" : rows);
  for (const auto row : table.number) table.names.push_back(names.of(row));
  const auto row_of = [&](std::int32_t row) { return features.values.data() + row * features.width; };
  if (!kernel) {
    for (Index c = 0; c < features.width; ++c) table.titles.push_back(fmt::format("f{}", c));
    for (const auto row : table.number)
      table.values.insert(table.values.end(), row_of(row), row_of(row) + features.width);
    return write(output, kind, table, "features", nullptr);
  }
  const auto others = columns.empty() ? table.number : names.find("--columns", columns);
  for (const auto column : others) table.titles.push_back(names.of(column));
  for (const auto row : table.number) {
    for (const auto column : others)
      table.values.push_back(
          std::inner_product(row_of(row), row_of(row) + features.width, row_of(column), 0.0));
  }
  write(output, kind, table, "kernel", &others);
}

}  // namespace

void add_embed(CLI::App& app) {
  auto command = std::make_shared<EmbedCommand>();
  CLI::App& embed = *app.add_subcommand("embed", "Features of a layer, or the kernel between nodes");
  add_argument(embed, "MODEL", command->model, "A model saved by gdkm train --save");
  add_argument(embed, "DATA", command->data, "Data with the features that the model was trained\non");
  add_output(embed, command->output, "A .csv, .npz or .parquet file; - for CSV on\nstandard output");
  add_number(embed, "--layer", "L", command->layer, -1, 1000,
             "Which layer's features, from 0; -1 for those that\nthe readout takes");
  embed.add_flag("--kernel", command->kernel, "The kernel between --rows and --columns instead");
  add_text(embed, "--rows", "LIST", command->rows,
           "Which nodes: names or numbers with commas between\nthem, a file with one on each line, or all");
  add_text(embed, "--columns", "LIST", command->columns, "The other side of the kernel; without it, --rows");
  embed.add_flag("--nodes", command->nodes, "Of graphs: a row for each node, not for each graph");
  add_data_dir(embed, command->data_dir);
  add_settings_options(embed, command->settings, nullptr, {"device", "threads"});
  embed.footer(
      "The inner product of two rows of features is the learned kernel between the two\n"
      "nodes. Of a set of graphs, a row belongs to a graph: it is the mean or the sum\n"
      "of the features of its nodes, as the model pools them. Columns: id, f0, f1, ...;\n"
      "of a kernel, one for each of --columns, under their names. In a .npz the arrays\n"
      "are features (or kernel), names, rows, column_names and columns.\n"
      "Examples:\n"
      "  gdkm embed model.safetensors cora -o features.npz\n"
      "  gdkm embed model.safetensors cora --layer 0 -o first.parquet\n"
      "  gdkm embed model.safetensors cora --kernel --rows 0,1,2 --columns all");
  embed.callback([command] { command->run(); });
}

}  // namespace gdkm::cli
