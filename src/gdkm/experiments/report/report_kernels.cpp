#include "gdkm/experiments/report/report_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/data/load.hpp"
#include "gdkm/experiments/number_text.hpp"
#include "gdkm/fitting/choose_splits.hpp"
#include "gdkm/fitting/fingerprint.hpp"
#include "gdkm/fitting/fit.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

constexpr int most_nodes = 400;
constexpr double most_letters = 1.6e6;  // of all pictures together, in the page

/// So many rows that all pictures fit: one takes half of n² bytes, four letters for three of them.
int rows_of_picture(std::size_t pictures) {
  return std::min(most_nodes,
                  static_cast<int>(std::sqrt(most_letters * 1.5 / static_cast<double>(pictures))));
}

/// The order in which the points of a curve are worth their time.
std::vector<std::size_t> by_interest(const ReportNuCurve& curve) {
  std::vector<std::size_t> order;
  const auto want = [&](std::size_t k) {
    if (std::find(order.begin(), order.end(), k) == order.end()) order.push_back(k);
  };
  want(curve.points.size() - 1);
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    if (curve.gain && curve.points[k].nu == curve.gain->nu) want(k);
  }
  want(0);
  // Then, again and again, what is farthest from all that are there.
  while (order.size() < curve.points.size()) {
    std::size_t next = 0, farthest = 0;
    for (std::size_t k = 0; k < curve.points.size(); ++k) {
      std::size_t distance = curve.points.size();
      for (const std::size_t other : order) distance = std::min(distance, k > other ? k - other : other - k);
      if (distance <= farthest) continue;
      farthest = distance;
      next = k;
    }
    order.push_back(next);
  }
  return order;
}

/// Adds the kernel of `run`, a picture of about `size` rows, to `out`; false where it was interrupted.
bool add_kernel(const ReportKernelOptions& options, int size, const Dataset& given, const StoredRun& run,
                double nu, ReportKernels& out) {
  Settings settings = settings_of(run.configuration);
  settings.device.threads = options.threads;
  const auto data = std::make_shared<const PreparedData>(prepare(given, settings));
  const Split split = choose_split(settings.split, run.configuration.split, data->dataset);
  FitObserver observer;
  bool interrupted = false;
  observer.epoch = [&](const Epoch&) { return !(interrupted = interrupted || options.interrupted()); };
  const FittedModel model = fit(data, split, observer);
  if (interrupted) return false;
  const Problem& problem = data->problem;
  const NodeFeatures features = model.features(given, -1, FeatureRows::items);
  const auto rows = nodes_by_class(problem.label, problem.classes, std::max(1, size / problem.classes));
  out.of_graphs = problem.task != Task::node;
  out.class_names = data->dataset.class_names;
  out.of_class.assign(static_cast<std::size_t>(problem.classes), 0);
  for (const auto row : rows) ++out.of_class[static_cast<std::size_t>(problem.label[row])];
  const RunResult& result = model.card().run;
  out.by_nu.push_back({nu, run.id, result.val ? std::optional(result.val->score()) : std::nullopt,
                       cka_with_labels(features, problem.label, problem.classes),
                       picture_of_features(features, rows)});
  return true;
}

/// A committee has no kernel, but those of its members.
bool has_kernel(const StoredRun& run) {
  const Settings settings = settings_of(run.configuration);
  return run.result && !run.result->val->r2 && settings.is_sparse() && settings.members.empty();
}

}  // namespace

std::vector<std::vector<std::size_t>> affordable_kernels(const std::vector<ReportNuCurve>& curves,
                                                         const ReportRuns& runs, double seconds) {
  std::vector<std::vector<std::size_t>> out(curves.size()), order;
  std::size_t rounds = 0;
  for (const ReportNuCurve& curve : curves) {
    order.push_back(by_interest(curve));
    rounds = std::max(rounds, order.back().size());
  }
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t c = 0; c < curves.size(); ++c) {
      if (round >= order[c].size()) continue;
      const ReportNuPoint& point = curves[c].points[order[c][round]];
      const StoredRun& run = runs.at(point.runs.front());
      if (!has_kernel(run) || run.result->seconds > seconds) continue;
      seconds -= run.result->seconds;
      out[c].push_back(order[c][round]);
    }
  }
  for (auto& points : out) std::sort(points.begin(), points.end());
  return out;
}

std::optional<ReportKernelSet> report_kernels(const std::vector<ReportNuCurve>& curves,
                                              const ReportRuns& runs, const ReportKernelOptions& options) {
  ReportKernelSet out;
  const auto chosen = affordable_kernels(curves, runs, options.seconds);
  std::size_t total = 0, done = 0;
  for (const auto& points : chosen) total += points.size();
  const int size = rows_of_picture(std::max<std::size_t>(total, 1));
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const ReportNuCurve& curve = curves[c];
    if (chosen[c].empty()) {
      const StoredRun& run = runs.at(curve.points.front().runs.front());
      out.without.push_back(
          {curve.dataset,
           has_kernel(run) ? fmt::format("a run takes {:.0f} s, more than was left", run.result->seconds)
                           : "its models have no inducing points, or the data has no classes",
           has_kernel(run)});
      continue;
    }
    try {
      const Dataset dataset = load(curve.dataset, options.data_dir, options.threads);
      if (fingerprint(dataset) != runs.at(curve.points[0].runs[0]).configuration.data)
        throw InputError("the data of this name has changed since the runs");
      ReportKernels kernels{curve.dataset, false, {}, {}, {}};
      for (const std::size_t k : chosen[c]) {
        const ReportNuPoint& point = curve.points[k];
        options.progress(static_cast<std::int64_t>(done++), static_cast<std::int64_t>(total),
                         fmt::format("{}, ν = {}", curve.dataset, nu_name(point.nu)));
        try {
          if (!add_kernel(options, size, dataset, runs.at(point.runs.front()), point.nu, kernels))
            return std::nullopt;
        } catch (const NumericalError& error) {
          out.without.push_back(
              {fmt::format("{} at ν = {}", curve.dataset, nu_name(point.nu)), error.what(), false});
        }
      }
      if (!kernels.by_nu.empty()) out.kernels.push_back(std::move(kernels));
    } catch (const InputError& error) {
      out.without.push_back({curve.dataset, error.what(), false});
    }
  }
  return out;
}

}  // namespace gdkm
