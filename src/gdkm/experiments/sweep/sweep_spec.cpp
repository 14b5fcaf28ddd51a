#include "gdkm/experiments/sweep/sweep_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/experiments/sweep/quick_spec.hpp"
#include "gdkm/experiments/sweep/spec_table.hpp"
#include "gdkm/support/edit_distance.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::json;

[[noreturn]] void no_such_option(const SpecTable& table, const std::string& key, const std::string& model,
                                 bool exact) {
  const auto allowed = options_of(model, exact);
  const auto nearest = std::min_element(allowed.begin(), allowed.end(), [&](const auto& a, const auto& b) {
    return edit_distance(key, a) < edit_distance(key, b);
  });
  const bool near = edit_distance(key, *nearest) <= 1 + key.size() / 4;
  table.fail_at(
      key, fmt::format("'{}' is no option of {}{}; it may be {}", key, model,
                       near ? fmt::format(" (did you mean '{}'?)", *nearest) : "", fmt::join(allowed, ", ")));
}

/// With a model, its options alone are allowed; without, those of any model.
void check_key(const SpecTable& table, const std::string& key, const std::string& model) {
  const std::string name = option_key(key);
  const bool known =
      model.empty() ? is_option(name) : has_option(model, false, name) || has_option(model, true, name);
  if (!known) no_such_option(table, key, model.empty() ? "dkm" : model, false);
}

Json checked(const SpecTable& table, const std::string& key, const Json& value) {
  try {
    return check_option(option_key(key), value);
  } catch (const InputError& error) {
    table.fail_at(key, error.what());
  }
}

}  // namespace

RunOptions read_options(const SpecTable& table, const std::string& model) {
  RunOptions out;
  for (const std::string& key : table.keys()) {
    check_key(table, key, model);
    if (!out.emplace(option_key(key), checked(table, key, table.value(key))).second)
      table.fail_at(key, fmt::format("{} is given twice", key));
  }
  return out;
}

OptionGrid read_grid(const SpecTable& table, const std::string& model) {
  OptionGrid out;
  for (const std::string& key : table.keys()) {
    check_key(table, key, model);
    const Json values = table.value(key);
    if (!values.is_array() || values.empty())
      table.fail_at(key, fmt::format("{} must be a list of values to try", key));
    std::vector<Json> list;
    for (const Json& value : values) {
      Json canonical = checked(table, key, value);
      if (std::find(list.begin(), list.end(), canonical) != list.end())
        table.fail_at(key, fmt::format("{} has {} twice", key, canonical.dump()));
      list.push_back(std::move(canonical));
    }
    out.emplace_back(option_key(key), std::move(list));
  }
  return out;
}

RunScope read_scope(const SpecTable& table, const std::string& model) {
  RunScope out;
  if (const auto options = table.table("options")) out.options = read_options(*options, model);
  if (table.has("seeds")) {
    const std::string allowed = "seeds must be how many, from 1 to 100000, or a list of different seeds";
    const Json value = table.value("seeds");
    out.seeds.emplace();
    if (value.is_number_integer() && value >= 1 && value <= 100000) {
      for (std::uint64_t k = 0; k < value.get<std::uint64_t>(); ++k) out.seeds->push_back(k);
    } else if (value.is_array() && !value.empty()) {
      std::set<std::int64_t> seen;
      for (const Json& seed : value) {
        if (!seed.is_number_integer() || seed < 0 || seed > 4294967295 ||
            !seen.insert(seed.get<std::int64_t>()).second)
          table.fail_at("seeds", allowed);
        out.seeds->push_back(seed.get<std::uint64_t>());
      }
    } else {
      table.fail_at("seeds", allowed);
    }
  }
  if (table.has("splits")) {
    const std::string allowed = "splits must be \"all\", how many, or a list of their numbers, from 0";
    const Json value = table.value("splits");
    out.splits.emplace();
    if (value == "all") {
      out.splits->count = 0;
    } else if (value.is_number_integer() && value >= 1 && value <= 100000) {
      out.splits->count = value;
    } else if (value.is_array() && !value.empty()) {
      std::set<int> seen;
      for (const Json& split : value) {
        if (!split.is_number_integer() || split < 0 || split > 100000 ||
            !seen.insert(split.get<int>()).second)
          table.fail_at("splits", allowed);
        out.splits->list.push_back(split);
      }
    } else {
      table.fail_at("splits", allowed);
    }
  }
  return out;
}

