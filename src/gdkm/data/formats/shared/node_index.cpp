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

}  // namespace

NodeIndex::NodeIndex(std::string source, Index nodes, Index first)
    : source_(std::move(source)), size_(nodes), first_(first) {}

bool NodeIndex::add(std::string_view id) {
  if (id.empty()) refuse("the node's id is empty; give every node a name or a number");
  if (find(id)) return false;
  if (size_ >= std::numeric_limits<std::int32_t>::max())
    refuse("the graph has more than {} nodes; use a part of it", size_);
  if (counts_) {
    const auto number = counted(id);
    if (size_ == 0 && number) first_ = *number;
    if (!number || *number != first_ + size_) start_table();
  }
  if (!counts_) {
    names_.emplace_back(id);
    number_.emplace(names_.back(), static_cast<std::int32_t>(size_));
  }
  ++size_;
  return true;
}

void NodeIndex::start_table() {
  counts_ = false;
  for (Index k = 0; k < size_; ++k) {
    names_.push_back(std::to_string(first_ + k));
    number_.emplace(names_.back(), static_cast<std::int32_t>(k));
  }
}

std::optional<std::int32_t> NodeIndex::find(std::string_view id) const {
  if (counts_) {
    const auto number = counted(id);
    if (!number || *number < first_ || *number >= first_ + size_) return std::nullopt;
    return static_cast<std::int32_t>(*number - first_);
  }
  const auto at = number_.find(id);
  return at == number_.end() ? std::nullopt : std::optional(at->second);
}

std::int32_t NodeIndex::at(std::string_view id) const {
  if (const auto found = find(id)) return *found;
  if (id.empty()) refuse("the node's id is empty; complete the line");
  refuse("node {} is not in {}; add it there, or remove the line{}", show_field(id), source_, hint_);
}

std::vector<std::string> NodeIndex::names() const {
  if (!counts_) return {names_.begin(), names_.end()};
  std::vector<std::string> out;
  if (first_ == 0) return out;
  for (Index k = 0; k < size_; ++k) out.push_back(std::to_string(first_ + k));
  return out;
}

void check_claimed_nodes(const Text& text, Index nodes) {
  const auto most = std::max<Index>(Index{1} << 20, 16 * static_cast<Index>(text.bytes.size()));
  if (nodes <= most) return;
  refuse("{}: states {} nodes, but has only {} bytes; correct the number", text.where, nodes,
         text.bytes.size());
}

}  // namespace gdkm
