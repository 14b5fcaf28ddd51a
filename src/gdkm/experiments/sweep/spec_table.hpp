#pragma once

#include <toml++/toml.h>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdkm {

/// A table of a TOML file while it is read: every error names file and line.
class SpecTable {
 public:
  SpecTable(const toml::table& table, std::string file, std::string what, int line);

  int line() const { return line_; }
  const std::string& what() const { return what_; }
  /// The keys, in the file's order.
  std::vector<std::string> keys() const;
  bool has(const std::string& key) const { return table_.contains(key); }
  int line_of(const std::string& key) const;

  /// An error for the first key that is not among these.
  void allow(std::initializer_list<std::string_view> keys) const;

  std::string text(const std::string& key) const;  // must be there, and not empty
  std::string text_or(const std::string& key, const std::string& otherwise) const;
  std::int64_t whole_or(const std::string& key, std::int64_t otherwise, std::int64_t least) const;
  double number_or(const std::string& key, double otherwise, double least) const;
  /// One text, or a list of them; without repetition.
  std::vector<std::string> texts(const std::string& key) const;
  /// Any value as JSON.
  nlohmann::json value(const std::string& key) const;
  std::optional<SpecTable> table(const std::string& key) const;
  std::vector<SpecTable> tables(const std::string& key) const;

  [[noreturn]] void fail(int line, const std::string& message) const;
  [[noreturn]] void fail_at(const std::string& key, const std::string& message) const;

 private:
  const toml::table& table_;
  std::string file_, what_;
  int line_ = 0;
};

}  // namespace gdkm
