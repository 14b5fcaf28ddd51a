#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <concepts>
#include <map>
#include <string>
#include <type_traits>
#include <vector>

#include "gdkm/settings/settings.hpp"

namespace gdkm::cli {

/// For choices that are plain strings.
inline std::string name_of(const std::string& name) {
  return name;
}

/// Adds an option whose value is one of `values`, by their names.
template <class E>
CLI::Option* add_choice(CLI::App& app, const std::string& name, E& value, const std::vector<E>& values,
                        const std::string& help) {
  std::map<std::string, E> choices;
  std::string list;
  for (const E& v : values) {
    choices[name_of(v)] = v;
    list += (list.empty() ? "" : "|") + name_of(v);
  }
  return app
      .add_option_function<std::string>(
          name,
          [&value, choices, list, name](const std::string& given) {
            const auto at = choices.find(given);
            if (at == choices.end()) throw CLI::ValidationError(name + " " + given, "must be " + list);
            value = at->second;
          },
          help)
      ->type_name(list)
      ->default_str(name_of(value));
}

/// Adds an option whose value is a number from `least` to `most`; the help shows it as `symbol`.
template <class N>
CLI::Option* add_number(CLI::App& app, const std::string& name, const std::string& symbol, N& value,
                        std::type_identity_t<N> least, std::type_identity_t<N> most,
                        const std::string& help) {
  return app
      .add_option_function<std::string>(
          name,
          [&value, least, most, name](const std::string& given) {
            N parsed{};
            const char* end = given.data() + given.size();
            const auto [stop, error] = std::from_chars(given.data(), end, parsed);
            // Negated, so that NaN fails too.
            if (error != std::errc{} || stop != end || !(parsed >= least && parsed <= most)) {
              throw CLI::ValidationError(name + " " + given,
                                         fmt::format("must be a {}number from {} to {}",
                                                     std::integral<N> ? "whole " : "", least, most));
            }
            value = parsed;
          },
          help)
      ->type_name(symbol)
      ->default_str(fmt::format("{}", value));
}

}  // namespace gdkm::cli
