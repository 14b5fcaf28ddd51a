#include "gdkm/data/formats/matlab/facebook100.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/data/formats/pickle/pickled_array.hpp"
#include "gdkm/data/formats/shared/checked_matrix.hpp"
#include "gdkm/data/formats/shared/numpy_random.hpp"
#include "gdkm/data/formats/shared/split_maker.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr Index columns = 7, gender = 1;

/// One row of `columns` integers per person.
std::vector<std::int64_t> read_info(const MatFile& file) {
  const std::string where = file.where("local_info");
  const MatMatrix stored = file.dense("local_info");
  if (stored.cols != columns) {
    refuse("{}: has size {} x {}; Facebook100 has {} columns, use the published file", where, stored.rows,
           stored.cols, columns);
  }
  std::vector<std::int64_t> out;
  out.reserve(stored.value.size());
  for (const double value : stored.value) {
    if (!(value >= 0 && value <= std::numeric_limits<std::int32_t>::max()) || value != std::floor(value)) {
      const auto at = static_cast<Index>(out.size());
      refuse("{}: row {}, column {}: expected an integer code (0 for unknown), got {}; correct it", where,
             at / columns + 1, at % columns + 1, value);
    }
    out.push_back(static_cast<std::int64_t>(value));
  }
  return out;
}

std::vector<std::int32_t> read_labels(const std::string& where, const std::vector<std::int64_t>& info) {
  const std::size_t nodes = info.size() / columns;
  std::vector<std::int32_t> out(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::int64_t value = info[i * columns + gender];
    if (value > 2)
      refuse("{}: row {}: expected the gender 1, 2 or 0 (unknown), got {}; correct it", where, i + 1, value);
    out[i] = static_cast<std::int32_t>(value) - 1;
  }
  if (std::count_if(out.begin(), out.end(), [](auto label) { return label >= 0; }) < 2)
    refuse(where +
           ": column 2 (gender, the class) is known for fewer than two nodes; splits need at least two");
  return out;
}

/// The one-hot features of one column: the first of them, and the values they stand for.
struct Code {
  Index column, first;
  std::vector<std::int64_t> values;  // ascending
};

Features encode(const std::string& where, const std::vector<std::int64_t>& info) {
  const std::size_t nodes = info.size() / columns;
  std::vector<Code> codes;
  Csr out;
  out.rows = static_cast<Index>(nodes);
  for (Index c = 0; c < columns; ++c) {
    if (c == gender) continue;
    std::vector<std::int64_t> values(nodes);
    for (std::size_t i = 0; i < nodes; ++i) values[i] = info[i * columns + static_cast<std::size_t>(c)];
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values.size() <= 2)
      values.erase(values.begin());  // a single value leaves one feature, which is always 0
    codes.push_back({c, out.cols, std::move(values)});
    out.cols += std::max<Index>(1, static_cast<Index>(codes.back().values.size()));
  }
  if (out.cols > std::numeric_limits<std::int32_t>::max())
    refuse("{}: has {} distinct values, too many for features; use a part of the graph", where, out.cols);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (const Code& code : codes) {
      const std::int64_t value = info[i * columns + static_cast<std::size_t>(code.column)];
      const auto found = std::lower_bound(code.values.begin(), code.values.end(), value);
      if (found == code.values.end() || *found != value) continue;
      out.col.push_back(static_cast<std::int32_t>(code.first + (found - code.values.begin())));
      out.value.push_back(1);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return sparse_features(std::move(out));
}

constexpr std::pair<const char*, SplitPart> parts[] = {
    {"train", SplitPart::train}, {"valid", SplitPart::val}, {"test", SplitPart::test}};

/// Splits may share arrays, so the file size does not limit their total size.
constexpr std::size_t most_splits = 100;

}  // namespace

bool is_facebook100(const MatFile& file) {
  return file.contains("A") && file.contains("local_info");
}

Dataset read_facebook100(const Text& text, const std::string& name) {
  const MatFile file(text);
  const std::string where = file.where("local_info");
  const auto info = read_info(file);
  Dataset out;
  out.name = name;
  out.label = read_labels(where, info);
  out.classes = 1 + *std::max_element(out.label.begin(), out.label.end());
  const Index rows = file.shape("A").rows;
  if (rows != out.items()) {
    refuse("{}: has {} rows, but 'local_info' has {}; save one row per node", file.where("A"), rows,
           out.items());
  }
  out.graph = graph_from_matrix(file.where("A"), file.sparse("A"));
  out.features = encode(where, info);
  out.splits["public"] = numpy_random_splits(out.label, 0.5, 0.25, 5);
  return out;
}

Dataset read_facebook100_file(const std::filesystem::path& path, const std::string& name, ThreadPool&) {
  Dataset out = read_facebook100(read_text(path), name);
  const auto splits = path.parent_path() / ("fb100-" + path.stem().string() + "-splits.npy");
  std::error_code ignored;
  if (std::filesystem::is_regular_file(splits, ignored))
    out.splits["public"] = read_linkx_splits(read_text(splits), out.label);
  return out;
}

std::vector<Split> read_linkx_splits(const Text& text, const std::vector<std::int32_t>& label) {
  const Pickle pickle = read_object_npy(text);
  const auto dicts = pickled_objects(pickle, pickle.root(), pickle.where());
  if (dicts.empty() || dicts.size() > most_splits)
    refuse("{}: has {} splits; store 1 to {}", pickle.where(), dicts.size(), most_splits);
  std::vector<Split> out;
  for (std::size_t s = 0; s < dicts.size(); ++s) {
    const std::string where = fmt::format("{}: split {}", pickle.where(), s);
    SplitMaker maker(where, label);
    for (const auto& [key, part] : parts) {
      const auto* dict = pickle.get<PickleDict>(dicts[s]);
      const auto found = dict == nullptr ? std::nullopt : pickle.find(*dict, key);
      if (!found) refuse("{}: has no '{}'; store a dict with 'train', 'valid' and 'test'", where, key);
      const NpyArray nodes = pickled_array(pickle, *found, fmt::format("{}: array '{}'", where, key));
      if (!nodes.header.is_integer() || nodes.header.descr[1] == 'b')
        refuse("{}: holds '{}'; store node numbers as integers", nodes.where, nodes.header.descr);
      for (const auto node : nodes.as<std::int64_t>()) maker.add(part, node);
    }
    out.push_back(maker.finish());
  }
  return out;
}

}  // namespace gdkm
