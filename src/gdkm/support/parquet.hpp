#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace gdkm {

/// A minimal Parquet file, made column by column: one row group, one page per column, plain encoding,
/// uncompressed. Every column may have nulls: `present` has 1 for rows with a value, and `values` has these
/// alone; an empty `present` means all rows.
class ParquetFile {
 public:
  explicit ParquetFile(std::size_t rows) : rows_(rows) {}

  void add_texts(const std::string& name, std::span<const std::string> values,
                 const std::vector<char>& present = {});
  void add_wholes(const std::string& name, std::span<const std::int64_t> values,
                  const std::vector<char>& present = {});
  void add_reals(const std::string& name, std::span<const double> values,
                 const std::vector<char>& present = {});
  void add_flags(const std::string& name, std::span<const char> values,
                 const std::vector<char>& present = {});

  /// The whole file. Nothing can be added afterwards.
  std::string bytes() &&;

 private:
  enum Type { boolean_type = 0, int64_type = 2, double_type = 5, byte_array_type = 6 };
  struct Column {
    std::string name;
    Type type;
    std::int64_t start, size;
  };
  void add_column(const std::string& name, Type type, const std::vector<char>& present,
                  const std::string& values);

  std::size_t rows_;
  std::string out_ = "PAR1";
  std::vector<Column> columns_;
};

}  // namespace gdkm
