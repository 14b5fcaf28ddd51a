#include <fmt/format.h>

#include <algorithm>

#include "gdkm/data/formats/csv/csv_parts.hpp"
#include "gdkm/data/formats/shared/class_column.hpp"
#include "gdkm/data/formats/shared/column_coding.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/dataset/dense_or_sparse.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

void check_fields(const CsvFile& file, const CsvRow& row) {
  if (row.size() == file.columns()) return;
  refuse("has {} fields, but the first row has {}; {}", row.size(), file.columns(),
         row.size() < file.columns() ? "complete the line" : "remove the extra fields");
}

/// Reads a table in two passes over its text: one learns what the columns are, one encodes them.
class TableReader {
 public:
  TableReader(const CsvFile& file, const CsvColumnNames& names, const ColumnRules& rules, bool guesses_class,
              ThreadPool& pool)
      : file_(file), names_(names), rules_(rules), guesses_class_(guesses_class), pool_(pool) {}

  CsvNodeTable read() {
    choose_columns();
    learn();
    choose_class();
    TableTypes types;
    try {
      types = choose_types(file_.where(), found_, rules_);
    } catch (const ColumnRefusal& error) {
      fail_where(error);
    }
    out_.remarks.insert(out_.remarks.end(), types.remarks.begin(), types.remarks.end());
    encode(types);
    return std::move(out_);
  }

 private:
  void remark(const std::string& text) { out_.remarks.push_back(file_.where() + ": " + text); }

  void choose_columns() {
    const auto& header = file_.header();
    if (!names_.id.empty()) find_column(file_, names_.id);  // which must be there
    id_ = find_id_column(file_, names_.id, other_columns());
    out_.id_column = id_;
    if (std::string line = id_remark(file_, names_.id, id_); !line.empty())
      out_.remarks.push_back(std::move(line));
    if (!names_.label.empty() && names_.label != "none") label_ = find_column(file_, names_.label);
    if (label_ == id_)
      refuse("{}: {} has the ids, not the class; choose another with {}", file_.where(),
             file_.column_text(id_), option("label_column"));
    std::vector<std::string> known;
    for (std::size_t c = 0; c < file_.columns(); ++c) known.push_back(file_.column_name(c));
    check_rules(rules_, file_.where(), known);
    for (std::size_t c = 0; c < file_.columns(); ++c) {
      if (c == id_ || c == label_ || rules_.ignores(known[c])) continue;
      if (c < header.size() && is_index_name(header[c]) && rules_.type_of(known[c]) == nullptr) {
        remark(fmt::format("left out column {}, which has no name", c + 1));
        continue;
      }
      columns_.push_back(c);
    }
  }

  /// Columns of which somebody says that they are features, or the class.
  std::vector<std::string> other_columns() const {
    std::vector<std::string> out = rules_.ignored;
    out.insert(out.end(), rules_.categories.begin(), rules_.categories.end());
    for (const auto* list : {&rules_.ordinals, &rules_.given})
      for (const TableColumn& column : *list) out.push_back(column.name);
    out.push_back(names_.label);
    return out;
  }

  std::vector<ColumnEvidence> collect(const std::vector<ColumnEvidence>& start,
                                      const std::vector<std::size_t>& columns) const {
    using Chunk = std::vector<ColumnEvidence>;
    auto chunks = file_.parse<Chunk>(pool_, [&](const CsvRow& row, Chunk& chunk) {
      check_fields(file_, row);
      if (chunk.empty()) chunk = start;
      for (std::size_t k = 0; k < columns.size(); ++k) chunk[k].add(row[columns[k]]);
    });
    std::vector<ColumnEvidence> out = start;
    for (const Chunk& chunk : chunks) {
      for (std::size_t k = 0; k < chunk.size(); ++k) out[k].append(chunk[k]);
    }
    return out;
  }

