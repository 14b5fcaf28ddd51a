#pragma once

#include <string>
#include <vector>

#include "gdkm/store/run_queue.hpp"
#include "gdkm/store/stage_records.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm::testing {

/// A store whose runs have the scores that a test gives them, as if sweeps had made them, on 60 training and
/// 30 test items.
class StoreOfScores {
 public:
  struct Score {
    std::uint64_t seed = 0;
    int split = 0;
    double val = 0, test = 0;  // NaN: the run failed; the test NLL is 1 − test / 100
    bool pending = false;
  };

  const Store& store() const { return store_; }
  void add_dataset(const std::string& name, const std::string& task, double homophily);
  /// One candidate of a stage, with a run per score.
  void add(const std::string& study, int stage, int candidate, const std::string& dataset,
           const std::string& model, const nlohmann::json& varied, const std::vector<Score>& scores,
           const nlohmann::json& fixed = nlohmann::json::object());

 private:
  const TemporaryFolder folder_;
  Store store_ = Store::open_or_create(folder_ / "runs.db");
  std::vector<StageRun> places_;
};

}  // namespace gdkm::testing
