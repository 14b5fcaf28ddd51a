#include "gdkm/dataset/split_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gdkm/dataset/class_name.hpp"

namespace gdkm {
namespace {

using Part = std::vector<std::int32_t> Split::*;
constexpr std::array<std::pair<Part, const char*>, 3> parts{
    {{&Split::train, "training"}, {&Split::val, "validation"}, {&Split::test, "test"}}};

/// "1 node", "2 graphs".
std::string counted_items(const Dataset& dataset, std::size_t count) {
  return fmt::format("{} {}{}", count, dataset.task == Task::node ? "node" : "graph", count == 1 ? "" : "s");
}

std::vector<Index> count_classes(const Dataset& dataset, const std::vector<std::int32_t>& items) {
  std::vector<Index> out(static_cast<std::size_t>(dataset.classes), 0);
  for (const auto item : items) {
    const auto label = dataset.label[static_cast<std::size_t>(item)];
    if (label >= 0) ++out[static_cast<std::size_t>(label)];
  }
  return out;
}

/// The classes that have no item among these, and of `candidates`, where given, at least one.
std::vector<std::string> absent_classes(const Dataset& dataset, const std::vector<std::int32_t>& items,
                                        const std::vector<Index>* candidates = nullptr) {
  const auto count = count_classes(dataset, items);
  std::vector<std::string> out;
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] == 0 && (candidates == nullptr || (*candidates)[c] > 0))
      out.push_back(class_text(dataset, static_cast<Index>(c)));
  }
  return out;
}

}  // namespace

std::vector<std::string> split_remarks(const Dataset& dataset, const std::vector<Split>& splits) {
  constexpr std::size_t few = 10;
  std::vector<std::int32_t> labelled;
  for (std::size_t k = 0; k < dataset.label.size(); ++k)
    if (dataset.label[k] >= 0) labelled.push_back(static_cast<std::int32_t>(k));
  const auto all = dataset.is_regression() ? std::vector<Index>() : count_classes(dataset, labelled);
  std::vector<std::string> out;
  for (const auto& each : parts) {
    const Part part = each.first;
    const char* name = each.second;
    const auto small = std::find_if(splits.begin(), splits.end(),
                                    [&](const Split& split) { return (split.*part).size() < few; });
    if (small != splits.end()) {
      const std::size_t size = ((*small).*part).size();
      out.push_back(size == 0 ? fmt::format("the {} part is empty", name)
                              : fmt::format("the {} part has only {}; what it says is uncertain", name,
                                            counted_items(dataset, size)));
    }
    if (dataset.is_regression()) continue;
    for (const Split& split : splits) {
      if ((split.*part).empty()) continue;
      const auto absent = absent_classes(dataset, split.*part, &all);
      if (absent.empty()) continue;
      out.push_back(fmt::format("the {} part has no {} of class {}", name,
                                dataset.task == Task::node ? "node" : "graph", first_few(absent)));
      break;
    }
  }
  return out;
}

std::vector<std::string> training_remarks(const Dataset& dataset, const Split& split) {
  if (dataset.is_regression()) return {};
  constexpr Index few = 3;
  const char* item = dataset.task == Task::node ? "node" : "graph";
  const auto classes = [](const std::vector<std::string>& list) {
    return fmt::format("{} {}", list.size(), list.size() == 1 ? "class has" : "classes have");
  };
  std::vector<std::string> out, tiny;
  const auto absent = absent_classes(dataset, split.train);
  if (!absent.empty()) {
    out.push_back(fmt::format("{} no training {}: {}; {} will hardly be predicted", classes(absent), item,
                              first_few(absent), absent.size() == 1 ? "it" : "they"));
  }
  const auto count = count_classes(dataset, split.train);
  for (std::size_t c = 0; c < count.size(); ++c) {
    if (count[c] > 0 && count[c] < few)
      tiny.push_back(fmt::format("{} ({})", class_text(dataset, static_cast<Index>(c)), count[c]));
  }
  if (!tiny.empty()) {
    out.push_back(fmt::format("{} fewer than {} training {}s: {}; what is said of them is a guess",
                              classes(tiny), few, item, first_few(tiny)));
  }
  return out;
}

std::string test_remark(const Dataset& dataset, const Split& split) {
  constexpr std::size_t few = 30;
  const std::size_t tested = split.test.size();
  if (tested == 0 || tested >= few) return "";
  return fmt::format("{} {} tested: a score of so few says little", counted_items(dataset, tested),
                     tested == 1 ? "is" : "are");
}

}  // namespace gdkm
