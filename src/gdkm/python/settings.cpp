#include "gdkm/python/settings.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "gdkm/python/spelling.hpp"
#include "gdkm/settings/model_choice.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::python {

namespace nb = nanobind;

namespace {

std::string shown(nb::handle value) {
  return nb::cast<std::string>(nb::str(value));
}

[[noreturn]] void refuse(const Option& option, nb::handle value) {
  throw OptionError(option.name, shown(value), "expected " + allowed_values(option.type), "");
}

double number(const Option& option, nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) refuse(option, value);
  if (nb::isinstance<nb::str>(value))
    return std::get<double>(parse_value(option.name, RealType{0, 1e300}, shown(value)));
  try {
    return nb::cast<double>(nb::float_(value));
  } catch (const std::exception&) {
    refuse(option, value);
  }
}

OptionValue per_layer(const Option& option, nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return parse_value(option.name, option.type, shown(value));
  std::vector<double> out;
  const bool several = nb::hasattr(value, "__len__");
  if (several) {
    for (const nb::handle each : value) out.push_back(number(option, each));
  } else {
    out.push_back(number(option, value));
  }
  return checked(option.name, option.type, out);
}

/// Several texts or numbers, as the command line writes them: a,b.
std::string text(nb::handle value) {
  if (nb::isinstance<nb::str>(value) || !nb::hasattr(value, "__len__")) return shown(value);
  std::string out;
  for (const nb::handle each : value) out += (out.empty() ? "" : ",") + shown(each);
  return out;
}

}  // namespace

OptionValue option_value(const Option& option, nb::handle value) {
  if (std::holds_alternative<PerLayerType>(option.type)) return per_layer(option, value);
  if (std::holds_alternative<FlagType>(option.type)) {
    const nb::object truth = nb::steal(
        PyObject_CallFunctionObjArgs(reinterpret_cast<PyObject*>(&PyBool_Type), value.ptr(), nullptr));
    const bool is_flag = nb::isinstance<nb::bool_>(value) || nb::hasattr(value, "dtype");
    if (!is_flag || !truth.is_valid()) refuse(option, value);
    return nb::cast<bool>(truth);
  }
  if (nb::isinstance<nb::str>(value)) return parse_value(option.name, option.type, shown(value));
  if (std::holds_alternative<TextType>(option.type) || std::holds_alternative<ChoiceType>(option.type))
    return checked(option.name, option.type, text(value));
  if (std::holds_alternative<RealType>(option.type))
    return checked(option.name, option.type, number(option, value));
  const double whole = number(option, value);
  if (whole != std::floor(whole) || std::abs(whole) > 9e15) refuse(option, value);
  return checked(option.name, option.type, static_cast<std::int64_t>(whole));
}

nb::object to_python(const Option& option, const OptionValue& value) {
  if (const auto* list = std::get_if<std::vector<double>>(&value)) {
    if (list->empty()) return nb::cast(std::string("auto"));
    if (list->size() == 1) return nb::cast(list->front());
    return nb::cast(*list);
  }
  const auto* whole = std::get_if<WholeType>(&option.type);
  if (whole != nullptr && !whole->zero.empty() && value == OptionValue(std::int64_t{0}))
    return nb::cast(whole->zero);
  return std::visit([](const auto& v) { return nb::cast(v); }, value);
}

Settings settings_from(const std::string& model, const nb::dict& options) {
  Settings out;
  out.model = model_named(model);
  for (const auto& [key, value] : options) {
    const std::string name = nb::cast<std::string>(key);
    const Option* option = find_option(name);
    if (option == nullptr) throw InputError("there is no option '" + name + "'");
    option->set(out, option_value(*option, value));
  }
  return out;
}

void refuse_without_effect(const nb::dict& options, const Settings& settings, const DataKind& data) {
  std::set<std::string> given;
  for (const auto& [key, value] : options) given.insert(nb::cast<std::string>(key));
  gdkm::refuse_without_effect(given, settings, data);
}

namespace {

/// What an entry of the table is, for the signatures and docstrings of estimators.
nb::dict described(const Option& option) {
  nb::dict out;
  out["name"] = option.name;
  out["parameter"] = python_name(option.name);
  out["group"] = option.group;
  out["help"] = spell_options(option.help, python_spelling);
  out["allowed"] = allowed_values(option.type);
  const Settings defaults;
  out["default"] = to_python(option, option.get(defaults));
  out["identifies"] = option.identifies;
  nb::list choices;
  if (const auto* names = std::get_if<ChoiceType>(&option.type)) {
    for (const auto& name : names->names) choices.append(name);
  }
  out["choices"] = choices;
  nb::dict models;
  const auto has = [&](const char* name, ModelKind kind, ModelForm form) {
    models[name] = model_has(option, kind, form);
  };
  has("dkm", ModelKind::dkm, ModelForm::inducing);
  has("dkm_exact", ModelKind::dkm, ModelForm::exact);
  has("nngp", ModelKind::nngp, ModelForm::inducing);
  has("nngp_landmarks", ModelKind::nngp, ModelForm::landmarks);
  has("nngp_exact", ModelKind::nngp, ModelForm::exact);
  has("gcn", ModelKind::gcn, ModelForm::inducing);
  out["models"] = models;
  // Some options are for classes, whatever else is set.
  const auto has_effect = [&](bool regression) {
    return lack_of_effect(option, defaults,
                          {.task = {}, .regression = regression, .directed = {}, .table = {}})
        .empty();
  };
  out["for_regression"] = has_effect(true) || !has_effect(false);
  return out;
}

}  // namespace

void add_options(nb::module_& module) {
  module.def("option_table", [] {
    nb::list out;
    for (const Option& option : option_table()) out.append(described(option));
    return out;
  });
}

}  // namespace gdkm::python
