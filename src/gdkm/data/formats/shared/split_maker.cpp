#include "gdkm/data/formats/shared/split_maker.hpp"

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {
constexpr const char* part_name[] = {"train", "val", "test"};
}

void SplitMaker::add(SplitPart part, std::int64_t node) {
  if (node < 0 || node >= static_cast<std::int64_t>(owner_.size())) {
    refuse("{}: refers to node {}, but nodes are numbered 0..{}; correct or remove it", where_, node,
           static_cast<std::int64_t>(owner_.size()) - 1);
  }
  auto& owner = owner_[static_cast<std::size_t>(node)];
  const auto wanted = static_cast<signed char>(part);
  if (owner == wanted)
    refuse("{}: node {} occurs twice in '{}'; keep it once", where_, node, part_name[wanted]);
  if (owner != nobody) {
    refuse("{}: node {} is in both '{}' and '{}'; keep each node in one part", where_, node, part_name[owner],
           part_name[wanted]);
  }
  owner = wanted;
}

Split SplitMaker::finish() const {
  Split out;
  std::vector<std::int32_t>* const parts[] = {&out.train, &out.val, &out.test};
  for (std::size_t i = 0; i < owner_.size(); ++i) {
    if (owner_[i] != nobody && label_[i] >= 0) parts[owner_[i]]->push_back(static_cast<std::int32_t>(i));
  }
  if (out.train.empty())
    refuse(where_ + ": has no labelled node to train on; mark training nodes or remove the split");
  return out;
}

}  // namespace gdkm
