#include "gdkm/cli/runs_tables.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <nlohmann/json.hpp>
#include <set>

#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/text_table.hpp"
#include "gdkm/store/stage_records.hpp"

namespace gdkm::cli {

namespace {

bool is_regression(const StoredRun& run) {
  return run.result && run.result->train && run.result->train->r2;
}

std::string score(const StoredRun& run, const std::optional<double>& value) {
  return value ? score_text(*value, is_regression(run)) : "-";
}

/// The title of a column of scores: "val %", "val R2", or both.
std::string title(const std::string& part, const std::vector<StoredRun>& runs) {
  const auto has = [](bool numbers) {
    return [numbers](const StoredRun& run) { return run.result && is_regression(run) == numbers; };
  };
  return score_title(part, std::any_of(runs.begin(), runs.end(), has(false)),
                     std::any_of(runs.begin(), runs.end(), has(true)));
}

std::string spread(const std::vector<RunValue>& values, bool regression) {
  if (values.empty()) return "-";
  return score_text(summarise_runs(values), regression);
}

std::string time_text(double seconds) {
  if (!(seconds > 0)) return "-";
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::localtime(static_cast<std::time_t>(seconds)));
}

/// The options whose values differ among the runs that have them; with `lacking`, also those that only some
/// runs have.
std::vector<std::string> differing(const std::vector<StoredRun>& runs, bool lacking) {
  std::set<std::string> names;
  for (const StoredRun& run : runs) {
    for (const auto& [name, value] : run.configuration.options.items()) names.insert(name);
  }
  std::vector<std::string> out;
  for (const std::string& name : names) {
    std::set<std::string> seen;
    for (const StoredRun& run : runs) {
      if (lacking || run.configuration.options.contains(name)) seen.insert(run.configuration.option(name));
    }
    if (seen.size() > 1) out.push_back(name);
  }
  return out;
}

std::string seconds_text(const StoredRun& run) {
  return run.result ? fmt::format("{:.1f}", run.result->seconds) : "-";
}

std::string metrics_text(const Metrics& m) {
  if (m.r2) return fmt::format("R2 {:.4f}, RMSE {:.4f}, NLL {:.4f}", *m.r2, *m.rmse, m.nll);
  return fmt::format("accuracy {:.2f} %, NLL {:.4f}, ECE {:.4f}{}{}", m.accuracy, m.nll, m.ece,
                     m.auc ? fmt::format(", AUC {:.4f}", *m.auc) : "",
                     m.confusion ? fmt::format(", macro F1 {:.4f}", *m.f1_macro()) : "");
}

}  // namespace

std::string run_list(const std::vector<StoredRun>& runs) {
  const auto options = differing(runs, false);
  std::vector<std::string> titles{"run", "status", "data set", "model"};
  titles.insert(titles.end(), options.begin(), options.end());
  const std::size_t numbers = titles.size();
  titles.insert(titles.end(), {"split", "seed", title("val", runs), title("test", runs), "seconds"});
  TextTable table(titles);
  table.align_right({0, numbers, numbers + 1, numbers + 2, numbers + 3, numbers + 4});
  for (const StoredRun& run : runs) {
    const Configuration& c = run.configuration;
    std::vector<std::string> row{std::to_string(run.id), name_of(run.status), c.dataset, c.model};
    for (const std::string& option : options) row.push_back(c.option(option));
    for (const std::string& cell : {std::to_string(c.split), std::to_string(c.seed), score(run, run.val()),
                                    score(run, run.test()), seconds_text(run)})
      row.push_back(cell);
    table.add(std::move(row));
  }
  return table.text();
}

std::string run_details(const Store& store, const StoredRun& run) {
  const Configuration& c = run.configuration;
  std::string out = fmt::format("run {}  {}\n  {} on {}, split {}, seed {}\n  status       {}{}\n", run.id,
                                run.hash.substr(0, 16), c.model, c.dataset, c.split, c.seed,
                                name_of(run.status), run.owner ? ", by " + name_of(*run.owner) : "");
  if (!run.message.empty()) out += fmt::format("  message      {}\n", run.message);
  out += fmt::format("  added        {}\n", time_text(run.created));
  if (run.started > 0) out += fmt::format("  started      {}\n", time_text(run.started));
  if (run.ended > 0) out += fmt::format("  ended        {}\n", time_text(run.ended));
  if (run.result) {
    const RunResult& r = *run.result;
    for (const auto& [name, part] : {std::pair{"train", r.train}, {"validation", r.val}, {"test", r.test}}) {
      if (part) out += fmt::format("  {:<12} {}\n", name, metrics_text(*part));
    }
    if (r.coverage) {
      out += fmt::format("  coverage     {:.2f} % where {:g} % was asked, {} items kept apart\n",
                         100 * r.coverage->measured, 100 * r.coverage->asked, r.coverage->calibration_items);
    }
    out += fmt::format("  epochs       {}, best {}, loss from {:.4f} to {:.4f}, in {:.1f} s\n", r.epochs,
                       r.best_epoch, r.first_loss, r.last_loss, r.seconds);
    std::vector<std::string> seen;
    for (const CurvePoint& point : store.curve(run.id)) {
      if (point.val) seen.push_back(fmt::format("{}: {:.1f}", point.epoch, *point.val));
    }
    if (seen.size() > 1) out += fmt::format("  val by epoch {}\n", fmt::join(seen, ", "));
  }
  out += "  options\n";
  for (const auto& [name, value] : c.options.items()) {
    const std::string text = option_text(value);
    if (!text.empty()) out += fmt::format("    {:<18} {}\n", name, text);
  }
  if (run.environment) {
    out += "  environment\n";
    const nlohmann::json environment = to_json(*run.environment);
    for (const auto& [name, value] : environment.items())
      out += fmt::format("    {:<18} {}\n", name, option_text(value));
  }
  for (const StageRun& use : StageRecords(store).stages_of(run.id)) {
    out += fmt::format("  in sweep     {}, study {}, stage {}{}\n", use.sweep, use.study, use.stage_name,
                       use.chosen ? ", chosen" : "");
  }
  for (const Store::Event& event : store.events(run.id))
    out += fmt::format("  {}  {}\n", time_text(event.time), event.kind);
  return out;
}

