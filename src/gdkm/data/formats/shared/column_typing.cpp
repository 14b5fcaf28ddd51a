#include "gdkm/data/formats/shared/column_typing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gdkm/data/formats/shared/field_kind.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

constexpr std::size_t few_values = 10;   // words that differ in every row may still be categories
constexpr std::size_t bag_columns = 64;  // with more columns of counts, a table is a bag of words
constexpr double most_count = 255;

/// A name as an option mentions it. A header may have a carriage return.
std::string on_one_line(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, ' ');
  return name;
}

/// Facts of one kind, which share a line: "a (3), b (2), ...".
class Facts {
 public:
  void add(const char* kind, const std::string& fact) { facts_[kind].push_back(fact); }

  std::vector<std::string> lines(const std::string& where) const {
    constexpr std::size_t most = 8;
    std::vector<std::string> out;
    for (const auto& [kind, list] : facts_) {
      std::string line =
          fmt::format("{}: {}: {}", where, kind,
                      fmt::join(list.begin(), list.begin() + std::min(most, list.size()), ", "));
      if (list.size() > most) line += fmt::format(" and {} more", list.size() - most);
      out.push_back(std::move(line));
    }
    return out;
  }

 private:
  std::map<std::string, std::vector<std::string>> facts_;
};

bool is_01(const ColumnEvidence& e) {
  return e.is_whole() && e.least() >= 0 && e.most() <= 1;
}

bool is_flag(const ColumnEvidence& e) {
  return e.all_flags() && (e.numbers() == 0 || is_01(e));
}

bool is_bag_of_words(const std::vector<FoundColumn>& found, const ColumnRules& rules) {
  const auto counts = [&](const FoundColumn& column) {
    const ColumnEvidence& e = column.evidence;
    return rules.type_of(column.name) == nullptr && !rules.is_category(column.name) && e.words() == 0 &&
           e.missing() == 0 && e.numbers() > 0 && e.first_infinite().empty() && e.is_whole() &&
           e.least() >= 0 && e.most() <= most_count;
  };
  if (found.size() <= bag_columns || !std::all_of(found.begin(), found.end(), counts)) return false;
  double sum = 0;
  for (const FoundColumn& column : found) sum += column.evidence.mean();
  return sum <= 0.5 * static_cast<double>(found.size());  // so that half of the fields at least are 0
}

/// Chooses the type of one column, or leaves it out.
class Chooser {
 public:
  Chooser(const FoundColumn& found, std::size_t place, const ColumnRules& rules, Facts& facts)
      : found_(found), e_(found.evidence), place_(place), rules_(rules), facts_(facts) {}

  /// False where the column is left out.
  bool choose(TypedColumn& out) const {
    out.source = place_;
    out.decimal_comma = e_.style().decimal_comma;
    const TableColumn* said = rules_.type_of(found_.name);
    if (said == nullptr && e_.known() == 0) {
      facts_.add("left out columns without values", show_field(found_.name));
      return false;
    }
    if (e_.missing() > 0 && rules_.refuse_missing == true) {
      fail(fmt::format("{} of {} values are missing; fill them in, or leave out {}", e_.missing(), e_.rows(),
                       option("missing", "refuse")),
           means_missing);
    }
    out.column = said != nullptr ? *said : TableColumn{found_.name};
    if (said != nullptr) {
      if (rules_.from_model) add_values(out.column);
      check_given(out.column);
    } else if (rules_.is_category(found_.name)) {
      set_category(out.column);
      if (!e_.has_all_values())
        fail(fmt::format("has more than {} values; use fewer categories", out.column.values.size() - 1));
    } else if (!find_type(out.column)) {
      return false;
    }
    out.column.has_missing = out.column.has_missing || e_.missing() > 0;
    if (out.column.type == ColumnType::number) out.fill = static_cast<float>(e_.mean());
    report(out.column);
    return true;
  }

 private:
  [[noreturn]] void fail(const std::string& what,
                         std::function<bool(std::string_view)> is_culprit = {}) const {
    if (!is_culprit) is_culprit = [](std::string_view) { return false; };
    throw ColumnRefusal(found_.shown + ": " + what, place_, std::move(is_culprit));
  }
  [[noreturn]] void fail_at(const std::string& field, const std::string& what) const {
    fail(what, [field](std::string_view each) { return each == field; });
  }

  void set_category(TableColumn& out) const {
    out.type = ColumnType::category;
    out.values.assign(e_.values().begin(), e_.values().end());
    std::sort(out.values.begin(), out.values.end(), natural_less);
  }

  void check_numbers() const {
    if (!e_.first_infinite().empty()) {
      fail_at(e_.first_infinite(),
              fmt::format("expected a finite number, got {}; replace it", show_field(e_.first_infinite())));
    }
    if (e_.commas() > 0 && e_.points() > 0)
      fail("has numbers with a decimal comma and numbers with a point; use one of them");
  }

  /// Values that a model does not know are kept, so that it can be said which they are.
  void add_values(TableColumn& out) const {
    if (out.type != ColumnType::category && out.type != ColumnType::ordinal) return;
    for (const std::string& value : e_.values()) {
      if (std::find(out.values.begin(), out.values.end(), value) == out.values.end())
        out.values.push_back(value);
    }
  }

