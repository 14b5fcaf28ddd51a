#include "gdkm/experiments/report/report_story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gdkm/data/generators/generators.hpp"
#include "gdkm/experiments/number_text.hpp"

namespace gdkm {

namespace {

using Verdict = ReportGain::Verdict;

/// "a", "a and b", "a, b and 3 more".
std::string list(const std::vector<std::string>& names, std::size_t most = 3) {
  std::string out;
  const std::size_t shown = names.size() > most ? most - 1 : names.size();
  for (std::size_t k = 0; k < shown; ++k) {
    const bool last = k + 1 == shown && shown == names.size();
    out += (k == 0 ? "" : last ? " and " : ", ") + names[k];
  }
  return shown == names.size() ? out : out + fmt::format(" and {} more", names.size() - shown);
}

/// A generated graph is named by its generator and homophily: the generator's options are too long.
std::string spoken(const std::string& dataset, const std::vector<DatasetFacts>& facts) {
  if (!is_generator(dataset)) return dataset;
  const std::string kind = dataset.substr(0, dataset.find(':'));
  for (const DatasetFacts& each : facts) {
    if (each.name == dataset && !std::isnan(each.homophily))
      return fmt::format("{} (homophily {:.2f})", kind, each.homophily);
  }
  return kind;
}

std::string points(double value) {
  return fmt::format("{}{:.1f}", value < 0 ? "−" : "+", std::abs(value));
}

std::string gain_text(const ReportNuCurve& curve, const std::vector<DatasetFacts>& facts) {
  const ReportGain& gain = *curve.gain;
  return fmt::format("{} {}{} at ν = {}", spoken(curve.dataset, facts), points(gain.difference.summary.mean),
                     std::isnan(gain.difference.error) ? "" : fmt::format(" ± {:.1f}", gain.difference.error),
                     nu_name(gain.nu));
}

/// The curves with a gain, the largest gain first.
std::vector<const ReportNuCurve*> with_gain(const std::vector<ReportNuCurve>& curves) {
  std::vector<const ReportNuCurve*> out;
  for (const ReportNuCurve& curve : curves) {
    if (curve.gain) out.push_back(&curve);
  }
  std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) {
    return a->gain->difference.summary.mean > b->gain->difference.summary.mean;
  });
  return out;
}

std::string headline(const std::vector<const ReportNuCurve*>& curves,
                     const std::vector<DatasetFacts>& facts) {
  std::vector<std::string> helped, even, hurt;
  const auto name = [&](const ReportNuCurve& curve, const std::vector<std::string>& before) {
    return fmt::format("{:.1f}{} on {}", std::abs(curve.gain->difference.summary.mean),
                       before.empty() ? " points" : "", spoken(curve.dataset, facts));
  };
  for (const ReportNuCurve* curve : curves) {
    switch (curve->gain->verdict()) {
      case Verdict::helps:
        helped.push_back(name(*curve, helped));
        break;
      case Verdict::even:
        even.push_back(spoken(curve->dataset, facts));
        break;
      case Verdict::hurts:
        hurt.push_back(name(*curve, hurt));
        break;
    }
  }
  std::vector<std::string> parts;
  if (!helped.empty()) parts.push_back("adds " + list(helped));
  if (!even.empty())
    parts.push_back((parts.empty() ? "makes no clear gain on " : "no clear gain on ") + list(even));
  if (!hurt.empty()) parts.push_back("costs " + list(hurt));
  return fmt::format("Learning the representation {}", fmt::join(parts, "; "));
}

/// Mean gains of data sets below and above a homophily of ½.
std::string by_homophily(const std::vector<const ReportNuCurve*>& curves,
                         const std::vector<DatasetFacts>& facts) {
  double sum[2] = {0, 0};
  int count[2] = {0, 0};
  for (const ReportNuCurve* curve : curves) {
    const auto known = std::find_if(facts.begin(), facts.end(),
                                    [&](const DatasetFacts& f) { return f.name == curve->dataset; });
    if (known == facts.end() || known->task != "node" || std::isnan(known->homophily)) continue;
    const int side = known->homophily < 0.5 ? 0 : 1;
    sum[side] += curve->gain->difference.summary.mean;
    ++count[side];
  }
  if (count[0] == 0 || count[1] == 0) return "";
  return fmt::format(
      " The mean gain is {} points on data sets with a homophily below ½, and {} points on the others.",
      points(sum[0] / count[0]), points(sum[1] / count[1]));
}

/// Test scores of the exact NNGP beside those of the ν that validation prefers.
std::string beside_exact(const std::vector<const ReportNuCurve*>& curves,
                         const std::vector<DatasetFacts>& facts) {
  std::vector<std::string> texts;
  for (const ReportNuCurve* curve : curves) {
    for (const FixedKernel& kernel : curve->fixed) {
      const auto preferred =
          std::find_if(curve->points.begin(), curve->points.end(),
                       [&](const ReportNuPoint& point) { return point.nu == curve->gain->nu; });
      if (kernel.kind != FixedKernel::Kind::exact || !preferred->test) continue;
      texts.push_back(fmt::format("{} {:.1f} (ν = {}: {:.1f})", spoken(curve->dataset, facts),
                                  kernel.test.mean, nu_name(preferred->nu), preferred->test->mean));
    }
  }
  if (texts.empty()) return "";
  return fmt::format(" The exact NNGP, whose kernel is fixed, has on the same splits: {}.",
                     fmt::join(texts, "; "));
}

}  // namespace

ReportStory report_story(const std::vector<ReportNuCurve>& curves, const std::vector<DatasetFacts>& facts,
                         std::size_t done) {
  const auto gains = with_gain(curves);
  if (gains.empty()) {
    const std::string what = fmt::format("{} run{} on {} data set{}", done, done == 1 ? "" : "s",
                                         facts.size(), facts.size() == 1 ? "" : "s");
    return {
        what,
        "The gain from learning the representation is shown once there are runs at a finite ν and at ν = ∞ "
        "on the same seeds and splits of a data set with classes."};
  }
  std::vector<std::string> texts;
  for (const ReportNuCurve* curve : gains) texts.push_back(gain_text(*curve, facts));
  std::string detail =
      "Test accuracy at the ν that validation prefers, minus that of the fixed kernel "
      "(ν = ∞) on the same seeds and splits: " +
      fmt::format("{}", fmt::join(texts, "; ")) + "." + by_homophily(gains, facts) +
      beside_exact(gains, facts);
  return {headline(gains, facts), detail};
}

}  // namespace gdkm
