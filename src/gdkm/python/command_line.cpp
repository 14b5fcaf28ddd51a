#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "gdkm/cli/run.hpp"
#include "gdkm/data/files/http_get.hpp"
#include "gdkm/python/http_get_by.hpp"
#include "gdkm/python/module.hpp"

namespace gdkm::python {

namespace nb = nanobind;

void add_command_line(nb::module_& module) {
  module.def(
      "command_line",
      [](const std::vector<std::string>& words, const std::string& program,
         const std::vector<std::string>& arguments, const nb::object& open_url) {
        const HttpGet get = http_get_by(open_url);
        const nb::gil_scoped_release released;
        return cli::run_command_line(words, {.program = program, .name = program, .arguments = arguments},
                                     get);
      },
      nb::arg("words"), nb::arg("program"), nb::arg("arguments"), nb::arg("open_url").none());
  module.def("can_download", &can_download);
}

}  // namespace gdkm::python
