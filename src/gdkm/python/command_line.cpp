#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gdkm/cli/run.hpp"
#include "gdkm/data/files/http_get.hpp"
#include "gdkm/python/module.hpp"

namespace gdkm::python {

namespace nb = nanobind;

void add_command_line(nb::module_& module) {
  module.def(
      "command_line",
      [](const std::vector<std::string>& words, const std::string& program,
         const std::vector<std::string>& arguments) {
        const nb::gil_scoped_release released;
        return cli::run_command_line(words, {.program = program, .name = program, .arguments = arguments});
      },
      nb::arg("words"), nb::arg("program"), nb::arg("arguments"));
  module.def("can_download", &can_download);
}

}  // namespace gdkm::python
