#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/settings/option_value.hpp"
#include "gdkm/settings/settings.hpp"

namespace gdkm {

/// What is known of the data when an option is looked at.
struct DataKind {
  std::optional<Task> task;
  std::optional<bool> regression, directed;
  std::optional<bool> table;  // its features are a table with typed columns
};
DataKind kind_of(const Dataset& dataset);

/// One option of a training: all that anything in gdkm knows about it.
struct Option {
  std::string name;   // batch_size; the command line writes --batch-size
  std::string group;  // under which heading it is shown
  OptionType type;
  std::string symbol;  // what stands for its value in --help
  std::string help;
  std::function<OptionValue(const Settings&)> get;
  std::function<void(Settings&, const OptionValue&)> set;
  unsigned models = every_model;
  /// Why it has no effect although the model has it; empty where it has one. What is not known of the data
  /// counts as in its favour.
  std::function<std::string(const Settings&, const DataKind&)> condition = {};
  /// What the value comes to with the data; the value itself where this is not given.
  std::function<OptionValue(const Settings&, const DataKind&)> resolved = {};
  /// The value that a run has anyway where the option has no effect: giving it is no mistake.
  std::string implied = {};
  /// Whether two runs that differ in it are different runs. What machine a run is on, and how many there are,
  /// makes no difference.
  bool identifies = true;
  /// Whether all members of a committee have the same value, as they have of options that identify no run.
  bool in_common = false;
  /// Added when there were files and stores already: these do not name it, and mean its default, or what
  /// `before` says of a model, where it is given.
  bool later = false;
  std::function<std::string(ModelKind)> before = {};
};

/// All options of a training, in the order in which they are shown.
const std::vector<Option>& option_table();
/// The entry of that name, or nullptr.
const Option* find_option(const std::string& name);

/// The value that files and stores mean which do not name an option.
OptionValue value_before(const Option& option, ModelKind model);

/// Whether models of this kind have the option at all.
bool model_has(const Option& option, ModelKind model, ModelForm form);

/// Why the option has no effect with these settings and data; empty where it has one.
std::string lack_of_effect(const Option& option, const Settings& settings, const DataKind& data = {});

/// Throws an OptionError for the first of the options `given` that has no effect.
void refuse_without_effect(const std::set<std::string>& given, const Settings& settings,
                           const DataKind& data = {});

/// Throws an OptionError where options contradict each other or the data.
void check_settings(const Settings& settings, const DataKind& data = {});

}  // namespace gdkm
