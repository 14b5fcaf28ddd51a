#include "gdkm/experiments/sweep/sweep_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/sweep/sweep_view.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/support/terminal.hpp"

namespace gdkm {

namespace {

using Best = StageChain::Best;

/// Calls use(chain, group, best) for every line of the final table; `best` is empty if no run is done.
template <class Use>
void for_each_result(const Sweep& sweep, Use use) {
  for (const auto& chain : sweep.chains()) {
    if (chain->study().per.empty()) {
      use(*chain, std::string(), chain->best());
      continue;
    }
    for (const auto& [group, best] : chain->best_per()) use(*chain, group, std::optional(best));
  }
}

}  // namespace

std::string final_table(const Sweep& sweep) {
  bool classes = false, numbers = false;
  for_each_result(sweep, [&](const StageChain&, const std::string&, const std::optional<Best>& best) {
    if (best) (best->regression ? numbers : classes) = true;
  });
  TextTable table({"study", "data set", score_title("val", classes, numbers),
                   score_title("test", classes, numbers), "runs", "failed", "seconds", "chosen"});
  table.align_right({2, 3, 4, 5, 6});
  for_each_result(sweep, [&](const StageChain& chain, const std::string&, const std::optional<Best>& best) {
    if (!best) {
      table.add({chain.study().name, chain.facts().name, "-", "-", "0", std::to_string(chain.count().failed),
                 "-", "no run is done"});
      return;
    }
    table.add({chain.study().name, chain.facts().name, score_text(best->val, best->regression),
               best->test ? score_text(*best->test, best->regression) : "-", std::to_string(best->runs),
               std::to_string(best->failed), fmt::format("{:.1f}", best->seconds),
               options_text(best->options)});
  });
  return table.text();
}

nlohmann::ordered_json final_json(const Sweep& sweep) {
  auto out = nlohmann::ordered_json::array();
  for_each_result(
      sweep, [&](const StageChain& chain, const std::string& group, const std::optional<Best>& best) {
        nlohmann::ordered_json line{{"study", chain.study().name}, {"dataset", chain.facts().name}};
        if (!group.empty()) line["per"] = group;
        if (best) {
          line["options"] = best->options;
          line["runs"] = best->runs;
          line["failed"] = best->failed;
          line["val_mean"] = best->val.mean;
          line["val_std"] = best->val.std;
          if (best->test) {
            line["test_mean"] = best->test->mean;
            line["test_std"] = best->test->std;
          }
          line["seconds"] = best->seconds;
        }
        out.push_back(std::move(line));
      });
  return out;
}

std::string plan_table(Sweep& sweep, int jobs) {
  TextTable table({"study", "data set", "stage", "settings", "runs", "to do", "time"});
  table.align_right({3, 4, 5, 6});
  const RunCost cost = sweep.cost();
  double total = 0;
  std::int64_t to_do = 0;
  std::set<RunCost::Basis> bases;
  std::set<std::string> counted;  // stages and studies may have runs in common
  for (const auto& chain : sweep.chains()) {
    if (chain->finished()) continue;
    std::vector<StagePlan> plans{chain->plan()};
    for (StagePlan& plan : chain->future_plans()) plans.push_back(std::move(plan));
    for (std::size_t k = 0; k < plans.size(); ++k) {
      double seconds = 0;
      std::int64_t left = 0;
      for (const auto& run : plans[k].runs) {
        if (!counted.insert(run.configuration.hash()).second) continue;
        if (sweep.has_ended(run.configuration)) continue;
        const auto estimate = cost.estimate(run.configuration, chain->facts());
        seconds += estimate.seconds;
        bases.insert(estimate.basis);
        ++left;
      }
      table.add({chain->study().name, chain->facts().name, chain->study().stages[chain->stage() + k].name,
                 std::to_string(plans[k].candidates.size()), std::to_string(plans[k].runs.size()),
                 std::to_string(left), duration_text(seconds / jobs)});
      total += seconds;
      to_do += left;
    }
  }
  std::string basis;
  if (bases.contains(RunCost::Basis::guess)) basis = "the number of operations and a guessed speed";
  if (bases.contains(RunCost::Basis::same_model))
    basis += (basis.empty() ? "" : " and ") + std::string("runs of the same model on other data");
  if (bases.contains(RunCost::Basis::same_data))
    basis += (basis.empty() ? "" : " and ") + std::string("runs of the same model on the same data");
  return table.text() + fmt::format("{} runs, {} to do, about {} with {} at a time{}\n", counted.size(),
                                    to_do, duration_text(total / jobs), jobs,
                                    basis.empty() ? "" : "; estimated from " + basis);
}

}  // namespace gdkm
