#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "gdkm/settings/option.hpp"
#include "gdkm/settings/settings_json.hpp"
#include "gdkm/store/run_options.hpp"
#include "gdkm/support/error.hpp"
#include "tests/data/files/raw_npz.hpp"
#include "tests/places.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

Settings settings_of_model(ModelKind model, bool exact = false) {
  Settings out;
  out.model = model;
  out.exact = exact;
  return out;
}

/// Some other value than the default.
OptionValue another(const Option& option) {
  const OptionValue usual = option.get(Settings{});
  if (const auto* flag = std::get_if<bool>(&usual)) return !*flag;
  if (const auto* whole = std::get_if<WholeType>(&option.type)) {
    const auto now = std::get<std::int64_t>(usual);
    return now + 1 <= static_cast<std::int64_t>(whole->most) ? now + 1 : now - 1;
  }
  if (const auto* real = std::get_if<RealType>(&option.type)) return real->most > 0.25 ? 0.25 : 0.05;
  if (const auto* choice = std::get_if<ChoiceType>(&option.type))
    return choice->names.back() == to_text(usual) ? choice->names.front() : choice->names.back();
  if (std::holds_alternative<PerLayerType>(option.type)) return std::vector<double>{0.5, INFINITY};
  if (option.name == "split") return std::string("50/25/25");
  if (option.name == "device") return std::string("cuda:3");
  if (option.name == "relations") return std::string("self,in");
  if (option.name == "class_weights") return std::string("1,2.5");
  if (option.name == "members") return std::string("layers=1;layers=3");
  return std::string("geom");
}

TEST(OptionTable, EveryOptionIsNamedOnceAndExplained) {
  std::set<std::string> names;
  for (const Option& option : option_table()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_FALSE(option.group.empty()) << option.name;
    EXPECT_EQ(option.help.find("--"), std::string::npos)
        << option.name << ": help mentions options, see option()";
    EXPECT_EQ(find_option(option.name), &option);
  }
  EXPECT_EQ(find_option("no_such_option"), nullptr);
}

TEST(OptionTable, WhatIsSetIsWhatIsGotAndNothingElseChanges) {
  for (const Option& option : option_table()) {
    Settings settings;
    const OptionValue value = checked(option.name, option.type, another(option));
    ASSERT_NE(value, option.get(settings)) << option.name;
    option.set(settings, value);
    EXPECT_EQ(option.get(settings), value) << option.name;
    for (const Option& other : option_table()) {
      const bool is_own = option.name == "arch" && other.name == "relations";  // those of an architecture
      const std::set<std::string> both{option.name, other.name};
      if (both.size() == 1 || is_own || both == std::set<std::string>{"math", "tf32"}) continue;
      EXPECT_EQ(other.get(settings), other.get(Settings{})) << other.name;
    }
  }
}

TEST(OptionTable, ValuesSurviveJsonAndText) {
  for (const Option& option : option_table()) {
    for (const OptionValue& value :
         {option.get(Settings{}), checked(option.name, option.type, another(option))}) {
      EXPECT_EQ(value_from_json(option, to_json(option, value)), value) << option.name;
      if (option.name == "splits") continue;  // 0 is written 'all'
      EXPECT_EQ(parse_value(option.name, option.type, to_text(value)), value) << option.name;
    }
  }
  Settings settings;
  for (const Option& option : option_table())
    option.set(settings, checked(option.name, option.type, another(option)));
  EXPECT_EQ(to_json(settings_from_json(to_json(settings), settings.model, "test")), to_json(settings));
}

