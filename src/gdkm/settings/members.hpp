#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gdkm/settings/option_value.hpp"

namespace gdkm {

struct DataKind;
struct Settings;

/// What one member of a committee has of its own: options and their values, in the order of the table.
using MemberOptions = std::vector<std::pair<std::string, OptionValue>>;

/// Two members or more as people write them, "diffuse=8,layers=1;diffuse=16": members end with a semicolon,
/// options with a comma. A value may have commas of its own (relations=self,in,out), because what has no
/// equals sign belongs to the value before it. None for an empty text. An OptionError for what is no option,
/// for a value that an option cannot have, and for options that members have in common.
std::vector<MemberOptions> parse_members(const std::string& text);
/// The one way to write them, from which parse_members makes the same members.
std::string to_string(const MemberOptions& member);
std::string to_string(const std::vector<MemberOptions>& members);

/// The settings of each member: `settings` with the member's own options. None where there is no committee.
std::vector<Settings> member_settings(const Settings& settings);

/// Throws an OptionError where members contradict themselves or the data, or an option of theirs has no
/// effect.
void check_members(const Settings& settings, const DataKind& data);

}  // namespace gdkm
