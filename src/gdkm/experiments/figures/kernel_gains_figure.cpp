#include "gdkm/experiments/figures/kernel_gains_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "gdkm/experiments/drawing/interval_chart.hpp"
#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/tables/kernel_gains.hpp"
#include "gdkm/experiments/tables/paper_numbers.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/support/error.hpp"
#include "gdkm/support/option_mention.hpp"

namespace gdkm {

namespace {

struct Group {
  std::string task, title;
};

const Group groups[] = {{"node", "Nodes"}, {"graph", "Graphs"}};

/// What a chart shows of a gain: nullptr for nothing.
using Shown = const ScoreDifference* (*)(const KernelGain&);

const ScoreDifference* over_same_settings(const KernelGain& gain) {
  return &gain.difference;
}
const ScoreDifference* over_best_fixed(const KernelGain& gain) {
  return gain.over_best ? &gain.over_best->difference : nullptr;
}

/// The gains of all runs with one inference.
struct Series {
  Inference inference;
  std::map<std::string, std::vector<KernelGain>> gains;  // by task

  const KernelGain* find(const DatasetFacts& facts) const {
    const auto& all = gains.at(facts.task);
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const KernelGain& gain) { return gain.facts.name == facts.name; });
    return at == all.end() ? nullptr : &*at;
  }
  bool has(Shown shown) const {
    return std::any_of(gains.begin(), gains.end(), [&](const auto& of_task) {
      return std::any_of(of_task.second.begin(), of_task.second.end(),
                         [&](const KernelGain& gain) { return shown(gain) != nullptr; });
    });
  }
};

std::string legend_of(Inference inference) {
  switch (inference) {
    case Inference::natural:
      return "default inference";
    case Inference::uncalibrated:
      return "default inference, not calibrated";
    case Inference::paper:
      return "the paper’s optimisation";
  }
  return "";
}

/// The paper's inference first, then the default.
std::vector<Series> series_of(const Store& store, const std::vector<std::string>& sweeps) {
  std::vector<Series> out;
  for (const Inference each : {Inference::paper, Inference::uncalibrated, Inference::natural}) {
    Series series{each, {}};
    bool has_any = false;
    for (const Group& group : groups) {
      const auto& gains = series.gains[group.task] = kernel_gains(store, group.task, sweeps, each);
      has_any = has_any || !gains.empty();
    }
    if (has_any) out.push_back(std::move(series));
  }
  return out;
}

/// The data sets of a task that some series has.
std::vector<DatasetFacts> datasets_of(const std::vector<Series>& all, const std::string& task) {
  std::vector<DatasetFacts> out;
  for (const Series& series : all) {
    for (const KernelGain& gain : series.gains.at(task)) {
      const auto is_it = [&](const DatasetFacts& facts) { return facts.name == gain.facts.name; };
      if (std::none_of(out.begin(), out.end(), is_it)) out.push_back(gain.facts);
    }
  }
  std::stable_sort(out.begin(), out.end(), more_homophilous);
  return out;
}

IntervalChart::Row row_of(const std::vector<const Series*>& all, const DatasetFacts& facts, Shown shown) {
  IntervalChart::Row out;
  out.name = display_name(facts.name);
  bool is_finished = true;
  if (!std::isnan(facts.homophily)) out.note = fmt::format("h = {:.2f}", facts.homophily);
  for (const Series* series : all) {
    out.values.emplace_back();
    const KernelGain* gain = series->find(facts);
    const ScoreDifference* difference = gain ? shown(*gain) : nullptr;
    if (!difference) continue;
    out.values.back() = {difference->summary.mean, difference->half_width(), difference->splits == 1};
    is_finished = is_finished && gain->finished;
  }
  if (!is_finished) out.name += " †";
  return out;
}

/// Colours and markers: those of the other figures for the two inferences that are compared.
int style_of(Inference inference) {
  switch (inference) {
    case Inference::natural:
      return 0;
    case Inference::paper:
      return 1;
    case Inference::uncalibrated:
      return 2;
  }
  return 0;
}

