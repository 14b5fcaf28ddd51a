#include "gdkm/data/formats/csv/csv_parts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gdkm/data/formats/shared/class_column.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {

std::size_t find_column(const CsvFile& file, const std::string& name) {
  if (const auto found = file.column(name)) return *found;
  if (file.header().empty()) {
    refuse("{}: has no header line, so no column {}; add one, or use {}", file.where(), show_field(name),
           option("header"));
  }
  const auto shown = std::min<std::size_t>(file.header().size(), 8);
  std::string known;
  for (std::size_t c = 0; c < shown; ++c) known += (c == 0 ? "" : ", ") + show_field(file.header()[c]);
  refuse("{}: has no column {}; use one of {}{}", file.where(), show_field(name), known,
         shown < file.header().size() ? ", ..." : "");
}

std::size_t find_label_column(const CsvFile& file, const std::string& name, std::size_t id) {
  if (!name.empty()) return find_column(file, name);
  if (file.columns() == 2 || file.columns() == 0) return id == 1 ? 0 : 1;
  std::vector<std::size_t> found, plain;
  for (std::size_t c = 0; c < file.header().size(); ++c)
    if (c != id && !is_index_name(file.header()[c])) plain.push_back(c);
  if (plain.size() == 1) return plain[0];
  for (std::size_t c = 0; c < file.header().size(); ++c)
    if (c != id && gives_class_away(file.header()[c])) found.push_back(c);
  if (found.size() == 1) return found[0];
  refuse("{}: has {} columns; give id and class, or name the class column with {}", file.where(),
         file.columns(), option("label_column"));
}

std::vector<std::string> read_csv_labels(const CsvFile& file, const CsvColumnNames& names, NodeIndex& nodes,
                                         bool defines_nodes, ThreadPool& pool) {
  using Rows = std::vector<std::pair<std::string, std::string>>;
  const std::size_t id = find_id_column(file, names.id, {names.label});
  const std::size_t column = find_label_column(file, names.label, id);
  auto chunks = file.parse<Rows>(pool, [&](const CsvRow& row, Rows& rows) {
    if (row.size() <= std::max(id, column)) {
      refuse("has {} fields, but the class is in {}; complete the line", row.size(),
             file.column_text(column));
    }
    rows.emplace_back(row[id], row[column]);
  });
  std::vector<std::string> out(static_cast<std::size_t>(nodes.size()));
  std::vector<bool> seen(out.size(), false);
  if (defines_nodes) nodes.set_hint(id_hint(file, id));
  std::size_t k = 0;
  const std::string hint =
      file.header().empty() ? " (or use " + option("header") + " if the line names the columns)" : "";
  for (const Rows& rows : chunks) {
    for (const auto& [name, text] : rows) {
      std::size_t node = out.size();
      bool is_new = false;
      if (defines_nodes) {
        if (name.empty()) file.fail_at_row(k, "the node's id is empty; complete the line");
        is_new = nodes.add(name);
        out.resize(static_cast<std::size_t>(nodes.size()));
        out.back() = is_new ? text : out.back();
      } else {
        const auto found = nodes.find(name);
        if (!found) {
          file.fail_at_row(k, fmt::format("node {} is not in {}; add it there{}, or remove the line{}",
                                          show_field(name), nodes.source(), hint, id_hint(file, id)));
        }
        node = static_cast<std::size_t>(*found);
        is_new = !seen[node];
        seen[node] = true;
        out[node] = text;
      }
      if (!is_new)
        file.fail_at_row(
            k, fmt::format("node {} has more than one row; keep one{}", show_field(name), id_hint(file, id)));
      ++k;
    }
  }
  return out;
}

std::vector<std::string> read_csv_classes(const CsvFile& file) {
  std::vector<std::string> out;
  file.for_each_row([&](const CsvRow& row) {
    if (row.size() != 1 || row[0].empty()) refuse("expected the name of one class; give one per line");
    out.emplace_back(row[0]);
  });
  if (out.empty()) refuse(file.where() + ": lists no class; give one per line");
  return out;
}

}  // namespace gdkm
