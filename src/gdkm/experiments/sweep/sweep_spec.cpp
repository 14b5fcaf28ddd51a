#include "gdkm/experiments/sweep/sweep_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gdkm/data/files/file_tree.hpp"
#include "gdkm/experiments/sweep/spec_table.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

using Json = nlohmann::json;

/// With a model, its options alone are allowed; without, those of any model.
void check_key(const SpecTable& table, const std::string& key, const std::string& model) {
  const std::string name = option_key(key);
  const bool known = model.empty() ? is_option(name)
                                   : has_option(model, ModelForm::inducing, name) ||
                                         has_option(model, ModelForm::exact, name);
  if (known) return;
  const std::string owner = model.empty() ? "dkm" : model;
  const auto allowed = options_of(owner, ModelForm::inducing);
  table.fail_at(key, fmt::format("'{}' is no option of {}{}; it may be {}", key, owner,
                                 suggestion(key, allowed), fmt::join(allowed, ", ")));
}

Json checked(const SpecTable& table, const std::string& key, const Json& value) {
  try {
    return check_option(option_key(key), value);
  } catch (const InputError& error) {
    table.fail_at(key, error.what());
  }
}

/// How many, from 1 to 100000, or a list of different whole numbers from 0 to `most`; 0 or an empty list
/// where it is the other. `allowed` is the error.
std::pair<int, std::vector<std::int64_t>> count_or_list(const SpecTable& table, const std::string& key,
                                                        std::int64_t most, const std::string& allowed) {
  const Json value = table.value(key);
  const auto is_whole = [](const Json& number, std::int64_t from, std::int64_t to) {
    return number.is_number_integer() && number >= from && number <= to;
  };
  if (is_whole(value, 1, 100000)) return {value.get<int>(), {}};
  if (!value.is_array() || value.empty()) table.fail_at(key, allowed);
  std::vector<std::int64_t> list;
  for (const Json& each : value) {
    if (!is_whole(each, 0, most) || std::find(list.begin(), list.end(), each) != list.end())
      table.fail_at(key, allowed);
    list.push_back(each);
  }
  return {0, list};
}

/// Parts of a spec; `model` is "" where options of any model are allowed.
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
    const auto [count, list] = count_or_list(table, "seeds", 4294967295, allowed);
    out.seeds.emplace(list.begin(), list.end());
    for (int k = 0; k < count; ++k) out.seeds->push_back(static_cast<std::uint64_t>(k));
  }
  if (table.has("splits")) {
    const std::string allowed = "splits must be \"all\", how many, or a list of their numbers, from 0";
    out.splits = SplitChoice{0, {}};
    if (table.value("splits") != "all") {
      const auto [count, list] = count_or_list(table, "splits", 100000, allowed);
      out.splits = SplitChoice{list.empty() ? count : 1, {list.begin(), list.end()}};
    }
  }
  return out;
}

/// The options whose values a stage compares.
std::set<std::string> varied_by(const StageSpec& stage) {
  std::set<std::string> out;
  for (const auto& [key, values] : stage.grid) out.insert(key);
  for (const RunOptions& variant : stage.variants) {
    for (const auto& [key, value] : variant) out.insert(key);
  }
  return out;
}

CommitteeSpec read_committee(const SpecTable& table, const StudySpec& study) {
  table.allow({"of", "best", "within"});
  std::vector<std::string> names;
  for (const StageSpec& stage : study.stages) {
    if (!stage.committee) names.push_back(stage.name);
  }
  if (names.empty()) table.fail(table.line(), "a committee needs a stage before it, whose settings it takes");
  const std::string of = table.text_or("of", names.back());
  const auto at = std::find_if(study.stages.begin(), study.stages.end(),
                               [&](const StageSpec& stage) { return stage.name == of && !stage.committee; });
  if (at == study.stages.end())
    table.fail_at("of", fmt::format("no stage before this one is '{}'{}; it may be {}", of,
                                    suggestion(of, names), fmt::join(names, ", ")));
  for (const std::string& key : varied_by(*at)) {
    if (find_option(key)->in_common)
      table.fail(table.line(), fmt::format("the members of a committee have '{}' in common, and stage '{}' "
                                           "varies it; take the settings of another stage",
                                           key, of));
  }
  CommitteeSpec out{static_cast<std::size_t>(at - study.stages.begin()), table.whole_or("best", 4, 2)};
  if (table.has("within")) out.within = table.number_or("within", 0, 0);
  return out;
}

StageSpec read_stage(const SpecTable& table, const StudySpec& study) {
  table.allow({"name", "grid", "variants", "committee", "options", "seeds", "splits", "runs_each", "max_runs",
               "max_seconds"});
  StageSpec out;
  out.line = table.line();
  out.name = table.text_or("name", fmt::format("stage {}", study.stages.size() + 1));
  out.scope = read_scope(table, study.model);
  for (const SpecTable& variant : table.tables("variants"))
    out.variants.push_back(read_options(variant, study.model));
  if (out.variants.empty()) out.variants.emplace_back();
  if (const auto grid = table.table("grid")) out.grid = read_grid(*grid, study.model);
  if (const auto committee = table.table("committee")) {
    if (table.has("grid") || table.has("variants"))
      table.fail_at("committee",
                    "a committee takes settings that another stage has compared; leave grid and "
                    "variants to that stage");
    out.committee = read_committee(*committee, study);
  }
  for (const auto& [key, values] : out.grid) {
    for (const RunOptions& variant : out.variants) {
      if (variant.contains(key)) table.fail_at("grid", key + " stands in grid and in variants; use one");
    }
  }
  out.runs_each = table.whole_or("runs_each", 0, 1);
  out.max_runs = table.whole_or("max_runs", 0, 1);
  out.max_seconds = table.number_or("max_seconds", 0, 0);
  return out;
}

