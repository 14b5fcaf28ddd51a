#pragma once

#include "gdkm/store/store.hpp"

namespace gdkm {

struct StoreCopyCount {
  std::int64_t added = 0;      // runs that were new
  std::int64_t completed = 0;  // runs that were there, and now have a result
  std::int64_t known = 0;      // runs that were there and stay as they are
};

/// Copies runs with their curves, events, places in sweeps and data sets, whatever engines the two stores
/// have. Equal runs are one: a finished run replaces one that is pending or failed, and all else stays. A
/// run that is being executed arrives as pending. Runs keep their numbers where `to` has none yet.
StoreCopyCount copy_store(const Store& from, const Store& to);

}  // namespace gdkm