TEST(OptionTable, ValuesOutOfRangeAreRefusedWithWhatIsAllowed) {
  const auto refused = [](const std::string& name, const std::string& text, const std::string& word) {
    const Option& option = *find_option(name);
    expect_input_error([&] { parse_value(name, option.type, text); }, {name + " = " + text, word});
  };
  refused("inducing", "0", "a whole number from 1 to 20000");
  refused("inducing", "1.5", "a whole number");
  refused("inducing", "many", "a whole number");
  refused("lambda", "1.1", "a number from 0 to 1");
  refused("lambda", "nan", "a number from 0 to 1");
  refused("kernel", "cosine", "arccos, rbf, linear");
  refused("nu", "-1", "'inf'");
  refused("nu", "1,", "one per layer");
  refused("nu", "1e13", "1e+12");
  refused("splits", "0", "'all'");
  refused("device", "gpu", "cuda:N");
  for (const char* name : {"cuda:", "cuda:-1", "cuda:1x", "cuda0", "CPU", "cuda:99999999999"})
    EXPECT_FALSE(parse_device(name)) << name;
}

/// The rules that a user meets: which options a model, a task or another option makes pointless.
TEST(OptionTable, OptionsWithoutEffectAreRefusedWithAReason) {
  struct Case {
    Settings settings;
    std::string option;
    DataKind data;
    std::string word;
  };
  const Settings dkm, gcn = settings_of_model(ModelKind::gcn), nngp = settings_of_model(ModelKind::nngp),
                      exact_nngp_model = settings_of_model(ModelKind::nngp, true),
                      full_rank = settings_of_model(ModelKind::dkm, true);
  Settings linear = exact_nngp_model, sage = exact_nngp_model, drawn = dkm, directed_gcn = gcn;
  directed_gcn.config.arch = Architecture::dirgnn;
  linear.network = ExactNetwork::linear;
  sage.network = ExactNetwork::sage;
  drawn.split.random = SplitSpec{};
  const DataKind nodes{Task::node, false, false, false}, graphs{Task::graph, false, false, false},
      numbers{Task::node, true, false, false};
  const std::vector<Case> cases{{nngp, "nu", {}, "nu = inf"},
                                {gcn, "nu", {}, "gcn"},
                                {gcn, "inducing", {}, "gcn"},
                                {gcn, "samples", {}, "gcn"},
                                {dkm, "width", {}, "model = gcn"},
                                {dkm, "network", {}, "exact"},
                                {dkm, "noise", {}, "exact"},
                                {full_rank, "inducing", {}, "inducing points"},
                                {full_rank, "network", {}, "nngp"},
                                {exact_nngp_model, "epochs", {}, "single step"},
                                {exact_nngp_model, "jitter", {}, "single step"},
                                {exact_nngp_model, "jobs", {}, "one run at a time"},
                                {linear, "layers", {}, "features alone"},
                                {linear, "kernel", {}, "features alone"},
                                {linear, "lambda", {}, "features alone"},
                                {sage, "lambda", {}, "A_lambda"},
                                {sage, "relations", {}, "relations of its own"},
                                {linear, "relations", {}, "features alone"},
                                {full_rank, "relations", {}, "full rank"},
                                {directed_gcn, "lambda", {}, "A_lambda"},
                                {dkm, "affine", {}, "center"},
                                {dkm, "partition", {}, "batches"},
                                {dkm, "split_seed", {}, "split"},
                                {drawn, "split_set", {}, "split"},
                                {dkm, "math", {}, "device = cuda"},
                                {dkm, "tf32", {}, "device = cuda"},
                                {dkm, "recompute", {}, "device = cuda"},
                                {dkm, "pool", nodes, "many graphs"},
                                {dkm, "batch_size", nodes, "many graphs"},
                                {dkm, "batches", graphs, "batch_size"},
                                {dkm, "samples", numbers, "no samples"},
                                {dkm, "sampling", {}, "inference = paper"},
                                {dkm, "bias", numbers, "always have a bias"}};
  for (const Case& each : cases) {
    expect_input_error([&] { refuse_without_effect({each.option}, each.settings, each.data); },
                       {each.option, each.word, "leave it out"});
    // A run's identity leaves it out, too, except that the nngp stands on the curve of ν.
    if (each.option != "nu" && find_option(each.option)->identifies) {
      EXPECT_FALSE(effective_options(each.settings, each.data).contains(each.option)) << each.option;
    }
  }
}

