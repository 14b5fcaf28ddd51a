#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gdkm/linalg/matrix.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// Numbers nodes by their ids, which may be any text. Ids that count the nodes (0, 1, 2, … or from any other
/// number) take no memory; a table has the others.
class NodeIndex {
 public:
  /// `source` names the file that defines the nodes, for messages.
  explicit NodeIndex(std::string source) : source_(std::move(source)) {}
  /// Nodes with the ids first, first + 1, …; those that are added count on from there.
  NodeIndex(std::string source, Index nodes, Index first);
  NodeIndex(NodeIndex&&) = default;
  NodeIndex& operator=(NodeIndex&&) = default;

  const std::string& source() const { return source_; }
  /// What the message about an unknown id adds, such as where in the file the ids are.
  void set_hint(std::string hint) { hint_ = std::move(hint); }
  Index size() const { return size_; }

  /// Gives `id` the next number; false where it already has one. An empty id, or too many nodes, is an
  /// InputError.
  bool add(std::string_view id);
  /// The same for the id that counts on, without a text: first + size().
  bool add_next();
  std::optional<std::int32_t> find(std::string_view id) const;
  /// The number of `id`; an unknown id is an InputError that says what to do.
  std::int32_t at(std::string_view id) const;

  /// The ids in order; empty where they are 0, 1, 2, …
  std::vector<std::string> names() const;

 private:
  bool is_named(std::int32_t node) const;

  std::string source_, hint_;
  Index size_ = 0;
  std::optional<Index> first_;       // what an id that counts would be for node 0
  std::vector<std::int32_t> named_;  // the nodes with other ids, in ascending order
  std::deque<std::string> names_;    // theirs
  std::unordered_map<std::string_view, std::int32_t> number_;
};

/// A file that states how many nodes it has may have nodes without edges, but a typo must not exhaust the
/// memory: far more nodes than bytes are an InputError.
void check_claimed_nodes(const Text& text, Index nodes);

}  // namespace gdkm