namespace {

StageSpec read_stage(const SpecTable& table, const StudySpec& study) {
  table.allow({"name", "grid", "variants", "options", "seeds", "splits", "max_runs", "max_seconds"});
  StageSpec out;
  out.line = table.line();
  out.name = table.text_or("name", fmt::format("stage {}", study.stages.size() + 1));
  out.scope = read_scope(table, study.model);
  for (const SpecTable& variant : table.tables("variants"))
    out.variants.push_back(read_options(variant, study.model));
  if (out.variants.empty()) out.variants.emplace_back();
  if (const auto grid = table.table("grid")) out.grid = read_grid(*grid, study.model);
  for (const auto& [key, values] : out.grid) {
    for (const RunOptions& variant : out.variants) {
      if (variant.contains(key)) table.fail_at("grid", key + " stands in grid and in variants; use one");
    }
  }
  out.max_runs = table.whole_or("max_runs", 0, 1);
  out.max_seconds = table.number_or("max_seconds", 0, 0);
  return out;
}

StudySpec read_study(const SpecTable& table, const std::vector<std::string>& datasets) {
  table.allow({"name", "model", "datasets", "options", "seeds", "splits", "stage", "per"});
  StudySpec out;
  out.line = table.line();
  out.model = table.text("model");
  if (out.model != "dkm" && out.model != "nngp" && out.model != "gcn")
    table.fail_at("model", fmt::format("model = \"{}\" cannot be; it is dkm, nngp or gcn", out.model));
  out.name = table.text_or("name", out.model);
  out.datasets = table.has("datasets") ? table.texts("datasets") : datasets;
  if (out.datasets.empty())
    table.fail(out.line,
               fmt::format("study '{}' has no data sets; give datasets = [\"cora\", ...]", out.name));
  out.scope = read_scope(table, out.model);
  for (const SpecTable& stage : table.tables("stage")) out.stages.push_back(read_stage(stage, out));
  if (out.stages.empty()) {
    out.stages.emplace_back();
    out.stages.back().name = "runs";
    out.stages.back().variants.emplace_back();
    out.stages.back().line = out.line;
  }
  if (table.has("per")) {
    out.per = table.texts("per");
    for (std::string& key : out.per) {
      key = option_key(key);
      if (!has_option(out.model, false, key)) table.fail_at("per", fmt::format("'{}' is no option", key));
    }
  }
  return out;
}

}  // namespace

const RunScope* SweepSpec::of_dataset(const std::string& wanted) const {
  for (const auto& [name, scope] : datasets) {
    if (name == wanted) return &scope;
  }
  return nullptr;
}

SweepSpec read_sweep_spec(const std::filesystem::path& path, bool quick) {
  const std::string file = path.string();
  toml::table parsed;
  try {
    parsed = toml::parse(read_text(path).bytes, file);
  } catch (const toml::parse_error& error) {
    throw InputError(fmt::format("{}:{}: this is no TOML: {}", file, error.source().begin.line,
                                 std::string(error.description())));
  }
  const SpecTable root(parsed, file, "a sweep", 1);
  root.allow({"name", "description", "datasets", "options", "seeds", "splits", "validate_every", "dataset",
              "study", "quick"});
  SweepSpec out;
  out.path = path;
  out.name = root.text_or("name", path.stem().string());
  out.description = root.text_or("description", "");
  out.scope = read_scope(root, "");
  out.validate_every = static_cast<int>(root.whole_or("validate_every", 0, 0));
  const auto datasets = root.has("datasets") ? root.texts("datasets") : std::vector<std::string>{};
  std::set<std::string> names;
  for (const SpecTable& table : root.tables("study")) {
    out.studies.push_back(read_study(table, datasets));
    if (!names.insert(out.studies.back().name).second)
      table.fail(table.line(), fmt::format("there are two studies '{}'; give each a name of its own",
                                           out.studies.back().name));
  }
  if (out.studies.empty()) root.fail(1, "a sweep needs at least one [[study]] with a model");
  if (const auto each = root.table("dataset")) {
    for (const std::string& name : each->keys()) {
      const auto table = each->table(name);
      table->allow({"options", "seeds", "splits"});
      const bool used = std::any_of(out.studies.begin(), out.studies.end(), [&](const StudySpec& study) {
        return std::find(study.datasets.begin(), study.datasets.end(), name) != study.datasets.end();
      });
      if (!used) each->fail_at(name, fmt::format("no study has the data set '{}'", name));
      out.datasets.emplace_back(name, read_scope(*table, ""));
    }
  }
  const auto shortened = root.table("quick");
  if (quick && !shortened)
    throw InputError(file + ": the sweep has no [quick] table; add one, or leave " + option("quick") +
                     " out");
  if (shortened) {
    const QuickSpec changes = read_quick(*shortened);
    if (quick) make_quick(out, changes, file);
  }
  return out;
}

}  // namespace gdkm
