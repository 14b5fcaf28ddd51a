#include "gdkm/python/module.hpp"

#include <nanobind/stl/string_view.h>

#include "gdkm/support/version.hpp"

NB_MODULE(_core, module) {
  using namespace gdkm::python;
  module.doc() = "The C++ core of gdkm. Use the package gdkm instead.";
  module.attr("__version__") = gdkm::version;
  module.attr("git_commit") = gdkm::git_commit;
  add_errors(module);
  add_options(module);
  add_dataset(module);
  add_loading(module);
  add_model(module);
  add_fitting(module);
  add_alignment(module);
  add_research(module);
  add_inspection(module);
  add_loss(module);
  add_store(module);
  add_fetching(module);
  add_command_line(module);
}