IntervalChart chart_of(const std::vector<Series>& all, Shown shown, const std::string& title,
                       const std::string& x_label) {
  IntervalChart out;
  out.title = title;
  out.x_label = x_label;
  std::vector<const Series*> some;
  for (const Series& each : all) {
    if (!each.has(shown)) continue;
    some.push_back(&each);
    out.series.push_back({legend_of(each.inference), style_of(each.inference), false, true, {}});
  }
  for (const Group& group : groups) {
    IntervalChart::Group rows{group.title, {}};
    for (const DatasetFacts& facts : datasets_of(all, group.task)) {
      IntervalChart::Row row = row_of(some, facts, shown);
      if (std::any_of(row.values.begin(), row.values.end(),
                      [](const auto& value) { return value.has_value(); }))
        rows.rows.push_back(std::move(row));
    }
    if (!rows.rows.empty()) out.groups.push_back(std::move(rows));
  }
  const auto is_marked = [](const IntervalChart::Row& row) { return row.name.ends_with("†"); };
  const auto has_mark = [&](const IntervalChart::Group& group) {
    return std::any_of(group.rows.begin(), group.rows.end(), is_marked);
  };
  if (std::any_of(out.groups.begin(), out.groups.end(), has_mark))
    out.x_label += " (†: the sweep is not finished)";
  return out;
}

ExportTable empty_numbers() {
  using Kind = ExportTable::Kind;
  ExportTable out;
  out.columns = {{"dataset"},
                 {"task"},
                 {"homophily", Kind::real},
                 {"inference"},
                 {"nu", Kind::real},
                 {"learned", Kind::real},
                 {"fixed", Kind::real},
                 {"difference", Kind::real},
                 {"half_width", Kind::real},
                 {"splits", Kind::whole},
                 {"best_fixed", Kind::real},
                 {"difference_from_best", Kind::real},
                 {"half_width_from_best", Kind::real},
                 {"finished", Kind::flag}};
  return out;
}

}  // namespace

Figure kernel_gains_figure(const Store& store, const std::vector<std::string>& sweeps) {
  const std::vector<Series> all = series_of(store, sweeps);
  if (all.empty())
    throw InputError(
        fmt::format("{}: no stage trains a DKM of classes at a finite ν and at ν = ∞, other options being "
                    "equal; train some with:  "
                    "gdkm sweep experiments/node-dkm.toml {}",
                    store.name(), option("store", store.name())));
  ExportTable numbers = empty_numbers();
  TextTable text({"data set", "homophily", "inference", "difference", "from the best fixed"});
  text.align_right({1, 3, 4});
  for (const Group& group : groups) {
    for (const DatasetFacts& facts : datasets_of(all, group.task)) {
      for (const Series& series : all) {
        const KernelGain* gain = series.find(facts);
        if (!gain) continue;
        const auto inference = std::string(name_of(series.inference));
        const double mean = gain->difference.summary.mean, half = gain->difference.half_width();
        const ScoreDifference* best = over_best_fixed(*gain);
        const auto of_best = [&](double value) { return best ? nlohmann::json(value) : nlohmann::json(); };
        const double best_mean = best ? best->summary.mean : NAN, best_half = best ? best->half_width() : NAN;
        numbers.add({facts.name, group.task, facts.homophily, inference, gain->nu, gain->learned.mean,
                     gain->fixed.mean, mean, half, gain->difference.splits,
                     of_best(best ? gain->over_best->fixed.mean : NAN), of_best(best_mean),
                     of_best(best_half), gain->finished});
        text.add({facts.name, std::isnan(facts.homophily) ? "" : fmt::format("{:.2f}", facts.homophily),
                  inference, interval_text(mean, half, 2) + (gain->finished ? "" : " †"),
                  best ? interval_text(best_mean, best_half, 2) : ""});
      }
    }
  }
  Figure out{{}, {{"gains", std::move(numbers)}}, text.text()};
  const std::string points = ", in points of test accuracy";
  out.pictures.push_back(
      {"gains", to_svg(chart_of(all, over_same_settings, "What learning the kernels gains",
                                "gain over the fixed kernel with the same settings" + points))});
  if (const IntervalChart best =
          chart_of(all, over_best_fixed, "What learning gains over the best fixed kernel",
                   "gain over the fixed kernel that validates best" + points);
      !best.groups.empty())
    out.pictures.push_back({"gains-over-best", to_svg(best)});
  return out;
}

}  // namespace gdkm
