#include "gdkm/data/formats/shared/column_evidence.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/data/formats/shared/field_kind.hpp"

namespace gdkm {

void ColumnEvidence::keep(std::string_view value) {
  if (values_.size() > limit_ || values_.find(value) != values_.end()) return;
  values_.emplace(value);
}

void ColumnEvidence::add_number(std::string_view field, double value) {
  ++numbers_;
  if (style_.as_text) keep(field);
  if (!(std::fabs(value) <= std::numeric_limits<float>::max())) {
    if (first_infinite_.empty()) first_infinite_ = field;
    return;
  }
  sum_ += value;
  least_ = std::min(least_, value);
  most_ = std::max(most_, value);
  whole_ = whole_ && value == std::floor(value);
  if (!style_.decimal_comma) return;
  if (field.find(',') != std::string_view::npos) ++commas_;
  if (field.find('.') != std::string_view::npos) ++points_;
}

void ColumnEvidence::add_word(std::string_view field) {
  if (words_++ == 0) first_word_ = field;
  if (flag_pair_ != no_flags) {
    const auto flag = flag_word(field);
    if (!flag || (flag_pair_ != no_words && flag->pair != flag_pair_)) {
      flag_pair_ = no_flags;
    } else {
      flag_pair_ = flag->pair;
    }
  }
  if (looks_like_date(field) && dates_++ == 0) first_date_ = field;
  if (has_digit_groups(field, style_.decimal_comma) && grouped_++ == 0) first_grouped_ = field;
  keep(field);
}

void ColumnEvidence::add(std::string_view field) {
  if (means_missing(field)) {
    ++missing_;
  } else if (const auto number = to_number(field, style_.decimal_comma)) {
    add_number(field, *number);
  } else {
    add_word(field);
  }
}

void ColumnEvidence::append(const ColumnEvidence& more) {
  const auto first = [](std::string& mine, const std::string& theirs) {
    if (mine.empty()) mine = theirs;
  };
  first(first_word_, more.first_word_);
  first(first_date_, more.first_date_);
  first(first_infinite_, more.first_infinite_);
  first(first_grouped_, more.first_grouped_);
  missing_ += more.missing_;
  numbers_ += more.numbers_;
  words_ += more.words_;
  dates_ += more.dates_;
  grouped_ += more.grouped_;
  commas_ += more.commas_;
  points_ += more.points_;
  sum_ += more.sum_;
  least_ = std::min(least_, more.least_);
  most_ = std::max(most_, more.most_);
  whole_ = whole_ && more.whole_;
  if (flag_pair_ == no_words) {
    flag_pair_ = more.flag_pair_;
  } else if (more.flag_pair_ != no_words && more.flag_pair_ != flag_pair_) {
    flag_pair_ = no_flags;
  }
  for (const std::string& value : more.values_) keep(value);
}

bool ColumnEvidence::is_constant() const {
  if (known() == 0 || missing_ > 0) return false;
  return words_ == 0 ? least_ == most_ : numbers_ == 0 && values_.size() == 1;
}

}  // namespace gdkm
