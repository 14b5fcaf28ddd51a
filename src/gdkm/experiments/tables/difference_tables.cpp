#include "gdkm/experiments/tables/difference_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "gdkm/experiments/confidence.hpp"
#include "gdkm/experiments/tables/kernel_gains.hpp"
#include "gdkm/experiments/tables/table_rows.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

/// The mean of differences, with half of its 95 % interval.
TableNumber number_of(const ScoreDifference& difference) {
  const double half = difference.half_width();
  return {difference.summary.mean, std::isnan(half) ? std::nullopt : std::optional(half)};
}

/// Whether the interval excludes zero. That of one split is over seeds, and is too narrow to say so.
bool excludes_zero(const ScoreDifference& difference) {
  return difference.splits > 1 &&
         std::abs(difference.summary.mean) > difference.half_width();  // not if that is NaN
}

/// What differences on several data sets say together.
class Tally {
 public:
  void add(const ScoreDifference& difference) {
    means_.push_back(difference.summary.mean);
    if (excludes_zero(difference)) ++(difference.summary.mean > 0 ? above_ : below_);
  }
  bool empty() const { return means_.empty(); }
  /// "0.42 on average over 13 data sets, clearly more on 1 and less on 0; signed-rank test p = 0.02".
  std::string text(int decimals) const;

 private:
  std::vector<double> means_;
  int above_ = 0, below_ = 0;  // intervals that exclude zero
};

std::string Tally::text(int decimals) const {
  const auto count = means_.size();
  const double sum = std::accumulate(means_.begin(), means_.end(), 0.0);
  const SignedRankTest ranks = signed_rank_test(means_);
  // Of five differences no signs are unlikely enough to matter.
  const std::string test =
      ranks.unequal < 6
          ? ""
          : fmt::format("; signed-rank test p = {:.2g}{}", ranks.p,
                        ranks.unequal < count ? fmt::format(", of the {} that differ", ranks.unequal) : "");
  return fmt::format("{:.{}f} on average over {} data set{}, clearly more on {} and less on {}{}",
                     sum / static_cast<double>(count), decimals, count, count == 1 ? "" : "s", above_, below_,
                     test);
}

const std::string not_counted = "Averages, counts, tests and correlations leave it out.";

/// How tables show a score and its differences.
struct ScoreStyle {
  std::string title, remark;
  int decimals, difference_decimals;
};

ScoreStyle style_of(TestScore score) {
  if (score == TestScore::nll)
    return {"Test NLL", " Lower NLL is better; validation accuracy chose the settings.", 3, 3};
  return {"Test accuracy (%)", "", 1, 2};
}

}  // namespace

ResultTable difference_table(const Store& store, const std::string& name, const std::string& task,
                             const TableScope& scope) {
  const FinalResults results(store, scope.sweeps);
  const ScoreStyle style = style_of(scope.score);
  using Run = const Configuration&;
  struct Other {
    std::string name;
    std::function<bool(Run)> include;
    Tally differences = {};
  };
  std::vector<Other> others = {
      {"sparse GCNNGP", [](Run c) { return c.model == "nngp" && is_sparse(c); }},
      {"GCNNGP", [](Run c) { return c.model == "nngp" && is_exact(c); }},
      {"GCN (no dropout)", [](Run c) { return c.model == "gcn" && c.option("dropout") == "0"; }},
      {"GCN", [](Run c) { return c.model == "gcn"; }}};
  if (task == "graph") others.erase(others.begin() + 2);
  if (task == "graph" && !has_exact(results, task)) others.erase(others.begin() + 1);
  ResultTable out;
  for (const Other& other : others)
    out.columns.push_back({"less " + other.name, style.difference_decimals, true});
  out.compared = false;
  bool has_dkm = false;
  for (const DatasetFacts& facts : facts_of(results.datasets(), task, scope)) {
    const auto dkm = results.of(facts.name, [](Run c) { return c.model == "dkm" && is_sparse(c); });
    if (!dkm) continue;
    has_dkm = true;
    ResultTable::Row row{display_name(facts.name), {}};
    for (Other& other : others) {
      row.cells.emplace_back();
      const auto result = results.of(facts.name, other.include);
      const auto difference = result ? score_difference(dkm->runs, result->runs, scope.score) : std::nullopt;
      if (!difference) continue;
      row.cells.back().ours = number_of(*difference);
      const bool finished = dkm->finished && result->finished;
      row.cells.back().mark = finished ? "" : "†";
      row.cells.back().strong = excludes_zero(*difference);
      if (finished) other.differences.add(*difference);
    }
    if (has_ours(row)) out.rows.push_back(std::move(row));
  }
  if (out.rows.empty() && has_dkm)
    throw InputError(fmt::format(
        "{}: the table '{}' compares runs of a dkm with those of other models, and there are none on the "
        "same splits; make some with:  gdkm sweep experiments/{} {}",
        store.name(), name, task == "node" ? "gcn.toml" : "graph-gcn.toml", option("store", store.name())));
  if (out.rows.empty()) fail_empty(store, name, task);
  out.caption =
      style.title + " of the GCDKM less that of other models, each with the settings that validate best.";
  out.explanation =
      "Mean of the paired differences ± half of its 95 % interval, which allows for what splits have in "
      "common. It is bold where the interval excludes zero, unless all runs share one split." +
      style.remark;
  explain_marks(out, not_counted);
  for (const Other& other : others) {
    if (other.differences.empty()) continue;
    add_sentence(out.finding,
                 fmt::format("Less {}: {}.", other.name, other.differences.text(style.difference_decimals)));
  }
  return out;
}