  void learn() {
    std::vector<ColumnEvidence> start;
    for (const auto c : columns_) {
      const std::string name = file_.column_name(c);
      start.push_back(rules_.evidence_for(name, file_.decimal_comma(), is_named_like_class(name)));
    }
    auto evidence = collect(start, columns_);
    std::vector<std::size_t> mixed, places;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      if (!needs_texts(evidence[k])) continue;
      mixed.push_back(columns_[k]);
      places.push_back(k);
    }
    if (!mixed.empty()) {
      auto texts = collect(std::vector(mixed.size(), ColumnEvidence({file_.decimal_comma(), true})), mixed);
      for (std::size_t k = 0; k < mixed.size(); ++k) evidence[places[k]] = std::move(texts[k]);
    }
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      found_.push_back(
          {file_.column_name(columns_[k]), file_.column_text(columns_[k]), std::move(evidence[k])});
    }
  }

  void choose_class() {
    if (!label_ && guesses_class_ && names_.label.empty()) {
      auto free = found_;
      std::erase_if(free, [&](const FoundColumn& c) { return rules_.type_of(c.name) != nullptr; });
      if (const auto guess = guess_class(free)) {
        remark(fmt::format("the class is column {}; choose another with {}", show_field(free[*guess].name),
                           option("label_column")));
        for (std::size_t k = 0; k < found_.size(); ++k)
          if (found_[k].name == free[*guess].name) label_ = columns_[k];
        erase(*label_);
      }
    }
    if (!label_ && guesses_class_ && names_.label.empty() && !rules_.from_model && !found_.empty())
      remark(fmt::format("no column is named like a class; name the one that has it with {}",
                         option("label_column")));
    for (std::size_t k = found_.size(); k-- > 0;) {
      const std::string name = found_[k].name;
      if (!gives_class_away(name) || rules_.type_of(name) != nullptr || rules_.is_category(name)) continue;
      if (!guesses_class_) {
        refuse("{}: {} would become a feature; if it is the class, use {} and {}, else rename it",
               file_.where(), found_[k].shown, option("nodes"), option("label_column"));
      }
      remark(fmt::format("left out column {}, which is named like a class; rename it to keep it",
                         show_field(name)));
      erase(columns_[k]);
    }
  }

  void erase(std::size_t column) {
    const auto at = std::find(columns_.begin(), columns_.end(), column) - columns_.begin();
    columns_.erase(columns_.begin() + at);
    found_.erase(found_.begin() + at);
  }

  void encode(const TableTypes& types) {
    struct Chunk {
      std::vector<std::string> id, class_text;
      std::vector<float> value;
    };
    std::vector<ColumnEncoder> encoders;
    std::vector<std::size_t> source;
    for (const TypedColumn& typed : types.columns) {
      encoders.emplace_back(typed);
      source.push_back(columns_[typed.source]);
    }
    const auto width = static_cast<std::size_t>(width_of(types.table()));
    auto chunks = file_.parse<Chunk>(pool_, [&](const CsvRow& row, Chunk& chunk) {
      check_fields(file_, row);
      chunk.id.emplace_back(row[id_]);
      if (label_) chunk.class_text.emplace_back(row[*label_]);
      const std::size_t start = chunk.value.size();
      chunk.value.resize(start + width);
      float* out = chunk.value.data() + start;
      for (std::size_t k = 0; k < encoders.size(); ++k) {
        encoders[k].encode(row[source[k]], out);
        out += encoders[k].width();
      }
    });
    for (Chunk& chunk : chunks) {
      std::move(chunk.id.begin(), chunk.id.end(), std::back_inserter(out_.id));
      std::move(chunk.class_text.begin(), chunk.class_text.end(), std::back_inserter(out_.class_text));
      out_.features.dense.insert(out_.features.dense.end(), chunk.value.begin(), chunk.value.end());
      std::vector<float>().swap(chunk.value);
    }
    out_.features.rows = static_cast<Index>(out_.id.size());
    out_.features.cols = static_cast<Index>(width);
    out_.decimal_comma = file_.decimal_comma();
    if (!types.untyped || types.words) out_.table = types.table();
    out_.words = types.words;
    if (types.words) {
      out_.features = in_cheaper_form(std::move(out_.features));
    }
  }

  /// Adds the line of the field that is to blame.
  [[noreturn]] void fail_where(const ColumnRefusal& error) const {
    std::size_t row = 0;
    std::optional<std::size_t> culprit;
    file_.for_each_row([&](const CsvRow& fields) {
      if (!culprit && error.is_culprit(fields[columns_[error.column()]])) culprit = row;
      ++row;
    });
    if (culprit) file_.fail_at_row(*culprit, error.message());
    refuse("{}: {}", file_.where(), error.message());
  }

  const CsvFile& file_;
  const CsvColumnNames& names_;
  const ColumnRules& rules_;
  bool guesses_class_;
  ThreadPool& pool_;
  std::size_t id_ = 0;
  std::optional<std::size_t> label_;
  std::vector<std::size_t> columns_;  // of the file, that may become features
  std::vector<FoundColumn> found_;    // the same
  CsvNodeTable out_;
};

}  // namespace

CsvNodeTable read_csv_node_table(const CsvFile& file, const CsvColumnNames& names, const ColumnRules& rules,
                                 bool guesses_class, ThreadPool& pool) {
  return TableReader(file, names, rules, guesses_class, pool).read();
}

}  // namespace gdkm