TEST(OptionTable, WhatARunHasAnywayMayBeGiven) {
  Settings settings = settings_of_model(ModelKind::nngp, true);
  settings.precision = Precision::float64;
  EXPECT_NO_THROW(refuse_without_effect({"precision", "device"}, settings));
  settings.precision = Precision::float32;
  EXPECT_THROW(refuse_without_effect({"precision"}, settings), OptionError);
}

TEST(OptionTable, ContradictionsAreRefused) {
  const auto refused = [](const std::function<void(Settings&)>& change, const std::string& word,
                          const DataKind& data = {}) {
    Settings settings;
    change(settings);
    expect_input_error([&] { check_settings(settings, data); }, {word});
  };
  const DataKind graphs{Task::graph, false, false, false}, directed{Task::node, false, true, false},
      numbers{Task::node, true, false, false};
  refused([](Settings& s) { s.model = ModelKind::gcn, s.exact = true; }, "exact");
  refused([](Settings& s) { s.model = ModelKind::gcn, s.config.arch = Architecture::resid; },
          "kipf or platonov");
  refused([](Settings& s) { s.model = ModelKind::gcn, s.config.arch = Architecture::h2gcn; },
          "kipf or platonov");
  refused([](Settings& s) { s.model = ModelKind::gcn, s.config.arch = Architecture::gpr; }, "arch");
  refused([](Settings& s) { s.model = ModelKind::gcn, s.config.relations = parse_relations("poly:2"); },
          "powers");
  refused([](Settings& s) { s.exact = true, s.config.relations = parse_relations("in"); }, "full rank");
  refused(
      [](Settings& s) {
        s.exact = true, s.model = ModelKind::nngp, s.network = ExactNetwork::sage;
        s.config.relations = parse_relations("self,in");
      },
      "relations of its own");
  refused([](Settings& s) { s.config.nu = {1, 2, 3}; }, "3 values for 2 layers");
  refused([](Settings& s) { s.config.affine = true; }, "center");
  refused([](Settings& s) { s.config.scheme = Scheme::intra; }, "many graphs", graphs);
  refused(
      [](Settings& s) { s.config.scheme = Scheme::intra, s.preprocessing.adjacency.keep_direction = true; },
      "symmetric", directed);
  refused([](Settings& s) { s.model = ModelKind::gcn; }, "numbers", numbers);
  refused([](Settings& s) { s.exact = true; }, "graph", graphs);
}

TEST(OptionTable, RelationsOfAModelAreThoseAskedForOrItsOwn) {
  const auto relations = [](Settings settings, bool directed = false) {
    return to_string(relations_of(settings, directed));
  };
  Settings settings;
  settings.config.arch = Architecture::dirgnn;
  EXPECT_EQ(relations(settings), "self,in,out");
  settings.model = ModelKind::gcn;
  EXPECT_EQ(relations(settings), "self,in,out");
  settings.config.relations = parse_relations("und:row");
  EXPECT_EQ(relations(settings), "und:row");
  settings.model = ModelKind::nngp;
  settings.exact = true;
  EXPECT_EQ(relations(settings), "und:row");
  settings.config.relations.clear();
  EXPECT_EQ(relations(settings), "gcn") << "an exact model has no order of layers";
  settings.network = ExactNetwork::sage;
  EXPECT_EQ(relations(settings, true), "self,und:row");
  settings.preprocessing.adjacency.keep_direction = true;
  EXPECT_EQ(relations(settings), "self,und:row");
  EXPECT_EQ(relations(settings, true), "self,in:row") << "the mean is over what points at a node";
  settings.config.relations = parse_relations("gcn");  // as files that name no relations mean
  EXPECT_NO_THROW(check_settings(settings, {}));
  EXPECT_EQ(relations(settings), "self,und:row");
}

