#include "gdkm/experiments/report/study_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/experiments/drawing/html_page.hpp"
#include "gdkm/experiments/drawing/page_files.hpp"

namespace gdkm {

namespace {

/// Rank of a data set: the least homophilous first, those without homophily last.
double rank(const std::vector<DatasetFacts>& facts, const std::string& name) {
  for (std::size_t k = 0; k < facts.size(); ++k) {
    if (facts[k].name == name) return static_cast<double>(k);
  }
  return INFINITY;
}

/// JSON may hold "</script>" in a text. Without '<' it cannot end the element.
std::string inside_script(std::string_view json) {
  std::string out;
  for (const char c : json) out += c == '<' ? std::string_view("\\u003c") : std::string_view(&c, 1);
  return out;
}

}  // namespace

std::optional<ReportContent> report_content(const Store& store, const ReportKernelOptions& kernels) {
  ReportContent out;
  out.store = store.location().title();
  const StageRecords records(store);
  out.facts = records.datasets();
  std::stable_sort(out.facts.begin(), out.facts.end(), [](const DatasetFacts& a, const DatasetFacts& b) {
    const auto key = [](const DatasetFacts& f) {
      return std::pair(f.task != "node", std::isnan(f.homophily) ? INFINITY : f.homophily);
    };
    return key(a) < key(b);
  });
  std::size_t done = 0;
  for (StoredRun& run : store.runs()) {
    done += run.status == RunStatus::done ? 1 : 0;
    out.runs.emplace(run.id, std::move(run));
  }
  const auto in_order = [&](auto& list) {
    std::stable_sort(list.begin(), list.end(), [&](const auto& a, const auto& b) {
      return rank(out.facts, a.dataset) < rank(out.facts, b.dataset);
    });
  };
  out.results = report_results(records.stages(), out.runs);
  in_order(out.results);
  out.curves = report_nu_curves(out.runs);
  in_order(out.curves);
  out.story = report_story(out.curves, out.facts, done);
  auto made = report_kernels(out.curves, out.runs, kernels);
  if (!made) return std::nullopt;
  out.kernels = std::move(*made);
  return out;
}

std::string study_report(const ReportContent& content, const Store& store) {
  const std::string body = fmt::format(
      "<p class='over'>gdkm report: {}</p>\n<h1>{}</h1>\n<p class='lead'>{}</p>\n"
      "<noscript><p>A script draws the rest of this page, and this browser does not run "
      "it.</p></noscript>\n{}"
      "<script type='application/json' id='report-data'>{}</script>\n"
      "<script>\n'use strict';\n(() => {{\n{}}})();\n</script>\n",
      escape_html(content.store), escape_html(content.story.headline), escape_html(content.story.detail),
      page_files::report, inside_script(report_json(content, store).dump()), page_files::report_script);
  return html_page("gdkm report: " + content.store, body);
}

}  // namespace gdkm
