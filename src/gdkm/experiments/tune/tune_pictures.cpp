#include "gdkm/experiments/tune/tune_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gdkm/experiments/drawing/axis.hpp"
#include "gdkm/experiments/drawing/chart_panels.hpp"
#include "gdkm/experiments/drawing/html_page.hpp"
#include "gdkm/experiments/drawing/svg_document.hpp"
#include "gdkm/experiments/number_text.hpp"

namespace gdkm {

namespace {

constexpr double width = 720, names_width = 250, numbers = 130, row = 22, head = 8, foot = 34;
constexpr int bins = 15;

/// Two standard errors; 0 where the error is not known.
double reach_of(const OptionEffect& effect) {
  return std::isnan(effect.difference.error) ? 0 : 2 * effect.difference.error;
}

std::string effect_name(const OptionEffect& effect) {
  return effect.value == "true"
             ? effect.option
             : fmt::format("{} {} (usually {})", effect.option, effect.value, effect.usual);
}

}  // namespace

std::string effect_chart(const std::vector<OptionEffect>& effects, Select metric, bool regression) {
  if (effects.empty()) return "<p>There was no time to change options one by one.</p>\n";
  const double direction = metric == Select::nll ? -1 : 1;  // people read NLL as it is
  double low = 0, high = 0;
  for (const OptionEffect& each : effects) {
    const double mean = direction * each.difference.mean, reach = reach_of(each);
    low = std::min(low, mean - reach);
    high = std::max(high, mean + reach);
  }
  // One setting that fails badly must not hide the rest.
  const double most = std::max({std::abs(direction * effects.front().difference.mean) * 3, high, 1e-6});
  low = std::max(low, -2 * most);
  const Axis axis = round_axis(low, high, 6);
  const double left = names_width, right = width - numbers;
  const double height = head + row * static_cast<double>(effects.size()) + foot;
  SvgDocument svg(SvgDocument::Use::page, width, height, "Effect of each option on the validation score");
  const auto x = [&](double value) { return std::clamp(position(axis, value, left, right), left, right); };
  const double bottom = height - foot;
  for (const Axis::Tick& tick : axis.ticks) {
    svg.line(x(tick.at), head, x(tick.at), bottom, {colours::rule, 1});
    svg.text(x(tick.at), bottom + 16, tick.label, {11, "middle", colours::soft});
  }
  svg.line(x(0), head, x(0), bottom, {colours::faint, 1.5});
  double y = head + row / 2;
  for (const OptionEffect& each : effects) {
    const double mean = direction * each.difference.mean, reach = reach_of(each);
    svg.text(left - 10, y + 4, escape_html(effect_name(each)), {11.5, "end"});
    const Colour& colour = colours::series[each.difference.mean >= 0 ? 0 : 1];
    svg.line(x(0), y, x(mean), y, {colour, 9});
    if (reach > 0) svg.line(x(mean - reach), y, x(mean + reach), y, {colours::ink, 1.3});
    svg.text(right + 10, y + 4,
             escape_html(fmt::format("{} ({})", gain_text(each.difference, metric, regression),
                                     each.difference.pairs)),
             {11, "start", colours::soft});
    y += row;
  }
  return "<div class='scroll'>" + std::move(svg).finish() +
         "</div>\n<p class='note'>At the right: the mean, ± one standard error where it is known, and in "
         "parentheses the number of pairs.</p>\n";
}

std::string reliability_figure(const ContenderRuns& runs) {
  std::array<ReliabilityBin, bins> all{};
  double count = 0;
  for (const RunResult& run : runs.runs) {
    if (!run.test) continue;
    for (const ReliabilityBin& bin : run.test->reliability) {
      auto& sum = all[static_cast<std::size_t>(bin.bin)];
      sum.count += bin.count;
      sum.confidence += bin.confidence;
      sum.correct += bin.correct;
      count += bin.count;
    }
  }
  if (count == 0)
    return "<p>There are no test items with classes, so nothing can be said about probabilities.</p>\n";
  LineChart chart;
  chart.x_label = "confidence: probability of the predicted class";
  chart.y_label = "share of right predictions";
  chart.x_axis = round_axis(0, 1);
  chart.y_axis = round_axis(0, 1);
  ChartSeries found{"", 0, false, true, {}}, ideal{"", 1, true, false, {}};
  ideal.points = {{0, 0, 0}, {1, 1, 0}};
  double gap = 0;
  for (const ReliabilityBin& bin : all) {
    if (bin.count == 0) continue;
    const double share = bin.correct / bin.count;
    found.points.push_back({bin.confidence / bin.count, share, std::sqrt(share * (1 - share) / bin.count)});
    gap += std::abs(bin.correct - bin.confidence) / count;
  }
  chart.series = {ideal, found};
  chart.value_decimals = 2;
  return fmt::format(
      "<figure style='max-width: 32rem'>\n{}<figcaption>{:.0f} predictions of all splits; bands show one "
      "standard "
      "error. The mean "
      "distance "
      "from the dashed line (expected calibration error) is {:.3f}.</figcaption></figure>\n",
      to_svg({"Accuracy against confidence", "", "", {chart}, 1, 360, 260}, SvgDocument::Use::page), count,
      gap);
}

}  // namespace gdkm
