#include "gdkm/data/formats/shared/class_names.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "gdkm/data/formats/shared/field_kind.hpp"
#include "gdkm/data/formats/shared/text_field.hpp"
#include "gdkm/dataset/class_name.hpp"
#include "gdkm/support/refuse.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {
namespace {

bool are_counted(const std::vector<std::string>& names) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k] != std::to_string(k)) return false;
  }
  return true;
}

template <class Names>
std::vector<std::string> in_natural_order(const Names& names) {
  std::vector<std::string> out(names.begin(), names.end());
  std::sort(out.begin(), out.end(), natural_less);
  return out;
}

}  // namespace

bool means_unlabelled(std::string_view text) {
  return means_missing(text) || text == "-1";
}

void set_classes(const std::vector<std::string>& text, const std::vector<std::string>& given,
                 Dataset& dataset) {
  std::vector<std::string> names = given;
  if (given.empty()) {
    std::unordered_set<std::string_view> seen;
    for (const std::string& each : text) {
      if (!means_unlabelled(each)) seen.insert(each);
    }
    names = in_natural_order(seen);
  }
  std::unordered_map<std::string_view, std::int32_t> number;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (!number.emplace(names[c], static_cast<std::int32_t>(c)).second)
      refuse("class {} is listed twice; list each class once", show_field(names[c]));
  }
  dataset.label.assign(text.size(), -1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto at = number.find(text[i]);
    if (at != number.end()) {
      dataset.label[i] = at->second;
    } else if (!means_unlabelled(text[i])) {
      refuse("class {} is not in the list of classes; add it there", show_field(text[i]));
    }
  }
  dataset.classes = static_cast<int>(names.size());
  dataset.class_names.clear();
  if (!are_counted(names)) dataset.class_names = std::move(names);
}

bool has_many_numbers(const Dataset& dataset) {
  constexpr int many = 50;
  const auto is_number = [](const std::string& name) { return to_number(name, true).has_value(); };
  return dataset.classes > many &&
         std::all_of(dataset.class_names.begin(), dataset.class_names.end(), is_number);
}

std::string many_numbers(const std::string& where, const Dataset& dataset) {
  return fmt::format("{}: the {} classes are all numbers; use {} to predict them as numbers", where,
                     dataset.classes, option("regression"));
}

std::vector<std::string> natural_classes(const Dataset& dataset) {
  std::vector<bool> used(static_cast<std::size_t>(dataset.classes), false);
  for (const auto label : dataset.label) {
    if (label >= 0) used[static_cast<std::size_t>(label)] = true;
  }
  std::vector<std::string> out;
  for (std::int32_t c = 0; c < dataset.classes; ++c) {
    if (used[static_cast<std::size_t>(c)]) out.push_back(class_name(dataset, c));
  }
  return in_natural_order(out);
}

void set_targets(const std::vector<std::string>& text, Dataset& dataset, bool decimal_comma) {
  dataset.targets = 1;
  dataset.classes = 0;
  dataset.class_names.clear();
  dataset.target.assign(text.size(), std::nanf(""));
  dataset.label.assign(text.size(), -1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (means_missing(text[i])) continue;
    const auto value = to_feature(text[i], decimal_comma);
    if (!value || !std::isfinite(*value)) {
      refuse("node {}: expected a number to predict, got {}; correct it, or leave out {} if it is a class",
             i + 1, show_field(text[i]), option("regression"));
    }
    dataset.target[i] = *value;
    dataset.label[i] = 0;
  }
}

}  // namespace gdkm
