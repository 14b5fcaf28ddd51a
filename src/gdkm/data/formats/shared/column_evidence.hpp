#pragma once

#include <functional>
#include <limits>
#include <set>
#include <string>
#include <string_view>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// How the fields of a column are read.
struct FieldStyle {
  bool decimal_comma = false;  // 1,5 is a number
  bool as_text = false;        // numbers are values like other words, so they are collected too
};

/// What the fields of a column have been so far. It keeps counts, and the different words up to a limit; of
/// numbers it keeps no text.
class ColumnEvidence {
 public:
  /// Words beyond this many are only counted.
  static constexpr std::size_t most_values = 200;

  ColumnEvidence() = default;
  explicit ColumnEvidence(FieldStyle style, std::size_t limit = most_values) : style_(style), limit_(limit) {}

  void add(std::string_view field);
  /// Adds the fields of `more`, which follow.
  void append(const ColumnEvidence& more);

  FieldStyle style() const { return style_; }
  Index rows() const { return missing_ + numbers_ + words_; }
  Index missing() const { return missing_; }
  Index known() const { return numbers_ + words_; }
  Index numbers() const { return numbers_; }
  Index words() const { return words_; }
  Index dates() const { return dates_; }
  Index grouped() const { return grouped_; }
  double mean() const { return numbers_ == 0 ? 0 : sum_ / static_cast<double>(numbers_); }
  double least() const { return least_; }
  double most() const { return most_; }
  bool is_whole() const { return whole_; }  // all numbers are
  /// Numbers with a decimal comma, and numbers with a point.
  Index commas() const { return commas_; }
  Index points() const { return points_; }
  /// Whether all words say yes or no, in words of one pair.
  bool all_flags() const { return words_ > 0 && flag_pair_ >= 0; }
  /// The different words, or with `as_text` the different values.
  const std::set<std::string, std::less<>>& values() const { return values_; }
  bool has_all_values() const { return values_.size() <= limit_; }
  bool is_constant() const;
  /// The first word, the first date, the first number that is not finite, and the first with groups of
  /// digits.
  const std::string& first_word() const { return first_word_; }
  const std::string& first_date() const { return first_date_; }
  const std::string& first_infinite() const { return first_infinite_; }
  const std::string& first_grouped() const { return first_grouped_; }

 private:
  void add_number(std::string_view field, double value);
  void add_word(std::string_view field);
  void keep(std::string_view value);

  static constexpr int no_words = -1, no_flags = -2;
  FieldStyle style_;
  std::size_t limit_ = most_values;
  Index missing_ = 0, numbers_ = 0, words_ = 0, dates_ = 0, grouped_ = 0, commas_ = 0, points_ = 0;
  double sum_ = 0;
  double least_ = std::numeric_limits<double>::infinity(), most_ = -std::numeric_limits<double>::infinity();
  bool whole_ = true;
  int flag_pair_ = no_words;
  std::set<std::string, std::less<>> values_;
  std::string first_word_, first_date_, first_infinite_, first_grouped_;
};

}  // namespace gdkm
