#include "gdkm/dataset/split_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gdkm {
namespace {

constexpr std::size_t few = 10;
using Part = std::vector<std::int32_t> Split::*;
constexpr std::array<std::pair<Part, const char*>, 3> parts{
    {{&Split::train, "training"}, {&Split::val, "validation"}, {&Split::test, "test"}}};

/// The classes that have items, but none among these; shortened to fit a line.
std::string absent_classes(const Dataset& dataset, const std::vector<std::int32_t>& items) {
  std::vector<bool> here(static_cast<std::size_t>(dataset.classes)), anywhere = here;
  for (const auto label : dataset.label)
    if (label >= 0) anywhere[static_cast<std::size_t>(label)] = true;
  for (const auto item : items)
    here[static_cast<std::size_t>(dataset.label[static_cast<std::size_t>(item)])] = true;
  std::string out;
  int count = 0;
  for (std::size_t c = 0; c < here.size(); ++c) {
    if (here[c] || !anywhere[c] || ++count > 5) continue;
    out += (out.empty() ? "" : ", ") +
           (dataset.class_names.empty() ? std::to_string(c) : "'" + dataset.class_names[c] + "'");
  }
  return count > 5 ? out + ", ..." : out;
}

}  // namespace

std::vector<std::string> split_remarks(const Dataset& dataset, const std::vector<Split>& splits) {
  const char* item = dataset.task == Task::node ? "node" : "graph";
  std::vector<std::string> out;
  for (const auto& each : parts) {
    const Part part = each.first;
    const char* name = each.second;
    const auto small = std::find_if(splits.begin(), splits.end(),
                                    [&](const Split& split) { return (split.*part).size() < few; });
    if (small != splits.end()) {
      const std::size_t size = ((*small).*part).size();
      out.push_back(size == 0 ? fmt::format("the {} part is empty", name)
                              : fmt::format("the {} part has only {} {}{}; what it says is uncertain", name,
                                            size, item, size == 1 ? "" : "s"));
    }
    if (dataset.is_regression()) continue;
    for (const Split& split : splits) {
      if ((split.*part).empty()) continue;
      const std::string absent = absent_classes(dataset, split.*part);
      if (absent.empty()) continue;
      out.push_back(fmt::format("the {} part has no {} of class {}", name, item, absent));
      break;
    }
  }
  return out;
}

}  // namespace gdkm