/// README's table, as it follows from the table of options. GDKM_WRITE_README=1 writes it there.
std::string readme_table() {
  const auto spelled = [](std::string_view name, std::string_view value) {
    std::string out = "`--" + std::string(name);
    std::replace(out.begin(), out.end(), '_', '-');
    return out + (value.empty() || value == "true" ? "`" : " " + std::string(value) + "`");
  };
  std::ostringstream out;
  out << "| option | default | meaning |\n|---|---|---|\n";
  std::vector<std::string> groups;
  for (const Option& option : option_table()) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  for (const std::string& group : groups) {
    out << "| **" << group << "** | | |\n";
    for (const Option& option : option_table()) {
      if (option.group != group) continue;
      const std::string usual = to_text(option.get(Settings{}));
      std::string choices;
      if (const auto* choice = std::get_if<ChoiceType>(&option.type)) {
        for (const std::string& name : choice->names)
          choices += (choices.empty() ? ": `" : ", `") + name + "`";
      }
      out << "| " << spelled(option.name, "") << " | "
          << (std::holds_alternative<FlagType>(option.type) ? "off"
              : usual.empty()                               ? ""
                                                            : "`" + usual + "`")
          << " | " << spell_options(option.help, spelled) << choices << " |\n";
    }
  }
  return out.str();
}

TEST(OptionTable, FilesThatNameNoInferenceMeanWhatEarlierVersionsDid) {
  for (const auto& [kind, before] : {std::pair{ModelKind::dkm, Inference::paper},
                                     {ModelKind::nngp, Inference::paper},
                                     {ModelKind::gcn, Inference::uncalibrated}}) {
    Settings settings;
    settings.model = kind;
    EXPECT_EQ(settings.training.inference, Inference::natural) << "the default of new runs";
    auto json = to_json(settings);
    for (const char* later : {"inference", "select", "fixed_inducing"}) json.erase(later);
    const Settings read = settings_from_json(json, kind, "test");
    EXPECT_EQ(read.training.inference, before);
    EXPECT_EQ(read.training.select, Select::accuracy);
    EXPECT_FALSE(read.training.fixed_inducing);
  }
}

TEST(OptionTable, WhatNaturalInferenceCannotDoIsRefused) {
  Settings settings;
  settings.config.temper = 0;
  EXPECT_THROW(check_settings(settings), OptionError);
  settings.training.inference = Inference::paper;
  EXPECT_NO_THROW(check_settings(settings));
  settings.training.epochs = 0;
  EXPECT_THROW(check_settings(settings), OptionError) << "the paper's schedule has an end";
  Settings weights;
  weights.config.sampling = Sampling::weights;
  EXPECT_THROW(check_settings(weights), OptionError);
}

TEST(OptionTable, ReadmeHasTheTable) {
  const std::string path = std::string(GDKM_SOURCE_DIR) + "/README.md";
  std::ifstream in(path);
  std::string readme((std::istreambuf_iterator<char>(in)), {});
  const std::string begin = "<!-- options: begin -->\n", end = "<!-- options: end -->";
  const auto from = readme.find(begin), to = readme.find(end);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos)
      << "README.md lacks the marks of the table";
  const std::string expected = readme_table();
  if (std::getenv("GDKM_WRITE_README") != nullptr) {
    readme.replace(from + begin.size(), to - from - begin.size(), expected);
    std::ofstream(path) << readme;
    return;
  }
  EXPECT_EQ(readme.substr(from + begin.size(), to - from - begin.size()), expected)
      << "run the tests with GDKM_WRITE_README=1 to write the table anew";
}

TEST(OptionTable, DirectionsAreRefusedWhereRelationsHaveTheirOwn) {
  Settings settings;
  const Option& directed = *find_option("directed");
  EXPECT_EQ(lack_of_effect(directed, settings), "");
  settings.config.relations = parse_relations("self,in,out");
  EXPECT_NE(lack_of_effect(directed, settings), "");
  settings.config.relations = parse_relations("self,gcn");
  EXPECT_EQ(lack_of_effect(directed, settings), "");
}

}  // namespace
}  // namespace gdkm
