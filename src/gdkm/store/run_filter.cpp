#include "gdkm/store/run_filter.hpp"

#include <algorithm>
#include <charconv>

#include "gdkm/store/run_options.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

std::optional<double> number(const std::string& text) {
  double out = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && stop == text.data() + text.size() ? std::optional(out) : std::nullopt;
}

bool same_value(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto x = number(a), y = number(b);
  return x && y && *x == *y;
}

}  // namespace

bool RunFilter::matches(const Configuration& configuration) const {
  return std::all_of(where.begin(), where.end(), [&](const auto& condition) {
    const auto& [name, value] = condition;
    const std::string actual = name == "seed"    ? std::to_string(configuration.seed)
                               : name == "split" ? std::to_string(configuration.split)
                                                 : configuration.option(name);
    return same_value(actual, value);
  });
}

std::pair<std::string, std::string> parse_where(const std::string& text) {
  const auto at = text.find('=');
  if (at == std::string::npos || at == 0)
    throw InputError(option("where", text) + ": expected an option and its value, as in nu=0.1");
  return {option_key(text.substr(0, at)), text.substr(at + 1)};
}

}  // namespace gdkm