ResultTable gain_table(const Store& store, const std::string& name, const std::string& task,
                       const TableScope& scope) {
  const ScoreStyle style = style_of(scope.score);
  ResultTable out;
  out.caption =
      style.title + " of a DKM at the finite ν that validates best and, with the same settings, at ν = ∞.";
  out.explanation =
      "Mean ± standard deviation. Their paired difference: mean ± half of its 95 % interval, which allows "
      "for what splits have in common. It is bold where the interval excludes zero, unless all runs share "
      "one split.";
  out.columns = {{"homophily", 2},
                 {"ν", ResultTable::shortest},
                 {"learned", style.decimals},
                 {"fixed", style.decimals},
                 {"difference", style.difference_decimals, true}};
  std::vector<KernelGain> gains = kernel_gains(store, task, scope.sweeps, {}, scope.score);
  std::erase_if(gains, [&](const KernelGain& each) { return is_left_out(each.facts.name, scope); });
  const bool has_best = std::any_of(gains.begin(), gains.end(),
                                    [](const KernelGain& each) { return each.over_best.has_value(); });
  if (has_best) {
    out.explanation +=
        " Best fixed: the DKM at ν = ∞ or the NNGP with settings chosen for it, whichever has the higher "
        "validation accuracy.";
    out.columns.insert(out.columns.end(), {{"best fixed", style.decimals},
                                           {"difference from best fixed", style.difference_decimals, true}});
  }
  out.explanation +=
      " In the last column every split (seed) has the ν that validates best on it." + style.remark;
  out.columns.push_back({"ν by split", style.decimals});
  out.compared = false;
  std::vector<double> homophily, gain;
  Tally differences, over_best;
  for (const KernelGain& each : gains) {
    const std::string mark = each.finished ? "" : "†";
    out.rows.push_back({display_name(each.facts.name),
                        {{fact(each.facts.homophily), std::nullopt},
                         {fact(each.nu), std::nullopt},
                         {number_of(each.learned), std::nullopt},
                         {number_of(each.fixed), std::nullopt},
                         {number_of(each.difference), std::nullopt, mark, excludes_zero(each.difference)}}});
    if (each.finished) differences.add(each.difference);
    auto& cells = out.rows.back().cells;
    if (each.over_best) {
      const auto& [fixed, difference] = *each.over_best;
      if (each.finished) over_best.add(difference);
      cells.push_back({number_of(fixed), std::nullopt});
      cells.push_back({number_of(difference), std::nullopt, mark, excludes_zero(difference)});
    } else if (has_best) {
      cells.resize(cells.size() + 2);
    }
    cells.push_back({number_of(each.per_split), std::nullopt});
    if (std::isnan(each.facts.homophily) || !each.finished) continue;
    homophily.push_back(each.facts.homophily);
    gain.push_back(each.difference.summary.mean);
  }
  if (out.rows.empty()) fail_empty(store, name, task);
  explain_marks(out, not_counted);
  if (!differences.empty())
    add_sentence(out.finding, fmt::format("Difference: {}.", differences.text(style.difference_decimals)));
  if (!over_best.empty())
    add_sentence(out.finding, fmt::format("Difference from the best fixed: {}.",
                                          over_best.text(style.difference_decimals)));
  if (const RankCorrelation found = rank_correlation(homophily, gain); !std::isnan(found.value))
    add_sentence(out.finding,
                 fmt::format("Rank correlation of the difference with homophily over {} data sets: {:.2f}, "
                             "95 % interval {:.2f} to {:.2f}.",
                             gain.size(), found.value, found.low, found.high));
  return out;
}

}  // namespace gdkm
