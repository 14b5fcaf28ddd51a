#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/store/store.hpp"

namespace gdkm {

/// A run's place in a sweep. One run may have several.
struct StageRun {
  std::string sweep, study, dataset;
  int stage = 0;  // from 0
  std::string stage_name;
  int candidate = 0;      // which of the settings that the stage compares, in its order
  nlohmann::json varied;  // what the stage varies: {"nu": 0.1, "scheme": "inter"}
  bool chosen = false;    // whether these settings were the stage's best
  std::int64_t run = 0;
};

/// What a store knows of a data set that sweeps ran on.
struct DatasetFacts {
  std::string name, fingerprint, task;  // node or graph
  std::int64_t nodes = 0, edges = 0, features = 0, nonzeros = 0, classes = 0, graphs = 0;
  double homophily = 0;                        // NaN where it has none
  std::map<std::string, std::int64_t> splits;  // by set
};

/// Which runs sweeps are made of, and what came out best.
class StageRecords {
 public:
  explicit StageRecords(const Store& store) : database_(store.database()) {}

  /// The places of one stage of one study on one data set take the place of those that were there.
  void record(const std::vector<StageRun>& runs);
  void choose(const std::string& sweep, const std::string& study, int stage, const std::string& dataset,
              int candidate);

  /// In order of sweep, study, data set, stage, candidate; "" for all sweeps.
  std::vector<StageRun> stages(const std::string& sweep = "") const;
  /// Of one run.
  std::vector<StageRun> places(std::int64_t run) const;
  std::vector<std::string> sweeps() const;

  void record(const DatasetFacts& facts);
  std::vector<DatasetFacts> datasets() const;

 private:
  Database& database_;
};

}  // namespace gdkm
