#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gdkm/data/formats/csv/csv_header.hpp"
#include "gdkm/data/formats/csv/csv_row.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// A CSV file in memory. The delimiter (comma, semicolon, tab or blanks) and whether the first row names the
/// columns are detected from the first rows. Lines that begin with '#' are comments.
class CsvFile {
 public:
  /// The hint helps to tell whether the first row names the columns. `delimiter` sets the delimiter; with a
  /// newline, each line is one field.
  CsvFile(Text text, const CsvHint& hint, std::optional<char> delimiter = std::nullopt);

  const std::string& where() const { return text_.where; }
  char delimiter() const { return delimiter_; }
  /// Whether decimals may have a comma, since fields are not separated by it.
  bool decimal_comma() const { return delimiter_ == ';' || delimiter_ == '\t'; }
  /// Column names; empty without a header.
  const std::vector<std::string>& header() const { return header_; }
  /// Whether it is only likely that the first row names the columns.
  bool guesses_header() const { return guesses_header_; }
  /// Number of columns of the first row, header included; 0 for a file without rows.
  std::size_t columns() const { return columns_; }
  /// Whether another file has that id, as the hint says; empty where it does not.
  const std::function<bool(std::string_view)>& knows() const { return knows_; }
  /// The first rows after the header.
  const std::vector<std::vector<std::string>>& sample() const { return sample_; }
  /// The column of that name, if there is one.
  std::optional<std::size_t> column(std::string_view name) const;
  /// The name of a column: that of the header, else "column 3".
  std::string column_name(std::size_t column) const;
  /// The same in messages: "column 3 ('age')".
  std::string column_text(std::size_t column) const;

  /// Calls parse(row, chunk) for every row after the header, with one chunk per thread, in file order. A file
  /// with quotation marks is read by one thread, since its rows may span lines. Errors that `parse` throws
  /// get the file and line added.
  template <class Chunk, class Parse>
  std::vector<Chunk> parse(ThreadPool& pool, Parse parse) const {
    struct Share {
      Chunk chunk{};
      CsvRow row;
    };
    std::vector<Share> shares;
    if (quoted_) {
      shares.resize(static_cast<std::size_t>(pool.size()));
      for_each_row([&](const CsvRow& row) { parse(row, shares[0].chunk); });
    } else {
      shares = parse_chunks<Share>(text_, skip_, pool, [&](Line& line, Share& share) {
        std::string_view rest = line.text();
        if (is_csv_comment(rest)) return;
        share.row.take(rest, delimiter_);
        parse(share.row, share.chunk);
      });
    }
    std::vector<Chunk> out;
    for (Share& share : shares) out.push_back(std::move(share.chunk));
    return out;
  }

  /// The same, one row after another.
  void for_each_row(const std::function<void(const CsvRow&)>& visit) const;

  /// Throws an InputError that names the line of that row; rows count from 0 after the header.
  [[noreturn]] void fail_at_row(std::size_t row, const std::string& message) const;

 private:
  Text text_;
  char delimiter_ = ',';
  bool quoted_ = false, guesses_header_ = false;
  std::vector<std::string> header_;
  std::vector<std::vector<std::string>> sample_;
  std::function<bool(std::string_view)> knows_;
  std::size_t columns_ = 0;
  std::int64_t skip_ = 0;  // lines before the first data row
};

}  // namespace gdkm
