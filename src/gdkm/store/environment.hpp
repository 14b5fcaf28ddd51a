#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gdkm {

/// Where a run takes place: {"version", "commit", "machine", "processor", "cores", "blas"}. Device and
/// threads are added by who runs it.
nlohmann::json describe_environment();

}  // namespace gdkm
