#include "gdkm/experiments/tune/tune_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/drawing/html_page.hpp"
#include "gdkm/experiments/drawing/page_files.hpp"
#include "gdkm/experiments/number_text.hpp"
#include "gdkm/experiments/tune/tune_pictures.hpp"
#include "gdkm/support/terminal.hpp"
#include "gdkm/support/version.hpp"

namespace gdkm {

namespace {

std::string unit(Select metric, bool regression) {
  return metric == Select::accuracy && !regression ? " %" : "";
}

std::string metric_name(Select metric, bool regression) {
  if (regression && metric == Select::accuracy) return "R²";
  return metric == Select::nll ? "NLL" : metric == Select::auc ? "AUC" : name_of(metric);
}

std::string cell(const std::string& text) {
  return "<td>" + escape_html(text) + "</td>";
}

std::string table(const std::vector<std::string>& titles, const std::string& rows) {
  std::string head;
  for (const std::string& title : titles) head += "<th>" + escape_html(title) + "</th>";
  return "<div class='scroll'><table><thead><tr>" + head + "</tr></thead><tbody>\n" + rows +
         "</tbody></table></div>\n";
}

std::string tile(const std::string& value, const std::string& what) {
  return fmt::format("<div class='tile'><dd>{}</dd><dt>{}</dt></div>\n", escape_html(value),
                     escape_html(what));
}

std::string finalist_table(const TuneTask& task, Select metric, const TuneSummary& summary) {
  std::string rows;
  for (const FinalistSummary& each : summary.finalists) {
    const std::string name = contender_text(each.contender) + (each.plain ? " (the default)" : "");
    const auto test = each.winner ? summary.test : each.plain ? summary.default_test : std::nullopt;
    const std::string mark = each.winner ? " class='best'" : "";
    rows += fmt::format("<tr><td{}>{}</td>", mark, escape_html(name)) +
            cell(metric_text(each.val, metric, task.regression)) +
            cell(each.gain ? gain_text(*each.gain, metric, task.regression) : "") +
            cell(test ? metric_text(*test, metric, task.regression) : "not looked at") +
            cell(std::to_string(each.runs)) + "</tr>\n";
  }
  const std::string name = metric_name(metric, task.regression) + unit(metric, task.regression);
  return table({"settings", "validation " + name, "gain over the default", "test " + name, "runs"}, rows);
}

std::string item_table(const std::vector<DoubtfulItem>& items, bool graphs, bool numbers, bool surprising) {
  if (items.empty()) return "<p>There are none.</p>\n";
  std::string rows;
  for (const DoubtfulItem& each : items) {
    rows += "<tr>" + cell(each.name) + cell(each.part.empty() ? "-" : each.part) +
            cell(each.label.empty() ? "-" : each.label) + cell(each.predicted) +
            cell(fmt::format("{:.2f}", surprising ? each.label_probability : each.confidence)) + "</tr>\n";
  }
  const std::string last = surprising ? (numbers ? "distance in deviations" : "probability of the label")
                                      : (numbers ? "standard deviation" : "confidence");
  return table({graphs ? "graph" : "node", "part", "label", "predicted", last}, rows);
}

std::string stage_table(const TuneTask& task, Select metric, const TuneResult& result) {
  std::string rows;
  for (const StageOutcome& stage : result.stages) {
    auto all = contenders_of({stage}, [](const std::string&) { return true; });
    std::erase_if(all, [](const ContenderRuns& each) { return each.runs.empty(); });
    const auto best = leaders(all, metric, 1);
    std::size_t runs = 0;
    for (const ContenderRuns& each : all) runs += each.runs.size();
    if (best.empty()) continue;
    const auto at = std::find_if(all.begin(), all.end(),
                                 [&](const ContenderRuns& each) { return each.contender == best[0]; });
    rows +=
        "<tr>" + cell(stage.name) +
        cell(is_screening_stage(stage.name) ? fmt::format("{} at most", screening_epochs) : "until it ends") +
        cell(std::to_string(all.size())) + cell(std::to_string(runs)) +
        cell(metric_text(summarise_runs(validation_scores(*at, metric)), metric, task.regression)) +
        "<td class='wrap'>" + escape_html(contender_text(best[0])) + "</td></tr>\n";
  }
  return table({"stage", "epochs", "settings", "runs", "best validation score", "by"}, rows);
}

std::string contender_table(const TuneTask& task, Select metric, const TuneResult& result) {
  std::string rows;
  for (const bool full : {true, false}) {
    auto all = contenders_of(result.stages,
                             [&](const std::string& name) { return is_screening_stage(name) != full; });
    std::vector<std::pair<double, std::string>> lines;
    for (const ContenderRuns& each : all) {
      const auto scores = validation_scores(each, metric);
      if (scores.empty()) continue;
      const Summary val = summarise_runs(scores);
      lines.emplace_back(val.mean,
                         "<tr><td class='wrap'>" + escape_html(contender_text(each.contender)) + "</td>" +
                             cell(full ? "until it ends" : fmt::format("{} at most", screening_epochs)) +
                             cell(std::to_string(scores.size())) +
                             cell(metric_text(val, metric, task.regression)) + "</tr>\n");
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& line : lines) rows += line.second;
  }
  return table({"settings", "epochs", "runs", "validation"}, rows);
}

std::string splits_text(const TuneTask& task, const ContenderRuns& winner) {
  std::set<int> splits;
  for (const RunResult& run : winner.runs) splits.insert(run.split);
  if (task.splits == 1)
    return fmt::format(
        "Scores are means over {} seed{} on the only split, ± one standard deviation; the same "
        "items are validated on each time.",
        winner.runs.size(), winner.runs.size() == 1 ? "" : "s");
  return fmt::format("Scores are means over {} of {} splits, ± one standard deviation.", splits.size(),
                     task.splits);
}

}  // namespace

std::string verdict(const TuneTask& task, Select metric, const TuneResult& result,
                    const TuneSummary& summary) {
  const bool numbers = task.regression;
  std::string out;
  if (result.winner == plain_default()) {
    out = "Nothing that was trained to the end validates better than the default.";
    if (!result.complete) out += " The budget ended the search early; a larger one may find more.";
  } else if (summary.test_gain) {
    const auto& gain = *summary.test_gain;
    const bool clear = gain.pairs > 1 && std::abs(gain.mean) > 2 * gain.error;
    out =
        fmt::format("On test data it differs from the default by {} ({}).", gain_text(gain, metric, numbers),
                    gain.pairs == 1          ? "one split, so nothing is known about its spread"
                    : task.splits == 1       ? "± is over seeds of one split, and says nothing about others"
                    : std::isnan(gain.error) ? "the splits share items, so its spread is not known"
                    : clear                  ? "more than two standard errors"
                                             : "within two standard errors, so not clearly");
  }
  if (summary.over_majority) {
    const auto& over = *summary.over_majority;
    const bool beats = over.mean > 2 * over.error && over.mean > 0;
    out +=
        fmt::format(" Always predicting the most frequent class gives {:.1f} %: {}.", summary.majority->mean,
                    beats ? fmt::format("the model has {} points more", number_text(over.mean, 1))
                          : "the model is not clearly better than that");
  }
  if (summary.gain_over_gcn && result.winner.at("model") != "gcn")
    out += fmt::format(" Against the best GCN, on validation data: {}.",
                       gain_text(*summary.gain_over_gcn, metric, numbers));
  return out;
}

std::string tune_report(const TuneReportTexts& texts, const TuneTask& task, Select metric,
                        const TuneResult& result, const TuneSummary& summary, const DoubtfulItems& doubtful) {
  const bool numbers = task.regression;
  const ContenderRuns& winner = result.runs_of(result.winner);
  const std::string name = metric_name(metric, numbers), of = unit(metric, numbers);
  const std::string items = task.of_graphs() ? "graphs" : "nodes";
  const auto score = [&](const std::optional<Summary>& each) {
    return each ? metric_text(*each, metric, numbers) + of : std::string("-");
  };
  std::string tiles = tile(score(summary.test), "test " + name) +
                      tile(score(summary.default_test), "test " + name + " of the default");
  if (summary.majority && metric == Select::accuracy)
    tiles += tile(fmt::format("{:.1f} %", summary.majority->mean),
                  "for always predicting the most frequent class");
  if (summary.nll) tiles += tile(mean_text(*summary.nll, 3), "test NLL");
  if (summary.ece && !numbers) tiles += tile(mean_text(*summary.ece, 3), "expected calibration error");
  std::string commands = escape_html(texts.train_command) + "\n";
  if (!texts.predict_command.empty()) commands += escape_html(texts.predict_command) + "\n";
  const std::string doubt =
      numbers
          ? "Wide distributions call for more labels nearby; labels more than two standard deviations from "
            "the prediction may be wrong, or show what features lack."
          : "Predictions with low confidence call for a look or for more labels nearby. A label that the "
            "model "
            "finds unlikely may be wrong, or show what features and edges do not say.";
  using fmt::arg;
  return html_page(
      "gdkm tune: " + texts.data,
      fmt::format(
          fmt::runtime(page_files::tune), arg("data", escape_html(texts.data)),
          arg("headline",
              escape_html(fmt::format("Test {} {}{}", name,
                                      summary.test ? metric_text(*summary.test, metric, numbers) : "-", of))),
          arg("lead", escape_html("The settings that validate best: " + contender_text(result.winner) + ". " +
                                  verdict(task, metric, result, summary))),
          arg("tiles", tiles), arg("finalists", finalist_table(task, metric, summary)),
          arg("compared", escape_html(splits_text(task, winner))), arg("metric", name),
          arg("effects", effect_chart(summary.effects, metric, numbers)), arg("items", items),
          arg("doubt", doubt), arg("unsure", item_table(doubtful.unsure, task.of_graphs(), numbers, false)),
          arg("surprising", item_table(doubtful.surprising, task.of_graphs(), numbers, true)),
          arg("reliability", reliability_figure(winner)), arg("saved", escape_html(texts.how_refitted)),
          arg("commands", commands),
          arg("tried",
              "Many settings on few splits first, for few epochs; the best of them again, trained until "
              "validation no longer gains; in the end a handful, with the default among them, on the "
              "same splits."),
          arg("stages", stage_table(task, metric, result)), arg("all", contender_table(task, metric, result)),
          arg("settings", summary.settings), arg("runs", summary.runs),
          arg("failed", summary.failed > 0 ? fmt::format(", {} failed", summary.failed) : ""),
          arg("time", duration_text(result.seconds)), arg("version", version), arg("commit", git_commit),
          arg("store", escape_html(texts.store))));
}

}  // namespace gdkm
