#include "gdkm/settings/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "gdkm/settings/option.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

std::vector<std::string> split_at(const std::string& text, char mark) {
  std::vector<std::string> out;
  std::istringstream rest(text);
  for (std::string part; std::getline(rest, part, mark);) {
    const auto first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
    out.push_back(first == std::string::npos ? "" : part.substr(first, last - first + 1));
  }
  return out;
}

/// "diffuse=8", "relations=self,in": what has no equals sign goes on with the value before it.
std::vector<std::string> assignments(const std::string& member) {
  std::vector<std::string> out;
  for (const std::string& part : split_at(member, ',')) {
    if (!out.empty() && part.find('=') == std::string::npos) {
      out.back() += "," + part;
    } else {
      out.push_back(part);
    }
  }
  return out;
}

std::pair<std::string, OptionValue> parse_assignment(const std::string& text) {
  const auto refuse = [&](const std::string& problem, const std::string& remedy) {
    throw OptionError("members", text, problem, remedy);
  };
  const auto equals = text.find('=');
  if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
    refuse("expected an option and its value", "write a member as diffuse=8,layers=1");
  std::string name = text.substr(0, equals);
  std::replace(name.begin(), name.end(), '-', '_');
  const Option* found = find_option(name);
  if (found == nullptr) refuse("a training has no option '" + name + "'", "see its list of options");
  if (name == "members") refuse("a committee has no committees among its members", "list all members");
  if (found->in_common || !found->identifies)
    refuse("the members of a committee have '" + name + "' in common", "give it to the committee");
  try {
    return {name, parse_value(name, found->type, text.substr(equals + 1))};
  } catch (const OptionError& error) {
    throw OptionError("members", text, error.problem(), error.remedy());
  }
}

std::size_t place_in_table(const std::string& name) {
  return static_cast<std::size_t>(find_option(name) - option_table().data());
}

MemberOptions parse_member(const std::string& text) {
  MemberOptions out;
  for (const std::string& part : assignments(text)) out.push_back(parse_assignment(part));
  if (out.empty())
    throw OptionError("members", text, "a member has no option of its own",
                      "give it one, perhaps with the value that the others do not have");
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return place_in_table(a.first) < place_in_table(b.first);
  });
  const auto twice = std::adjacent_find(out.begin(), out.end(),
                                        [](const auto& a, const auto& b) { return a.first == b.first; });
  if (twice != out.end())
    throw OptionError("members", text, "it gives '" + twice->first + "' twice", "give it once");
  return out;
}

/// With all digits, unlike to_text, so that the same value is read again.
std::string digits(double value) {
  return std::isinf(value) ? "inf" : fmt::format("{}", value);
}

std::string value_text(const std::string& name, const OptionValue& value) {
  const auto* whole = std::get_if<WholeType>(&find_option(name)->type);
  if (whole != nullptr && !whole->zero.empty() && value == OptionValue(std::int64_t{0})) return whole->zero;
  if (const auto* number = std::get_if<double>(&value)) return digits(*number);
  const auto* list = std::get_if<std::vector<double>>(&value);
  if (list == nullptr || list->empty()) return to_text(value);
  std::vector<std::string> parts;
  for (const double each : *list) parts.push_back(digits(each));
  return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace

std::vector<MemberOptions> parse_members(const std::string& text) {
  if (text.empty()) return {};
  std::vector<MemberOptions> out;
  for (const std::string& member : split_at(text, ';')) out.push_back(parse_member(member));
  if (out.size() < 2)
    throw OptionError("members", text, "a committee has two members or more",
                      "write a semicolon between them: diffuse=8;diffuse=16");
  return out;
}

std::string to_string(const MemberOptions& member) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : member) parts.push_back(name + "=" + value_text(name, value));
  return fmt::format("{}", fmt::join(parts, ","));
}

std::string to_string(const std::vector<MemberOptions>& members) {
  std::vector<std::string> parts;
  for (const MemberOptions& member : members) parts.push_back(to_string(member));
  return fmt::format("{}", fmt::join(parts, ";"));
}

std::vector<Settings> member_settings(const Settings& settings) {
  std::vector<Settings> out;
  for (const MemberOptions& member : settings.members) {
    Settings& each = out.emplace_back(settings);
    each.members.clear();
    for (const auto& [name, value] : member) find_option(name)->set(each, value);
  }
  return out;
}

void check_members(const Settings& settings, const DataKind& data) {
  const std::vector<Settings> members = member_settings(settings);
  for (std::size_t k = 0; k < members.size(); ++k) {
    const std::string text = to_string(settings.members[k]);
    for (const auto& [name, value] : settings.members[k]) {
      const Option& each = *find_option(name);
      const std::string why = lack_of_effect(each, members[k], data);
      if (!why.empty() && to_text(value) != each.implied)
        throw OptionError("members", text, option(name) + " has no effect: " + why, "leave it out");
    }
    try {
      check_settings(members[k], data);
    } catch (const OptionError& error) {
      throw OptionError("members", text, error.message(), "");
    }
  }
}

}  // namespace gdkm
