#pragma once

#include <nanobind/nanobind.h>

/// The extension module gdkm._core: the library as the Python package sees it. It converts and checks; what
/// is nice to use is written in Python, in python/gdkm.
namespace gdkm::python {

/// Each adds what its file is about to the module.
void add_errors(nanobind::module_& module);
void add_options(nanobind::module_& module);
void add_dataset(nanobind::module_& module);
void add_loading(nanobind::module_& module);
void add_model(nanobind::module_& module);
void add_fitting(nanobind::module_& module);
void add_alignment(nanobind::module_& module);
void add_research(nanobind::module_& module);
void add_inspection(nanobind::module_& module);
void add_loss(nanobind::module_& module);
void add_store(nanobind::module_& module);
void add_fetching(nanobind::module_& module);
void add_command_line(nanobind::module_& module);

}  // namespace gdkm::python
