#include "gdkm/settings/option_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

template <class N>
std::optional<N> number_of(std::string_view text) {
  N out{};
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return out;
}

/// A whole number that may have come as a real one, or the other way round.
std::optional<double> real_of(const OptionValue& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

std::string number_text(double value) {
  return std::isinf(value) ? "inf" : fmt::format("{:g}", value);
}

[[noreturn]] void refuse(const std::string& name, const OptionType& type, const std::string& given) {
  throw OptionError(name, given, "expected " + allowed_values(type), "");
}

std::vector<double> split_numbers(const std::string& name, const OptionType& type, const std::string& text) {
  std::vector<double> out;
  std::string_view rest = text;
  while (true) {
    const auto comma = rest.find(',');
    const auto part = rest.substr(0, comma);
    const auto value = part == "inf" ? std::numeric_limits<double>::infinity() : number_of<double>(part);
    if (!value) refuse(name, type, text);
    out.push_back(*value);
    if (comma == std::string_view::npos) return out;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

std::string allowed_values(const OptionType& type) {
  return std::visit(
      Overloaded{
          [](const FlagType&) -> std::string { return "true or false"; },
          [](const WholeType& t) {
            return t.zero.empty() ? fmt::format("a whole number from {:.0f} to {:.0f}", t.least, t.most)
                                  : fmt::format("a whole number from 1 to {:.0f}, or '{}'", t.most, t.zero);
          },
          [](const RealType& t) { return fmt::format("a number from {:g} to {:g}", t.least, t.most); },
          [](const ChoiceType& t) { return fmt::format("one of {}", fmt::join(t.names, ", ")); },
          [](const PerLayerType& t) {
            return fmt::format("a number >= 0 (up to {:g}), 'inf', one per layer (0.1,1), or 'auto'", t.most);
          },
          [](const TextType& t) { return t.allowed; }},
      type);
}

OptionValue checked(const std::string& name, const OptionType& type, const OptionValue& value) {
  const auto bad = [&] { refuse(name, type, to_text(value)); };
  return std::visit(
      Overloaded{[&](const FlagType&) -> OptionValue {
                   if (!std::holds_alternative<bool>(value)) bad();
                   return value;
                 },
                 [&](const WholeType& t) -> OptionValue {
                   if (!t.zero.empty() && value == OptionValue(t.zero)) return std::int64_t{0};
                   const auto* whole = std::get_if<std::int64_t>(&value);
                   const double least = t.zero.empty() ? t.least : 1;
                   if (whole == nullptr || static_cast<double>(*whole) < least ||
                       static_cast<double>(*whole) > t.most)
                     bad();
                   return value;
                 },
                 [&](const RealType& t) -> OptionValue {
                   const auto number = real_of(value);
                   // Negated, so that NaN fails too.
                   if (!number || !(*number >= t.least && *number <= t.most)) bad();
                   return *number;
                 },
                 [&](const ChoiceType& t) -> OptionValue {
                   const auto* text = std::get_if<std::string>(&value);
                   if (text == nullptr || std::find(t.names.begin(), t.names.end(), *text) == t.names.end())
                     bad();
                   return value;
                 },
                 [&](const PerLayerType& t) -> OptionValue {
                   if (value == OptionValue(std::string("auto"))) return std::vector<double>{};
                   std::vector<double> list;
                   if (const auto number = real_of(value)) list = {*number};
                   if (const auto* given = std::get_if<std::vector<double>>(&value)) list = *given;
                   if (const auto* text = std::get_if<std::string>(&value))
                     list = split_numbers(name, type, *text);
                   const auto possible = [&](double v) { return v >= 0 && (std::isinf(v) || v <= t.most); };
                   if (list.empty() || !std::all_of(list.begin(), list.end(), possible)) bad();
                   return list;
                 },
                 [&](const TextType& t) -> OptionValue {
                   const auto* text = std::get_if<std::string>(&value);
                   if (text == nullptr) bad();
                   return t.canonical ? t.canonical(*text) : *text;
                 }},
      type);
}

OptionValue parse_value(const std::string& name, const OptionType& type, const std::string& text) {
  const auto parsed = std::visit(Overloaded{[&](const FlagType&) -> OptionValue {
                                              if (text != "true" && text != "false") refuse(name, type, text);
                                              return text == "true";
                                            },
                                            [&](const WholeType& t) -> OptionValue {
                                              if (!t.zero.empty() && text == t.zero) return text;
                                              if (const auto number = number_of<std::int64_t>(text))
                                                return *number;
                                              refuse(name, type, text);
                                            },
                                            [&](const RealType&) -> OptionValue {
                                              if (const auto number = number_of<double>(text)) return *number;
                                              refuse(name, type, text);
                                            },
                                            [&](const auto&) -> OptionValue { return text; }},
                                 type);
  try {
    return checked(name, type, parsed);
  } catch (const OptionError& error) {  // with the words that were typed
    if (error.value() == text) throw;
    throw OptionError(name, text, error.problem(), error.remedy());
  }
}

std::string to_text(const OptionValue& value) {
  return std::visit(
      Overloaded{[](bool v) -> std::string { return v ? "true" : "false"; },
                 [](std::int64_t v) { return std::to_string(v); }, [](double v) { return number_text(v); },
                 [](const std::string& v) { return v; },
                 [](const std::vector<double>& v) {
                   if (v.empty()) return std::string("auto");
                   std::vector<std::string> parts;
                   for (const double each : v) parts.push_back(number_text(each));
                   return fmt::format("{}", fmt::join(parts, ","));
                 }},
      value);
}

}  // namespace gdkm
