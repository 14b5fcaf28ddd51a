#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"

namespace gdkm {

enum class SplitPart { train, val, test };

/// Builds one split from the nodes that a file assigns to its parts. Nodes without a label are left out,
/// since they can neither train nor test. A node in two parts, or an empty training part, is an InputError.
class SplitMaker {
 public:
  /// `where` names the split in errors.
  SplitMaker(std::string where, const std::vector<std::int32_t>& label)
      : where_(std::move(where)), label_(label), owner_(label.size(), nobody) {}

  void add(SplitPart part, std::int64_t node);
  /// The split, with each part in ascending order.
  Split finish() const;

 private:
  static constexpr signed char nobody = -1;
  std::string where_;
  const std::vector<std::int32_t>& label_;
  std::vector<signed char> owner_;
};

}  // namespace gdkm