std::string run_comparison(const std::vector<StoredRun>& runs) {
  std::vector<std::string> titles{""};
  for (const StoredRun& run : runs) titles.push_back(fmt::format("run {}", run.id));
  TextTable table(titles);
  const auto add = [&](const std::string& name, auto value) {
    std::vector<std::string> row{name};
    for (const StoredRun& run : runs) row.push_back(value(run));
    table.add(std::move(row));
  };
  add("data set", [](const StoredRun& run) { return run.configuration.dataset; });
  add("model", [](const StoredRun& run) { return run.configuration.model; });
  add("split", [](const StoredRun& run) { return std::to_string(run.configuration.split); });
  add("seed", [](const StoredRun& run) { return std::to_string(run.configuration.seed); });
  for (const std::string& option : differing(runs, true))
    add(option, [&](const StoredRun& run) { return run.configuration.option(option); });
  add("status", [](const StoredRun& run) { return name_of(run.status); });
  add(title("train", runs), [](const StoredRun& run) {
    return score(run,
                 run.result && run.result->train ? std::optional(run.result->train->score()) : std::nullopt);
  });
  add(title("val", runs), [](const StoredRun& run) { return score(run, run.val()); });
  add(title("test", runs), [](const StoredRun& run) { return score(run, run.test()); });
  const auto detail = [](const StoredRun& run, double Metrics::*field) {
    return run.result && run.result->test ? fmt::format("{:.4f}", (*run.result->test).*field) : "-";
  };
  add("test NLL", [&](const StoredRun& run) { return detail(run, &Metrics::nll); });
  add("test ECE", [&](const StoredRun& run) { return detail(run, &Metrics::ece); });
  add("test macro F1", [](const StoredRun& run) {
    const auto f1 = run.result && run.result->test ? run.result->test->f1_macro() : std::nullopt;
    return f1 ? fmt::format("{:.4f}", *f1) : "-";
  });
  add("last loss",
      [](const StoredRun& run) { return run.result ? fmt::format("{:.4f}", run.result->last_loss) : "-"; });
  add("seconds", seconds_text);
  return table.text();
}

std::string run_groups(const std::vector<StoredRun>& runs, const std::vector<std::string>& options) {
  struct Group {
    std::vector<RunValue> val, test;
    int done = 0, failed = 0;
    bool regression = false;
  };
  std::vector<std::pair<std::vector<std::string>, Group>> groups;  // in the order of the runs
  for (const StoredRun& run : runs) {
    const Configuration& c = run.configuration;
    std::vector<std::string> key{c.dataset, c.model};
    for (const std::string& option : options) key.push_back(c.option(option));
    auto at =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == key; });
    if (at == groups.end()) at = groups.insert(at, {key, {}});
    if (const auto val = run.val()) at->second.val.push_back(run_value(run, *val));
    if (const auto test = run.test()) at->second.test.push_back(run_value(run, *test));
    at->second.regression = at->second.regression || is_regression(run);
    at->second.done += run.status == RunStatus::done ? 1 : 0;
    at->second.failed += run.status == RunStatus::failed ? 1 : 0;
  }
  std::vector<std::string> titles{"data set", "model"};
  titles.insert(titles.end(), options.begin(), options.end());
  const std::size_t numbers = titles.size();
  titles.insert(titles.end(), {"runs", "failed", title("val", runs), title("test", runs)});
  TextTable table(titles);
  table.align_right({numbers, numbers + 1, numbers + 2, numbers + 3});
  for (auto& [key, group] : groups) {
    std::vector<std::string> row = key;
    row.push_back(std::to_string(group.done));
    row.push_back(std::to_string(group.failed));
    row.push_back(spread(group.val, group.regression));
    row.push_back(spread(group.test, group.regression));
    table.add(std::move(row));
  }
  return table.text();
}

}  // namespace gdkm::cli
