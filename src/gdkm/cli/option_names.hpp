#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

#include "gdkm/training/settings.hpp"

namespace gdkm::cli {

/// `name` as one of the values, spelled as settings spell them: strings become types here, at the edge.
template <class E>
CLI::Option* add_choice(CLI::App& app, const std::string& name, E& value, const std::vector<E>& values,
                        const std::string& help) {
  std::map<std::string, E> choices;
  std::string list;
  for (const E v : values) {
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

/// "0.1,inf" as numbers; an error names the option.
std::vector<double> parse_nu(const std::string& text);

}  // namespace gdkm::cli
