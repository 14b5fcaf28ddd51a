#pragma once

#include <string>
#include <vector>

#include "gdkm/dataset/dataset.hpp"
#include "gdkm/experiments/sweep/sweep_spec.hpp"
#include "gdkm/store/configuration.hpp"
#include "gdkm/store/stage_records.hpp"

namespace gdkm {

/// Settings that a stage compares with others.
struct Candidate {
  std::string model;
  RunOptions varied;       // what the stage varies: the best candidate's go on to the next stage
  nlohmann::json options;  // all of them
};

/// One stage of one study on one data set, ready to run. Candidates stand in the order of the spec; runs in
/// the order in which they are started: every candidate with the first split and seed, then with the next.
struct StagePlan {
  struct PlannedRun {
    int candidate = 0;
    Configuration configuration;
  };
  std::vector<Candidate> candidates;
  std::vector<PlannedRun> runs;
};

/// `carried` are the options that earlier stages have chosen, or, for a committee, those before the stage
/// that compared its members. `compared`: the settings of that stage, the best first; while nothing is known
/// of them, in the order of the spec. An InputError names the place in the spec.
StagePlan plan_stage(const SweepSpec& spec, const StudySpec& study, std::size_t stage,
                     const DatasetFacts& facts, const RunOptions& carried,
                     const std::vector<Candidate>& compared = {});

/// What plans, estimates and reports need to know of a data set; `name` is what the user calls it.
DatasetFacts facts_of(const std::string& name, const Dataset& dataset);

}  // namespace gdkm