  void check_given(const TableColumn& said) const {
    if (said.type == ColumnType::number || said.type == ColumnType::flag) {
      const bool fits = said.type == ColumnType::number
                            ? e_.words() == 0
                            : e_.known() == 0 || is_flag(e_) || (e_.words() == 0 && is_01(e_));
      if (fits) return check_numbers();
      fail_at(e_.words() > 0 ? e_.first_word() : "",
              fmt::format("expected {}, got {}; correct it",
                          said.type == ColumnType::number ? "numbers" : "true or false",
                          e_.words() > 0 ? show_field(e_.first_word()) : "other numbers"));
    }
    for (const std::string& value : e_.values()) {
      if (std::find(said.values.begin(), said.values.end(), value) != said.values.end()) continue;
      fail_at(value, fmt::format(
                         "{} is not one of the values {}{}; add it to them, or correct it", show_field(value),
                         fmt::join(said.values.begin(),
                                   said.values.begin() + std::min<std::size_t>(8, said.values.size()), ", "),
                         said.values.size() > 8 ? ", ..." : ""));
    }
  }

  bool find_type(TableColumn& out) const {
    check_numbers();
    if (e_.words() == 0) return true;
    if (is_flag(e_)) {
      out.type = ColumnType::flag;
      return true;
    }
    if (2 * e_.dates() > e_.words()) {
      fail_at(e_.first_date(),
              fmt::format("holds dates, such as {}; put numbers instead (the year, or the days since some "
                          "day), or leave it out with {}",
                          show_field(e_.first_date()), option("ignore_columns", on_one_line(found_.name))));
    }
    if (2 * (e_.grouped() + e_.numbers()) > e_.known() && e_.grouped() > 0) {
      fail_at(e_.first_grouped(), fmt::format("got {}; write numbers without separators between thousands",
                                              show_field(e_.first_grouped())));
    }
    if (2 * e_.words() < e_.known()) {
      fail_at(e_.first_word(),
              fmt::format("expected a number, got {}; empty the field if the value is missing, or use {}",
                          show_field(e_.first_word()), option("categories", on_one_line(found_.name))));
    }
    const auto different = e_.values().size();
    const bool repeats = different <= few_values || 2 * static_cast<Index>(different) <= e_.known();
    if (!e_.has_all_values() || !repeats) {
      facts_.add("left out columns of text with too many different values",
                 fmt::format("{} ({}{} in {} rows; keep it with {})", show_field(found_.name),
                             e_.has_all_values() ? "" : "more than ",
                             e_.has_all_values() ? different : different - 1, e_.known(),
                             option("categories", on_one_line(found_.name))));
      return false;
    }
    set_category(out);
    facts_.add("columns of text are categories",
               fmt::format("{} ({} value{})", show_field(found_.name), different, different == 1 ? "" : "s"));
    return true;
  }

  void report(const TableColumn& column) const {
    if (e_.missing() > 0)
      facts_.add("missing values are filled and marked",
                 fmt::format("{} ({})", show_field(column.name), e_.missing()));
    if (e_.is_constant() && e_.rows() > 1)
      facts_.add("columns with the same value everywhere", show_field(column.name));
  }

  const FoundColumn& found_;
  const ColumnEvidence& e_;
  std::size_t place_;
  const ColumnRules& rules_;
  Facts& facts_;
};

void check_names(const std::string& where, const std::vector<FoundColumn>& found) {
  std::vector<std::string> names;
  for (const FoundColumn& column : found) names.push_back(column.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice != names.end()) refuse("{}: two columns are called {}; rename one", where, show_field(*twice));
}

}  // namespace

std::vector<TableColumn> TableTypes::table() const {
  std::vector<TableColumn> out;
  for (const TypedColumn& typed : columns) out.push_back(typed.column);
  return out;
}

bool needs_texts(const ColumnEvidence& e) {
  return !e.style().as_text && e.numbers() > 0 && e.words() > 0 && 2 * e.words() >= e.known() && !is_flag(e);
}

TableTypes choose_types(const std::string& where, const std::vector<FoundColumn>& found,
                        const ColumnRules& rules) {
  check_names(where, found);
  TableTypes out;
  Facts facts;
  using Kind = FeatureColumns::Kind;
  if (rules.kind == Kind::nodes)
    refuse("{}: columns that stand for nodes are read as node, feature, value; write them so", where);
  if (rules.kind == Kind::words && !(rules.categories.empty() && rules.ordinals.empty()))
    refuse("{}: the columns are the counts of words; leave out {} and {}", where, option("categories"),
           option("ordinal"));
  const bool is_bag =
      rules.kind == Kind::words || (rules.kind == Kind::table && is_bag_of_words(found, rules));
  out.untyped = rules.kind == Kind::unknown || is_bag;
  out.words = is_bag;
  for (std::size_t k = 0; k < found.size(); ++k) {
    TypedColumn typed;
    if (out.untyped && found[k].evidence.words() + found[k].evidence.missing() > 0) {
      throw ColumnRefusal(found[k].shown + ": expected a number, since the columns have no types; correct it",
                          k, [](std::string_view field) { return !to_number(field, false); });
    }
    const bool is_needed = !rules.from_model || rules.type_of(found[k].name) != nullptr;
    try {
      if (Chooser(found[k], k, rules, facts).choose(typed)) out.columns.push_back(std::move(typed));
    } catch (const ColumnRefusal&) {
      if (is_needed) throw;
      facts.add("left out columns that the model does not know", show_field(found[k].name));
    }
  }
  if (!is_bag) out.remarks = facts.lines(where);
  if (is_bag) {
    out.remarks.push_back(fmt::format(
        "{}: {} columns of 0/1 or counts, mostly 0, are a bag of words: rows are scaled, not columns", where,
        found.size()));
  }
  return out;
}

}  // namespace gdkm
