#include "gdkm/experiments/sweep/spec_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gdkm/experiments/text_table.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

std::optional<nlohmann::json> to_json(const toml::node& node) {
  if (const auto* v = node.as_string()) return v->get();
  if (const auto* v = node.as_boolean()) return v->get();
  if (const auto* v = node.as_integer()) return v->get();
  if (const auto* v = node.as_floating_point()) return v->get();
  if (const auto* list = node.as_array()) {
    auto out = nlohmann::json::array();
    for (const auto& each : *list) {
      auto value = to_json(each);
      if (!value) return std::nullopt;
      out.push_back(std::move(*value));
    }
    return out;
  }
  return std::nullopt;
}

}  // namespace

SpecTable::SpecTable(const toml::table& table, std::string file, std::string what, int line)
    : table_(table), file_(std::move(file)), what_(std::move(what)), line_(line) {}

std::vector<std::string> SpecTable::keys() const {
  using Place = std::pair<std::pair<unsigned, unsigned>, std::string>;
  std::vector<Place> found;
  for (const auto& [key, node] : table_) {
    const auto at = key.source().begin;
    found.push_back({{at.line, at.column}, std::string(key.str())});
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> out;
  for (auto& [place, key] : found) out.push_back(std::move(key));
  return out;
}

int SpecTable::line_of(const std::string& key) const {
  const auto at = table_.find(key);
  return at == table_.end() ? line_ : static_cast<int>(at->first.source().begin.line);
}

void SpecTable::fail(int line, const std::string& message) const {
  throw InputError(fmt::format("{}:{}: {}", file_, line, message));
}

void SpecTable::fail_at(const std::string& key, const std::string& message) const {
  fail(line_of(key), message);
}

void SpecTable::allow(std::initializer_list<std::string_view> allowed) const {
  for (const std::string& key : keys()) {
    if (std::find(allowed.begin(), allowed.end(), key) != allowed.end()) continue;
    fail_at(key, fmt::format("{} has no key '{}'{}; it may have {}", what_, key,
                             suggestion(key, {allowed.begin(), allowed.end()}), fmt::join(allowed, ", ")));
  }
}

std::string SpecTable::text(const std::string& key) const {
  if (!has(key)) fail(line_, fmt::format("{} needs {} = \"...\"", what_, key));
  const auto* found = table_[key].as_string();
  if (found == nullptr || found->get().empty()) fail_at(key, fmt::format("{} must be a text", key));
  return found->get();
}

std::string SpecTable::text_or(const std::string& key, const std::string& otherwise) const {
  return has(key) ? text(key) : otherwise;
}

std::int64_t SpecTable::whole_or(const std::string& key, std::int64_t otherwise, std::int64_t least) const {
  if (!has(key)) return otherwise;
  const auto* found = table_[key].as_integer();
  if (found == nullptr || found->get() < least || found->get() > 1000000000)
    fail_at(key, fmt::format("{} must be a whole number from {} to 1000000000", key, least));
  return found->get();
}

double SpecTable::number_or(const std::string& key, double otherwise, double least) const {
  if (!has(key)) return otherwise;
  const auto found = table_[key].value<double>();
  if (!found || table_[key].is_boolean() || !(*found >= least) || !std::isfinite(*found))
    fail_at(key, fmt::format("{} must be a number from {:g} on", key, least));
  return *found;
}

std::vector<std::string> SpecTable::texts(const std::string& key) const {
  const std::string allowed = fmt::format("{} must be a text or a list of different texts", key);
  nlohmann::json given = value(key);
  if (given.is_string()) given = nlohmann::json::array({given});
  if (!given.is_array() || given.empty()) fail_at(key, allowed);
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const auto& each : given) {
    if (!each.is_string() || each == "" || !seen.insert(each.get<std::string>()).second)
      fail_at(key, allowed);
    out.push_back(each);
  }
  return out;
}

nlohmann::json SpecTable::value(const std::string& key) const {
  auto out = to_json(*table_.get(key));
  if (!out) fail_at(key, fmt::format("{} must be a text, a number, true, false or a list", key));
  return *out;
}

std::optional<SpecTable> SpecTable::table(const std::string& key) const {
  if (!has(key)) return std::nullopt;
  const auto* found = table_[key].as_table();
  if (found == nullptr) fail_at(key, fmt::format("{} must be a table", key));
  return SpecTable(*found, file_, "[" + key + "]", line_of(key));
}

std::vector<SpecTable> SpecTable::tables(const std::string& key) const {
  std::vector<SpecTable> out;
  if (!has(key)) return out;
  const auto* list = table_[key].as_array();
  if (list == nullptr)
    fail_at(key, fmt::format("{} must be a list of tables; write two brackets on each side", key));
  for (const auto& each : *list) {
    if (!each.is_table()) fail_at(key, fmt::format("{} must be a list of tables", key));
    const auto line = static_cast<int>(each.source().begin.line);
    out.emplace_back(*each.as_table(), file_, key, line > 0 ? line : line_of(key));
  }
  return out;
}

}  // namespace gdkm
