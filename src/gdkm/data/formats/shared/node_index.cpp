#include "gdkm/data/formats/shared/node_index.hpp"

#include <algorithm>
#include <limits>

#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// Digits without a leading zero.
std::optional<Index> counted(std::string_view id) {
  if (id.empty() || id.size() > 18 || id.front() < '0' || id.front() > '9') return std::nullopt;
  if (id.front() == '0' && id.size() > 1) return std::nullopt;
  return whole_number<Index>(id);
}

void check_room(Index nodes) {
  if (nodes >= std::numeric_limits<std::int32_t>::max())
    refuse("the graph has more than {} nodes; use a part of it", nodes);
}

}  // namespace

NodeIndex::NodeIndex(std::string source, Index nodes, Index first)
    : source_(std::move(source)), size_(nodes), first_(first) {}

bool NodeIndex::add(std::string_view id) {
  if (id.empty()) refuse("the node's id is empty; give every node a name or a number");
  if (find(id)) return false;
  check_room(size_);
  const auto number = counted(id);
  if (number && !first_) first_ = *number - size_;
  if (!number || *number != *first_ + size_) {
    const auto node = static_cast<std::int32_t>(size_);
    named_.push_back(node);
    number_.emplace(names_.emplace_back(id), node);
  }
  ++size_;
  return true;
}

bool NodeIndex::add_next() {
  check_room(size_);
  if (!first_) first_ = 0;
  if (!number_.empty() && number_.contains(std::to_string(*first_ + size_))) return false;
  ++size_;
  return true;
}

bool NodeIndex::is_named(std::int32_t node) const {
  return std::binary_search(named_.begin(), named_.end(), node);
}

std::optional<std::int32_t> NodeIndex::find(std::string_view id) const {
  if (const auto at = number_.find(id); at != number_.end()) return at->second;
  const auto number = first_ ? counted(id) : std::nullopt;
  if (!number || *number < *first_ || *number >= *first_ + size_) return std::nullopt;
  const auto node = static_cast<std::int32_t>(*number - *first_);
  return is_named(node) ? std::nullopt : std::optional(node);
}

std::int32_t NodeIndex::at(std::string_view id) const {
  if (const auto found = find(id)) return *found;
  if (id.empty()) refuse("the node's id is empty; complete the line");
  refuse("node {} is not in {}; add it there, or remove the line{}", show_field(id), source_, hint_);
}

std::vector<std::string> NodeIndex::names() const {
  std::vector<std::string> out;
  if (names_.empty() && first_ == 0) return out;
  out.reserve(static_cast<std::size_t>(size_));
  for (std::size_t k = 0; k <= names_.size(); ++k) {
    const Index next = k < names_.size() ? named_[k] : size_;
    while (static_cast<Index>(out.size()) < next)
      out.push_back(std::to_string(*first_ + static_cast<Index>(out.size())));
    if (k < names_.size()) out.push_back(names_[k]);
  }
  return out;
}

void check_claimed_nodes(const Text& text, Index nodes) {
  const auto most = std::max<Index>(Index{1} << 20, 16 * static_cast<Index>(text.bytes.size()));
  if (nodes <= most) return;
  refuse("{}: states {} nodes, but has only {} bytes; correct the number", text.where, nodes,
         text.bytes.size());
}

}  // namespace gdkm
