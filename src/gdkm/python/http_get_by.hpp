#pragma once

#include <nanobind/nanobind.h>

#include "gdkm/data/files/download.hpp"

namespace gdkm::python {

/// Requests by Python's own library: `open_url` is gdkm._http.open_url. None gives an empty function. Make
/// it, and destroy the last copy, while you hold the GIL.
HttpGet http_get_by(const nanobind::object& open_url);

}  // namespace gdkm::python
