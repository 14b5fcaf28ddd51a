#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gdkm/fitting/run_result.hpp"
#include "gdkm/store/run_options.hpp"

namespace gdkm {

/// Which splits of a data set: the first `count` (0 for all), or those listed.
struct SplitChoice {
  int count = 1;
  std::vector<int> list;
};

/// What may be said for the whole sweep, a study, a data set or a stage; the narrower word counts.
struct RunScope {
  RunOptions options;
  std::optional<std::vector<std::uint64_t>> seeds;
  std::optional<SplitChoice> splits;
};

/// Options, each with the values to try.
using OptionGrid = std::vector<std::pair<std::string, std::vector<nlohmann::json>>>;

/// The best settings that an earlier stage has compared, together as one model.
struct CommitteeSpec {
  std::size_t of = 0;                                       // the number of that stage
  std::int64_t best = 0;                                    // how many, at most
  double within = std::numeric_limits<double>::infinity();  // how far below the best score, at most
};

/// Settings that are compared on each data set; the best ones feed the next stage.
struct StageSpec {
  std::string name;
  RunScope scope;  // holds in this stage alone
  /// Settings that belong together; at least one, perhaps empty. "model" among them replaces the study's.
  std::vector<RunOptions> variants;
  OptionGrid grid;  // crossed with them
  /// In place of both. Its members are as they were compared: choices of that stage and of those after it do
  /// not count, and none follow from it.
  std::optional<CommitteeSpec> committee = {};
  std::int64_t runs_each = 0;  // of a candidate, the first splits and seeds; 0 for all of them
  std::int64_t max_runs = 0;   // for each data set; 0 for no limit
  double max_seconds = 0;      // of the stage's runs together, for each data set; 0 for no limit
  double deadline = 0;         // seconds since 1970: no run starts later; 0 for no limit
  int line = 0;
};

/// What became of settings that a stage compared.
struct CandidateOutcome {
  RunOptions varied;
  std::vector<RunResult> runs;  // those that are done
  int failed = 0;
};
struct StageOutcome {
  std::string name;
  std::vector<CandidateOutcome> candidates;
};
/// Gives the stage that follows these, or nothing at the end.
using NextStage = std::function<std::optional<StageSpec>(const std::vector<StageOutcome>&)>;

/// A model on some data sets: a chain of stages.
struct StudySpec {
  std::string name, model;
  std::vector<std::string> datasets;
  RunScope scope;
  std::vector<StageSpec> stages;
  std::vector<std::string> per;  // the final table has a line for every value of these options
  /// Where stages follow from results, as in a tuning: `stages` is empty then, nothing is carried from one
  /// stage to the next, and options of a stage hold for the models that have them.
  NextStage next = {};
  std::optional<Select> select = {};  // compares candidates; otherwise what each was trained by
  int line = 0;
};

/// A file that says what to run. docs/experiments.md explains it.
struct SweepSpec {
  std::filesystem::path path;
  std::string name, description;
  RunScope scope;
  std::vector<std::pair<std::string, RunScope>> datasets;  // what holds for one data set
  std::vector<StudySpec> studies;
  int validate_every = 0;  // epochs between two looks at the validation accuracy, for curves; 0: never

  const RunScope* of_dataset(const std::string& name) const;
};

/// Reads and checks a spec; with `quick`, as its [quick] table alters it. An InputError names file, line and
/// what is allowed there.
SweepSpec read_sweep_spec(const std::filesystem::path& path, bool quick);

/// The spec with more options, each "key=value" with the value as TOML or plain text, as if they stood in the
/// options of the sweep. They become part of its name. An InputError if a study or a data set of the spec, or
/// one of its stages, sets or varies such an option itself.
SweepSpec with_options(SweepSpec spec, const std::vector<std::string>& settings);

}  // namespace gdkm
