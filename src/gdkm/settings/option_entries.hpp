#pragma once

#include "gdkm/settings/option.hpp"
#include "gdkm/support/error.hpp"

/// What the table of options is written in.
namespace gdkm {

// An entry begins with the kind of its value: `access` gives the member of Settings, as a reference.

template <class Access>
Option flag(std::string name, std::string group, Access access, std::string help) {
  return {.name = std::move(name),
          .group = std::move(group),
          .type = FlagType{},
          .symbol = "",
          .help = std::move(help),
          .get = [access](const Settings& s) -> OptionValue { return access(s); },
          .set = [access](Settings& s, const OptionValue& value) { access(s) = std::get<bool>(value); }};
}

/// A switch that turns a member off.
template <class Access>
Option negated_flag(std::string name, std::string group, Access access, std::string help) {
  Option out = flag(std::move(name), std::move(group), access, std::move(help));
  out.get = [access](const Settings& s) -> OptionValue { return !access(s); };
  out.set = [access](Settings& s, const OptionValue& value) { access(s) = !std::get<bool>(value); };
  return out;
}

template <class Access>
Option whole(std::string name, std::string group, Access access, WholeType range, std::string symbol,
             std::string help) {
  return {.name = std::move(name),
          .group = std::move(group),
          .type = std::move(range),
          .symbol = std::move(symbol),
          .help = std::move(help),
          .get = [access](const Settings& s) -> OptionValue { return static_cast<std::int64_t>(access(s)); },
          .set =
              [access](Settings& s, const OptionValue& value) {
                auto& member = access(s);
                member =
                    static_cast<std::remove_reference_t<decltype(member)>>(std::get<std::int64_t>(value));
              }};
}

template <class Access>
Option real(std::string name, std::string group, Access access, RealType range, std::string help) {
  return {.name = std::move(name),
          .group = std::move(group),
          .type = range,
          .symbol = "X",
          .help = std::move(help),
          .get = [access](const Settings& s) -> OptionValue { return access(s); },
          .set = [access](Settings& s, const OptionValue& value) { access(s) = std::get<double>(value); }};
}

/// The names of an enumeration, which stand beside it.
template <class Access>
Option choice(std::string name, std::string group, Access access, std::string help) {
  using E = std::remove_cvref_t<decltype(access(std::declval<Settings&>()))>;
  std::string symbol, list;
  for (const std::string& each : names_of<E>()) {
    symbol += (symbol.empty() ? "" : "|") + each;
    list += (list.empty() ? "" : ", ") + each;
  }
  constexpr std::size_t fits = 60;  // beside the option's name, on a line of help
  if (symbol.size() > fits) {
    symbol = "NAME";
    help += ": " + list;
  }
  return {.name = std::move(name),
          .group = std::move(group),
          .type = ChoiceType{names_of<E>()},
          .symbol = symbol,
          .help = std::move(help),
          .get = [access](const Settings& s) -> OptionValue { return name_of(access(s)); },
          .set =
              [access](Settings& s, const OptionValue& value) {
                access(s) = *value_named<E>(std::get<std::string>(value));
              }};
}

inline Option text(std::string name, std::string group, TextType type, std::string symbol,
                   std::function<std::string(const Settings&)> get,
                   std::function<void(Settings&, const std::string&)> set, std::string help) {
  return {.name = std::move(name),
          .group = std::move(group),
          .type = std::move(type),
          .symbol = std::move(symbol),
          .help = std::move(help),
          .get = [get = std::move(get)](const Settings& s) -> OptionValue { return get(s); },
          .set = [set = std::move(set)](Settings& s,
                                        const OptionValue& value) { set(s, std::get<std::string>(value)); }};
}

/// The one way to write what `parse` reads; an OptionError of `name` where it cannot.
template <class Parse>
std::function<std::string(const std::string&)> canonical_by(std::string name, Parse parse) {
  return [name = std::move(name), parse](const std::string& given) {
    try {
      return to_string(parse(given));
    } catch (const OptionError&) {
      throw;
    } catch (const InputError& error) {
      throw OptionError(name, given, error.message(), "");
    }
  };
}

using Condition = std::function<std::string(const Settings&, const DataKind&)>;

/// `entry`, for some models alone, and under a condition.
inline Option only(unsigned models, Option entry, Condition condition = {}) {
  entry.models = models;
  entry.condition = std::move(condition);
  return entry;
}
inline Option later(Option entry) {
  entry.later = true;
  return entry;
}
/// Files and stores that do not name it mean this.
inline Option later(Option entry, std::function<std::string(ModelKind)> before) {
  entry.before = std::move(before);
  return later(std::move(entry));
}
/// The members of a committee do not differ in it.
inline Option in_common(Option entry) {
  entry.in_common = true;
  return entry;
}
/// Of the machine or the number of runs: no part of what a run is.
inline Option not_identifying(Option entry) {
  entry.identifies = false;
  return entry;
}

}  // namespace gdkm
