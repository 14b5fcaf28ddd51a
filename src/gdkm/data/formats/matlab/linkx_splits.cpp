#include "gdkm/data/formats/matlab/linkx_splits.hpp"

#include <fmt/format.h>

#include "gdkm/data/formats/pickle/pickled_array.hpp"
#include "gdkm/data/formats/shared/split_maker.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

struct Part {
  const char* key;
  SplitPart part;
};
constexpr Part parts[] = {{"train", SplitPart::train}, {"valid", SplitPart::val}, {"test", SplitPart::test}};

/// Splits may share arrays, so the file size does not limit their total size.
constexpr std::size_t most_splits = 100;

}  // namespace

std::vector<Split> read_linkx_splits(const Text& text, const std::vector<std::int32_t>& label) {
  const Pickle pickle = read_object_npy(text);
  const auto dicts = pickled_objects(pickle, pickle.root(), pickle.where());
  if (dicts.empty() || dicts.size() > most_splits)
    refuse("{}: has {} splits; store 1 to {}", pickle.where(), dicts.size(), most_splits);
  std::vector<Split> out;
  for (std::size_t s = 0; s < dicts.size(); ++s) {
    const std::string where = fmt::format("{}: split {}", pickle.where(), s);
    SplitMaker maker(where, label);
    for (const Part& part : parts) {
      const auto* dict = pickle.get<PickleDict>(dicts[s]);
      const auto found = dict == nullptr ? std::nullopt : pickle.find(*dict, part.key);
      if (!found) refuse("{}: has no '{}'; store a dict with 'train', 'valid' and 'test'", where, part.key);
      const NpyArray nodes = pickled_array(pickle, *found, fmt::format("{}: array '{}'", where, part.key));
      if (!nodes.header.is_integer() || nodes.header.descr[1] == 'b')
        refuse("{}: holds '{}'; store node numbers as integers", nodes.where, nodes.header.descr);
      for (const auto node : nodes.as<std::int64_t>()) maker.add(part.part, node);
    }
    out.push_back(maker.finish());
  }
  return out;
}

}  // namespace gdkm
