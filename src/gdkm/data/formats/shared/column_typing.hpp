#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gdkm/data/formats/shared/column_evidence.hpp"
#include "gdkm/data/formats/shared/column_rules.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

/// A column of a file, or an attribute, and what its fields are.
struct FoundColumn {
  std::string name;
  std::string shown;  // in messages: column 3 ('age')
  ColumnEvidence evidence;
};

/// A column that becomes features.
struct TypedColumn {
  std::size_t source = 0;  // its place among the columns that were found
  TableColumn column;
  float fill = 0;  // for the numbers that are missing: the mean of the others
  bool decimal_comma = false;
};

/// The columns of a table with their types, and what is to be said about them.
struct TableTypes {
  std::vector<TypedColumn> columns;
  bool untyped = false;  // plain numbers: of all columns, or of a bag of words
  bool words = false;    // many columns of counts, mostly 0: a bag of words
  std::vector<std::string> remarks;

  std::vector<TableColumn> table() const;
};

/// A column cannot be used. Where the file can be read again, `is_culprit` finds the field that is to blame.
class ColumnRefusal : public InputError {
 public:
  ColumnRefusal(std::string message, std::size_t column, std::function<bool(std::string_view)> is_culprit)
      : InputError(std::move(message)), column_(column), is_culprit_(std::move(is_culprit)) {}
  std::size_t column() const { return column_; }
  bool is_culprit(std::string_view field) const { return is_culprit_(field); }

 private:
  std::size_t column_;
  std::function<bool(std::string_view)> is_culprit_;
};

/// Whether a column of words has numbers too, so that they must be collected as text before its type is
/// chosen.
bool needs_texts(const ColumnEvidence& evidence);

/// Chooses the type of each column from the rules, else from its fields. Numbers stay numbers; true/false,
/// yes/no, t/f and y/n are flags; other words are categories, in natural order. Columns of words that differ
/// in most rows, or have too many values, are left out with a remark, and so are columns without values.
/// Dates, infinite numbers, digits in groups, and words among numbers are refused. `where` is for remarks.
TableTypes choose_types(const std::string& where, const std::vector<FoundColumn>& found,
                        const ColumnRules& rules);

}  // namespace gdkm
