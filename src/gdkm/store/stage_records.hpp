#pragma once

#include <map>
#include <string>
#include <vector>

#include "gdkm/store/store.hpp"

namespace gdkm {

/// The use of a run in a stage of a sweep. A run may be used in several stages.
struct StageRun {
  std::string sweep, study, dataset;
  int stage = 0;  // from 0
  std::string stage_name;
  int candidate = 0;      // index of its settings among those that the stage compares
  nlohmann::json varied;  // the options that the stage varies: {"nu": 0.1, "scheme": "inter"}
  bool chosen = false;    // whether these settings were the stage's best
  std::int64_t run = 0;
};

/// Statistics of a data set that sweeps ran on.
struct DatasetFacts {
  std::string name, fingerprint, task;  // node or graph
  std::int64_t nodes = 0, edges = 0, features = 0, nonzeros = 0, classes = 0, graphs = 0;
  double homophily = 0;                        // NaN if it is not defined
  std::map<std::string, std::int64_t> splits;  // number of splits by split set
  bool table = false;                          // its features are a table with typed columns
};

/// Whether the homophily of `a` is higher; data sets without homophily come last.
bool more_homophilous(const DatasetFacts& a, const DatasetFacts& b);

/// Records which runs each stage of a sweep uses, and which settings it chose.
class StageRecords {
 public:
  explicit StageRecords(const Store& store) : database_(store.database()) {}

  /// Replaces the records of one stage of one study on one data set.
  void record(const std::vector<StageRun>& runs);
  void choose(const std::string& sweep, const std::string& study, int stage, const std::string& dataset,
              int candidate);

  /// Sorted by sweep, study, data set, stage and candidate; "" for all sweeps.
  std::vector<StageRun> stages(const std::string& sweep = "") const;
  /// Those of the sweeps with these names, or of one study of a sweep ("beyond/colours"); of all sweeps if
  /// there are none. An InputError names a sweep or study that the store does not have.
  std::vector<StageRun> stages(const std::vector<std::string>& sweeps) const;
  std::vector<StageRun> stages_of(std::int64_t run) const;
  std::vector<std::string> sweeps() const;

  void record(const DatasetFacts& facts);
  std::vector<DatasetFacts> datasets() const;

 private:
  Database& database_;
};

}  // namespace gdkm