StudySpec read_study(const SpecTable& table, const std::vector<std::string>& datasets) {
  table.allow({"name", "model", "datasets", "options", "seeds", "splits", "stage", "per"});
  StudySpec out;
  out.line = table.line();
  out.model = table.text("model");
  try {
    model_named(out.model);
  } catch (const OptionError& error) {
    table.fail_at("model", error.message());
  }
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
      if (!has_option(out.model, ModelForm::inducing, key))
        table.fail_at("per", fmt::format("'{}' is no option", key));
    }
  }
  return out;
}

/// The [quick] table, which makes a sweep small.
struct QuickSpec {
  std::vector<std::string> datasets;  // restrict the sweep to these; empty for no restriction
  RunScope scope;                     // overrides everything except varied options
  OptionGrid grid;                    // replaces the values of these options where they are varied
};

/// Overrides the scope of a stage, except for options that it varies or that its model lacks.
void override_scope(StageSpec& stage, const RunScope& by, const StudySpec& study) {
  RunScope& scope = stage.scope;
  RunOptions options = scope.options;
  options.insert(study.scope.options.begin(), study.scope.options.end());
  const ModelForm form = form_of(options);
  for (const auto& [key, value] : by.options) {
    const bool varied =
        std::any_of(stage.grid.begin(), stage.grid.end(), [&](const auto& g) { return g.first == key; }) ||
        std::any_of(stage.variants.begin(), stage.variants.end(),
                    [&](const RunOptions& variant) { return variant.contains(key); });
    if (!varied && has_option(study.model, form, key)) scope.options[key] = value;
  }
  if (by.seeds) scope.seeds = by.seeds;
  if (by.splits) scope.splits = by.splits;
}

QuickSpec read_quick(const SpecTable& table) {
  table.allow({"datasets", "options", "seeds", "splits", "grid"});
  QuickSpec out;
  if (table.has("datasets")) out.datasets = table.texts("datasets");
  out.scope = read_scope(table, "");
  if (const auto grid = table.table("grid")) out.grid = read_grid(*grid, "");
  return out;
}

void make_quick(SweepSpec& spec, const QuickSpec& changes, const std::string& file) {
  for (StudySpec& study : spec.studies) {
    if (!changes.datasets.empty()) {
      std::erase_if(study.datasets, [&](const std::string& name) {
        return std::find(changes.datasets.begin(), changes.datasets.end(), name) == changes.datasets.end();
      });
    }
    for (StageSpec& stage : study.stages) {
      for (auto& [key, values] : stage.grid) {
        for (const auto& [changed, fewer] : changes.grid) {
          if (changed == key) values = fewer;
        }
      }
      override_scope(stage, changes.scope, study);
    }
  }
  std::erase_if(spec.studies, [](const StudySpec& study) { return study.datasets.empty(); });
  if (spec.studies.empty())
    throw InputError(file + ": [quick] leaves no data set; name data sets of the studies");
  spec.name += "-quick";
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

namespace {

/// Numbers, true and false, lists and quoted text as in a spec; anything else is text.
Json value_of(const std::string& text) {
  try {
    const toml::table parsed = toml::parse("value = " + text);
    return SpecTable(parsed, "", "", 1).value("value");
  } catch (const toml::parse_error&) {
    return text;
  }
}

bool says(const RunScope& scope, const std::string& key) {
  return scope.options.contains(key);
}

bool says(const StageSpec& stage, const std::string& key) {
  const auto is_key = [&](const auto& varied) { return varied.first == key; };
  const auto has_key = [&](const RunOptions& variant) { return variant.contains(key); };
  return says(stage.scope, key) || std::any_of(stage.grid.begin(), stage.grid.end(), is_key) ||
         std::any_of(stage.variants.begin(), stage.variants.end(), has_key);
}

/// Who sets this option itself, or nothing.
std::string setter_of(const SweepSpec& spec, const std::string& key) {
  for (const auto& [name, scope] : spec.datasets) {
    if (says(scope, key)) return fmt::format("data set '{}'", name);
  }
  for (const StudySpec& study : spec.studies) {
    if (says(study.scope, key)) return fmt::format("study '{}'", study.name);
    for (const StageSpec& stage : study.stages) {
      if (says(stage, key)) return fmt::format("stage '{}' of study '{}'", stage.name, study.name);
    }
  }
  return "";
}

}  // namespace

SweepSpec with_options(SweepSpec spec, const std::vector<std::string>& settings) {
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    const auto fail = [&](const std::string& why) {
      throw InputError(fmt::format("{}: {}", option("set", setting), why));
    };
    if (equals == 0 || equals == std::string::npos || equals + 1 == setting.size())
      fail("expected an option and its value, such as inference=paper");
    const std::string key = option_key(setting.substr(0, equals));
    const std::string text = setting.substr(equals + 1);
    if (!is_option(key)) fail(fmt::format("'{}' is no option of gdkm train", key));
    if (const std::string setter = setter_of(spec, key); !setter.empty())
      fail(fmt::format("{} of {} sets '{}' itself; change the spec", setter, spec.path.string(), key));
    try {
      spec.scope.options[key] = check_option(key, value_of(text));
    } catch (const InputError& error) {
      fail(error.message());
    }
    spec.name += fmt::format("-{}-{}", key, text);
  }
  return spec;
}

}  // namespace gdkm
