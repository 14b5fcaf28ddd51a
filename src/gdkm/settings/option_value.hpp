#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace gdkm {

/// The value of an option: a switch, a whole number, a number, a text (names of choices among them), or one
/// number per layer (∞ allowed; none: to be chosen).
using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<double>>;

/// What values an option takes.
struct FlagType {};
struct WholeType {
  double least = 0, most = 0;
  std::string zero;  // a word for 0, as "all" of splits; empty where there is none
};
struct RealType {
  double least = 0, most = 0;
};
struct ChoiceType {
  std::vector<std::string> names;
};
struct PerLayerType {
  double most = 0;  // numbers from 0 to this, or ∞; "auto" is an empty list
};
struct TextType {
  std::string allowed;  // what may be given, in words
  std::function<std::string(const std::string&)>
      canonical;  // the one way to write it; InputError if it is bad
};
using OptionType = std::variant<FlagType, WholeType, RealType, ChoiceType, PerLayerType, TextType>;

/// What may be given, in words: "a whole number from 1 to 64".
std::string allowed_values(const OptionType& type);

/// `value` in its one canonical form; an OptionError where the option `name` cannot have it.
OptionValue checked(const std::string& name, const OptionType& type, const OptionValue& value);

/// The same for a value that somebody typed.
OptionValue parse_value(const std::string& name, const OptionType& type, const std::string& text);

/// As people write it: "inf", "0.01", "true", "0.1,1".
std::string to_text(const OptionValue& value);

}  // namespace gdkm
