#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gdkm/linalg/matrix.hpp"

namespace gdkm {

/// Numbers nodes by their ids, which may be any text. Ids that count upwards (0, 1, 2, … or from any other
/// number) cost no memory and are found without a table.
class NodeIndex {
 public:
  /// `source` is what defines the nodes, for messages.
  explicit NodeIndex(std::string source) : source_(std::move(source)) {}
  /// Nodes that are numbered first, first + 1, …
  NodeIndex(std::string source, Index nodes, Index first);
  NodeIndex(NodeIndex&&) = default;
  NodeIndex& operator=(NodeIndex&&) = default;

  const std::string& source() const { return source_; }
  Index size() const { return size_; }

  /// Gives `id` the next number; false where it had one. An InputError where there are too many, or it is
  /// empty.
  bool add(std::string_view id);
  std::optional<std::int32_t> find(std::string_view id) const;
  /// The same, and an InputError that says what to do where there is no such node.
  std::int32_t at(std::string_view id) const;

  /// The ids in order, or none where they are 0, 1, 2, …
  std::vector<std::string> names() const;

 private:
  void start_table();

  std::string source_;
  Index size_ = 0, first_ = 0;
  bool counts_ = true;  // so far
  std::deque<std::string> names_;
  std::unordered_map<std::string_view, std::int32_t> number_;
};

}  // namespace gdkm
