#include "gdkm/data/generators/generator_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "gdkm/dataset/split_spec.hpp"
#include "gdkm/support/refuse.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

void GeneratorOptions::add(std::string key, std::int64_t& field, std::int64_t least, std::int64_t most,
                           std::string meaning) {
  options_.push_back({std::move(key), std::move(meaning), Target<std::int64_t>{&field, least, most}});
}

void GeneratorOptions::add(std::string key, double& field, double least, double most, std::string meaning) {
  options_.push_back({std::move(key), std::move(meaning), Target<double>{&field, least, most}});
}

std::vector<GeneratorOption> GeneratorOptions::help() const {
  std::vector<GeneratorOption> out;
  for (const Option& option : options_) {
    const auto shown =
        std::visit([](const auto& target) { return fmt::format("{}", *target.field); }, option.target);
    out.push_back({option.key, shown, option.meaning});
  }
  return out;
}

void GeneratorOptions::assign(std::string_view generator, std::string_view text) {
  std::string defaults;
  for (const auto& option : help()) {
    defaults += fmt::format("{}{}={}", defaults.empty() ? "" : ",", option.key, option.default_value);
  }
  const auto fail = [&](const std::string& what) {
    refuse("generator '{}': {}; its options and defaults are {}", generator, what, defaults);
  };
  std::set<std::string_view> given;
  while (!text.empty()) {
    const auto comma = text.find(',');
    const std::string_view item = text.substr(0, comma);
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    const auto equals = item.find('=');
    if (equals == std::string_view::npos) fail(fmt::format("expected key=value, got '{}'", item));
    const std::string_view key = item.substr(0, equals), value = item.substr(equals + 1);
    const auto option =
        std::find_if(options_.begin(), options_.end(), [&](const Option& o) { return o.key == key; });
    if (option == options_.end()) fail(fmt::format("has no option '{}'", key));
    if (!given.insert(key).second) fail(fmt::format("option '{}' is given twice", key));
    std::visit(
        [&](auto& target) {
          using Number = std::decay_t<decltype(target.least)>;
          const auto parsed = whole_number<Number>(value);
          // Negated, so that NaN fails too.
          if (!parsed || !(*parsed >= target.least && *parsed <= target.most)) {
            constexpr bool is_integer = std::is_same_v<Number, std::int64_t>;
            fail(fmt::format("{}: expected {} from {} to {}, got '{}'", key,
                             is_integer ? "an integer" : "a number", target.least, target.most, value));
          }
          *target.field = *parsed;
        },
        option->target);
  }
}

void GeneratedSplits::add_to(GeneratorOptions& options) {
  options.add("seed", seed, 0, std::numeric_limits<std::int64_t>::max(), "seed of graph and splits");
  options.add("train", train, 0, 1, "fraction of nodes to train on");
  options.add("val", val, 0, 1, "fraction of nodes to validate on");
  options.add("splits", splits, 0, 1000, "number of random splits, stratified by class");
}

void GeneratedSplits::draw(Dataset& dataset) const {
  if (splits == 0) return;
  dataset.splits["public"] =
      random_splits(dataset.label, train, val, static_cast<int>(splits), static_cast<std::uint64_t>(seed));
}

}  // namespace gdkm
