#include "gdkm/experiments/report/report_nu.hpp"

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/sweep/selection.hpp"

namespace gdkm {

namespace {

/// The runs of one ν and scheme.
struct Candidate {
  CandidateRuns val;
  std::map<std::pair<int, std::uint64_t>, std::int64_t> runs;  // by split and seed
};
using Schemes = std::map<std::string, Candidate>;

/// Runs that differ in ν, scheme, seed and split alone.
struct Family {
  nlohmann::json held;  // what they have in common
  std::map<double, Schemes> by_nu;
  std::size_t runs = 0;
};

/// One ν for all layers; nothing where each has its own.
std::optional<double> nu_of(const Configuration& configuration) {
  const auto nu = configuration.options.find("nu");
  if (nu == configuration.options.end()) return std::nullopt;
  if (nu->is_number()) return nu->get<double>();
  return *nu == "inf" ? std::optional(INFINITY) : std::nullopt;
}

void add(Family& family, double nu, const StoredRun& run) {
  const Configuration& configuration = run.configuration;
  Candidate& candidate = family.by_nu[nu][configuration.option("scheme")];
  // The NNGP and the DKM at ν = ∞ may both be there: they are the same run.
  const std::pair place(configuration.split, configuration.seed);
  if (run.val() && !candidate.runs.emplace(place, run.id).second) return;
  candidate.val.add(run);
  family.runs += run.val() ? 1 : 0;
}

std::optional<ReportNuPoint> point_of(double nu, const Schemes& schemes, const ReportRuns& runs) {
  std::vector<CandidateRuns> candidates;
  std::vector<const Schemes::value_type*> members;
  for (const auto& scheme : schemes) {
    candidates.push_back(scheme.second.val);
    members.push_back(&scheme);
  }
  const auto best = best_candidate(candidates);
  if (!best) return std::nullopt;
  ReportNuPoint out{nu, members[*best]->first, {}, {}, {}};
  for (const auto& [place, id] : members[*best]->second.runs) out.runs.push_back(id);
  out.val = *summarise_scores(out.runs, runs, &RunResult::val);
  out.test = summarise_scores(out.runs, runs, &RunResult::test);
  return out;
}

std::optional<ReportGain> gain_of(const std::vector<ReportNuPoint>& points, const ReportRuns& runs) {
  if (points.size() < 2 || !std::isinf(points.back().nu)) return std::nullopt;
  const auto best = std::max_element(points.begin(), points.end() - 1, [](const auto& a, const auto& b) {
    return comparable(a.val.mean) < comparable(b.val.mean);
  });
  const auto of_classes = [&](const ReportNuPoint& point) {  // points are percent
    std::vector<const StoredRun*> out;
    for (const auto id : point.runs) {
      const StoredRun& run = runs.at(id);
      if (run.test() && !run.result->test->r2) out.push_back(&run);
    }
    return out;
  };
  const auto difference = score_difference(of_classes(*best), of_classes(points.back()));
  return difference ? std::optional(ReportGain{best->nu, *difference}) : std::nullopt;
}

std::vector<FixedKernel> fixed_beside(const ReportNuCurve& curve, const nlohmann::json& held,
                                      const ReportRuns& runs) {
  std::set<int> splits;
  for (const ReportNuPoint& point : curve.points) {
    for (const auto id : point.runs) splits.insert(runs.at(id).configuration.split);
  }
  std::vector<const StoredRun*> of_dataset;
  for (const auto& [id, run] : runs) {
    if (run.configuration.dataset == curve.dataset) of_dataset.push_back(&run);
  }
  return fixed_kernels(of_dataset, held, splits);
}

}  // namespace

const std::string_view ReportGain::rule =
    "A filled dot marks a clear gain or loss: a mean of at least 1 point (at least 3 points with fewer than "
    "four splits or seeds) whose 95 % confidence interval, by Student’s t, does not contain zero. The "
    "interval "
    "allows for what splits have in common (the corrected resampled t-test). Where all runs share one split "
    "it is over seeds, and says nothing about other splits; tables do not call such a gain clear. A single "
    "difference has no interval; 3 points are enough then.";

ReportGain::Verdict ReportGain::verdict() const {
  double needed = difference.summary.count < 4 ? 3 : 1;
  if (const double half = difference.half_width(); !std::isnan(half)) needed = std::max(needed, half);
  if (difference.summary.mean >= needed) return Verdict::helps;
  return difference.summary.mean <= -needed ? Verdict::hurts : Verdict::even;
}

std::vector<ReportNuCurve> report_nu_curves(const ReportRuns& runs) {
  std::map<std::string, std::map<std::string, Family>> families;  // by data set, and by what is held
  for (const auto& [id, run] : runs) {
    const auto nu = nu_of(run.configuration);
    if (!nu) continue;
    nlohmann::json held = run.configuration.options;
    held.erase("nu");
    held.erase("scheme");
    Family& family = families[run.configuration.dataset][held.dump()];
    family.held = held;
    add(family, *nu, run);
  }
  std::vector<ReportNuCurve> out;
  for (const auto& [dataset, its_families] : families) {
    ReportNuCurve best;
    const Family* of_best = nullptr;
    std::size_t most_runs = 0;
    for (const auto& [key, family] : its_families) {
      ReportNuCurve curve{dataset, {}, {}, {}};
      for (const auto& [nu, schemes] : family.by_nu) {
        if (auto point = point_of(nu, schemes, runs)) curve.points.push_back(std::move(*point));
      }
      if (std::pair(curve.points.size(), family.runs) <= std::pair(best.points.size(), most_runs)) continue;
      best = std::move(curve);
      most_runs = family.runs;
      of_best = &family;
    }
    if (best.points.size() < 2) continue;
    best.gain = gain_of(best.points, runs);
    best.fixed = fixed_beside(best, of_best->held, runs);
    out.push_back(std::move(best));
  }
  return out;
}

}  // namespace gdkm
