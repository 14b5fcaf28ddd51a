#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gdkm/store/store.hpp"

namespace gdkm {

/// What goes on in a store at this moment, as the live page shows it: how many runs have which status, how
/// fast they end, which stage of which study they are in, who executes what, and what failed last. It only
/// reads, and asks the server to count rather than for the runs.
nlohmann::ordered_json live_state(const Store& store);

}  // namespace gdkm
