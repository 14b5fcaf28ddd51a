#include "gdkm/experiments/sweep/committee_stage.hpp"

#include <algorithm>

#include "gdkm/settings/settings_json.hpp"

namespace gdkm {

RunOptions committee_options(const std::vector<Candidate>& compared, std::int64_t best) {
  if (compared.size() == 1) return compared.front().varied;
  const std::size_t size = std::min(compared.size(), static_cast<std::size_t>(best));
  std::vector<MemberOptions> members(size);
  // Variants of a stage may name different options. Each member names them all, so that none falls back to
  // what the committee has. It also names options that have an effect under a condition: the committee may
  // not meet it, and then has none for its members. What has no effect on a member is not among its options.
  const Settings defaults;
  for (const Option& option : option_table()) {
    const bool is_varied = std::any_of(compared.begin(), compared.end(), [&](const Candidate& candidate) {
      return candidate.varied.contains(option.name);
    });
    if (option.in_common || !option.identifies || (!is_varied && !option.condition)) continue;
    for (std::size_t k = 0; k < size; ++k) {
      const auto value = compared[k].options.find(option.name);
      if (value == compared[k].options.end()) continue;
      if (is_varied || *value != to_json(option, option.get(defaults)))
        members[k].emplace_back(option.name, value_from_json(option, *value));
    }
  }
  return {{"members", to_string(members)}};
}

}  // namespace gdkm
