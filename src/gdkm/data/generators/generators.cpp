#include "gdkm/data/generators/generators.hpp"

#include <fmt/format.h>

#include "gdkm/data/generators/csbm.hpp"
#include "gdkm/data/generators/erdos_renyi.hpp"
#include "gdkm/data/generators/minesweeper.hpp"
#include "gdkm/data/generators/ring.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

struct Entry {
  std::string_view name;
  GeneratorHelp (*help)();
  Dataset (*generate)(std::string_view options);
};

template <class G>
Entry entry() {
  return {G::name,
          [] {
            return GeneratorHelp{G::name, G::summary, G().options().help()};
          },
          [](std::string_view options) {
            G generator;
            generator.options().assign(G::name, options);
            return generator.generate();
          }};
}

const std::vector<Entry>& registry() {
  static const std::vector<Entry> entries = {entry<Minesweeper>(), entry<Csbm>(), entry<ErdosRenyi>(),
                                             entry<Ring>()};
  return entries;
}

const Entry* find(std::string_view name) {
  for (const Entry& candidate : registry()) {
    if (candidate.name == name) return &candidate;
  }
  return nullptr;
}

}  // namespace

std::vector<GeneratorHelp> list_generators() {
  std::vector<GeneratorHelp> out;
  for (const Entry& candidate : registry()) out.push_back(candidate.help());
  return out;
}

bool is_generator(std::string_view text) {
  const auto colon = text.find(':');
  return colon != std::string_view::npos && find(text.substr(0, colon)) != nullptr;
}

Dataset generate(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const Entry* found = find(name);
  if (found == nullptr) {
    std::string known;
    for (const Entry& candidate : registry())
      known += fmt::format("{}{}", known.empty() ? "" : ", ", candidate.name);
    refuse("unknown generator '{}'; use one of {}", name, known);
  }
  Dataset out = found->generate(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  out.name = std::string(text);
  return out;
}

}  // namespace gdkm
