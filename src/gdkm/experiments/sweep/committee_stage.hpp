#pragma once

#include <vector>

#include "gdkm/experiments/sweep/stage_plan.hpp"

namespace gdkm {

/// What a stage varies that makes a committee of `best` settings, which another stage has compared: the
/// option members, with the values that each of them has of the options that the other stage varied.
/// `compared` has the best first. If there are fewer settings, all are members; if there is one, it stands
/// alone.
RunOptions committee_options(const std::vector<Candidate>& compared, std::int64_t best);

}  // namespace gdkm
