#include "gdkm/data/formats/pickle/pickle.hpp"

namespace gdkm {

std::optional<PickleId> Pickle::find(const PickleDict& dict, std::string_view key) const {
  // As in Python, the last of several equal keys wins.
  for (auto item = dict.items.rbegin(); item != dict.items.rend(); ++item) {
    const auto* text = get<PickleText>(item->first);
    if (text != nullptr && text->view == key) return item->second;
  }
  return std::nullopt;
}

}  // namespace gdkm
