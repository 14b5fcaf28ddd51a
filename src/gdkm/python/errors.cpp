#include "gdkm/python/spelling.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm::python {

namespace nb = nanobind;

std::string python_spelling(std::string_view name, std::string_view value) {
  std::string out = python_name(name);
  if (value.empty()) return out;
  const bool number = value.find_first_not_of("0123456789.+-e") == std::string_view::npos;
  return out + "=" + (number ? std::string(value) : "'" + std::string(value) + "'");
}

std::string python_name(std::string_view option) {
  if (option == "lambda") return "lambda_";
  if (option == "kernel") return "kernel_";
  if (option == "seed") return "random_state";
  if (option == "class_weights") return "class_weight";
  return std::string(option);
}

void add_errors(nb::module_& module) {
  static nb::object input, option, numerical;
  input = nb::exception<InputError>(module, "InputError", PyExc_ValueError);
  option = nb::exception<OptionError>(module, "OptionError", input.ptr());
  numerical = nb::exception<NumericalError>(module, "NumericalError", PyExc_ArithmeticError);
  // The same words as on the command line, with options as Python spells them.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    const auto raise = [](const nb::object& type, const Error& error) {
      PyErr_SetString(type.ptr(), error.spelled(python_spelling).c_str());
    };
    try {
      std::rethrow_exception(thrown);
    } catch (const OptionError& error) {
      raise(option, error);
    } catch (const InputError& error) {
      raise(input, error);
    } catch (const NumericalError& error) {
      raise(numerical, error);
    }
  });
}

}  // namespace gdkm::python
