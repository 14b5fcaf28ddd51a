#include "gdkm/experiments/figures/accuracy_curves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "gdkm/experiments/figures/option_curves.hpp"
#include "gdkm/support/error.hpp"
#include "tests/experiments/figures/store_of_scores.hpp"

namespace gdkm {
namespace {

using testing::StoreOfScores;

/// Two data sets, of which the second prefers a small ν and the other scheme.
class AccuracyCurves : public ::testing::Test {
 protected:
  AccuracyCurves() {
    scores_.add_dataset("squirrel", "node", 0.22);
    scores_.add_dataset("cora", "node", 0.81);
    scores_.add_dataset("MUTAG", "graph", 0.7);
    add("cora", 0, 0.1, "inter", {{0, 0, 78, 70}, {1, 0, 80, 74}});
    add("cora", 1, 0.1, "intra", {{0, 0, 60, 50}, {1, 0, 61, 50}});
    add("cora", 2, "inf", "inter", {{0, 0, 79, 71}, {1, 0, 81, 73}});
    add("cora", 3, 0, "inter", {{0, 0, 70, 66}, {1, 0, NAN, NAN}});
    // Two splits, on one of them a second seed that only some settings have.
    add("squirrel", 0, 0.1, "inter", {{0, 0, 40, 41}, {1, 0, 44, 45}, {0, 1, 46, 47}});
    add("squirrel", 1, 0.1, "intra", {{0, 0, 50, 51}, {0, 1, 54, 55}});
    add("squirrel", 2, 10, "intra", {{0, 0, 30, 31}, {0, 1, 34, 35}});
    add("MUTAG", 0, 0.1, "inter", {{0, 0, 80, 80}});
    // Another depth is another curve; it has fewer runs, and is left out.
    scores_.add("deep", 0, 0, "cora", "dkm", {{"nu", 0.1}}, {{0, 0, 99, 99}},
                {{"layers", 8}, {"scheme", "inter"}});
    // Varies something else.
    scores_.add("other", 0, 0, "cora", "dkm", {{"arch", "kipf"}}, {{0, 0, 98, 98}},
                {{"layers", 2}, {"scheme", "inter"}, {"nu", 55}});
  }

  void add(const std::string& dataset, int candidate, const nlohmann::json& nu, const std::string& scheme,
           const std::vector<StoreOfScores::Score>& scores) {
    scores_.add("dkm", 0, candidate, dataset, "dkm", {{"nu", nu}, {"scheme", scheme}}, scores,
                {{"layers", 2}});
  }

  StoreOfScores scores_;
};

TEST_F(AccuracyCurves, AreMeansAndDeviationsAsThePaperDefinesThem) {
  const auto curves = option_curves(scores_.store(), "nu", "scheme", "");
  ASSERT_EQ(curves.size(), 2u) << "graphs are not nodes";
  EXPECT_EQ(curves[0].facts.name, "cora") << "the most homophilous first";
  EXPECT_EQ(curves[1].facts.name, "squirrel");

  const auto& cora = curves[0].lines.at(curves[0].best);
  EXPECT_EQ(cora.name, "inter");
  ASSERT_EQ(cora.scores.size(), 3u);
  EXPECT_EQ(cora.scores[0].value, 0);
  EXPECT_EQ(cora.scores[0].failed, 1);
  EXPECT_EQ(cora.scores[0].runs, 1);
  EXPECT_DOUBLE_EQ(cora.scores[1].val.mean, 79);
  EXPECT_DOUBLE_EQ(cora.scores[1].val.std, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(cora.scores[1].test.mean, 72);
  EXPECT_TRUE(std::isinf(cora.scores[2].value));

  const auto& squirrel = curves[1].lines.at(curves[1].best);
  EXPECT_EQ(squirrel.name, "intra");
  EXPECT_DOUBLE_EQ(squirrel.scores[0].val.mean, 52);
  EXPECT_DOUBLE_EQ(curves[1].lines[0].scores[0].val.mean, 43) << "of 40 and 46: others have no second seed";
  EXPECT_DOUBLE_EQ(curves[1].lines[0].scores[0].val.std, std::sqrt(18.0));
}

/// All that matches, with its groups as numbers.
std::vector<std::vector<double>> numbers_in(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::vector<double>> out;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    std::vector<double> groups;
    for (std::size_t k = 1; k < at->size(); ++k) groups.push_back(std::stod((*at)[k]));
    out.push_back(std::move(groups));
  }
  return out;
}

/// Where a marker is drawn.
constexpr const char* marker = "translate.([0-9.]+) ([0-9.]+)";

TEST_F(AccuracyCurves, CanBeOfSomeSweepsAlone) {
  EXPECT_EQ(nu_curve_figure(scores_.store(), {"sweep"}).summary, nu_curve_figure(scores_.store()).summary);
  EXPECT_THROW(nu_curve_figure(scores_.store(), {"nowhere"}), InputError);
}

TEST_F(AccuracyCurves, MarkersStandWhereTheTableSays) {
  const Figure figure = nu_curve_figure(scores_.store());
  ASSERT_EQ(figure.pictures.size(), 1u);
  const std::string& svg = figure.pictures[0].svg;
  const ExportTable& table = figure.numbers.at(0).table;
  std::vector<double> shown;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.columns[3].values[row].get<bool>()) shown.push_back(table.columns[5].values[row]);
  }
  EXPECT_EQ(shown, (std::vector<double>{70, 79, 80, 52, 32}));
  EXPECT_EQ(table.rows(), 7u) << "lines that are not shown are in the table, too";

  const auto markers = numbers_in(svg, marker);
  ASSERT_EQ(markers.size(), shown.size());
  const auto panel_of = [&](double x) { return x < markers[3][0] ? 0 : 1; };
  // Ticks of the y axes: right-aligned numbers.
  const auto ticks = numbers_in(svg,
                                "<text x='([0-9.]+)' y='([0-9.]+)' font-size='9' text-anchor='end' "
                                "fill='[^']*'>([0-9.]+)<");
  for (std::size_t k = 0; k < shown.size(); ++k) {
    std::vector<std::vector<double>> own;
    for (const auto& tick : ticks) {
      if ((tick[0] < markers[3][0] - 60) == (panel_of(markers[k][0]) == 0)) own.push_back(tick);
    }
    ASSERT_GE(own.size(), 3u);
    const double slope = (own.back()[1] - own.front()[1]) / (own.back()[2] - own.front()[2]);
    const double value = own.front()[2] + (markers[k][1] - (own.front()[1] - 3.2)) / slope;
    EXPECT_NEAR(value, shown[k], 0.2) << k;
  }
}

/// Runs of the exact NNGP, which differ from the curve in what makes them exact.
nlohmann::json exact_nngp() {
  return {{"exact", true}, {"network", "gcn"}, {"nu", "inf"}};
}

TEST_F(AccuracyCurves, AFailedSettingWithoutACommonRunIsLeftOut) {
  // The one split that all others have failed for the last ν of BlogCatalog; it is done on another.
  scores_.add_dataset("blogcatalog", "node", 0.4);
  add("blogcatalog", 0, 0.1, "inter", {{0, 0, 70, 71}});
  add("blogcatalog", 1, 1, "inter", {{0, 0, 72, 73}});
  add("blogcatalog", 2, 0, "inter", {{0, 0, NAN, NAN}, {0, 1, 90, 91}});
  add("blogcatalog", 3, 0, "intra", {{0, 0, NAN, NAN}, {0, 1, 90, 91}});
  const auto curves = option_curves(scores_.store(), "nu", "scheme", "");
  ASSERT_EQ(curves.size(), 3u);
  EXPECT_EQ(curves[1].facts.name, "blogcatalog");
  ASSERT_EQ(curves[1].lines.size(), 1u) << "no intra-domain run is left";
  EXPECT_EQ(curves[1].lines[0].scores.size(), 2u);
  const Figure figure = nu_curve_figure(scores_.store());
  EXPECT_EQ((figure.summary + figure.pictures[0].svg).find("nan"), std::string::npos);
}

TEST_F(AccuracyCurves, FixedKernelsAreOfTheSplitsThatTheCurveHas) {
  // ν = 10 was run on the first split alone, and the curve is of that one.
  scores_.add_dataset("flickr", "node", 0.3);
  add("flickr", 0, 0.1, "inter", {{0, 0, 70, 71}, {0, 1, 80, 81}});
  add("flickr", 1, 10, "inter", {{0, 0, 72, 73}});
  scores_.add("exact", 0, 0, "flickr", "nngp", {{"layers", 2}}, {{0, 0, 68, 67}, {0, 1, 90, 91}},
              exact_nngp());
  const auto curves = option_curves(scores_.store(), "nu", "scheme", "");
  ASSERT_EQ(curves[1].facts.name, "flickr");
  ASSERT_EQ(curves[1].fixed.size(), 1u);
  EXPECT_EQ(curves[1].fixed[0].val.mean, 68);
}

TEST_F(AccuracyCurves, FixedKernelsOnTheSameSplitsAreHorizontalLines) {
  scores_.add("exact", 0, 0, "squirrel", "nngp", {{"layers", 2}}, {{0, 0, 48, 47}, {0, 1, 52, 51}},
              exact_nngp());
  scores_.add("landmarks", 0, 0, "squirrel", "nngp", {{"layers", 2}}, {{0, 0, 44, 43}, {0, 1, 46, 45}},
              {{"landmarks", true}, {"scheme", "inter"}, {"nu", "inf"}});
  const auto curves = option_curves(scores_.store(), "nu", "scheme", "");
  EXPECT_TRUE(curves[0].fixed.empty()) << "cora has none";
  ASSERT_EQ(curves[1].fixed.size(), 2u);
  EXPECT_EQ(curves[1].fixed[0].kind, FixedKernel::Kind::exact);
  EXPECT_DOUBLE_EQ(curves[1].fixed[0].val.mean, 50);
  EXPECT_DOUBLE_EQ(curves[1].fixed[0].val.std, std::sqrt(8.0));
  EXPECT_DOUBLE_EQ(curves[1].fixed[0].test.mean, 49);
  EXPECT_EQ(curves[1].fixed[1].kind, FixedKernel::Kind::landmarks);

  const Figure figure = nu_curve_figure(scores_.store());
  const std::string& svg = figure.pictures[0].svg;
  EXPECT_EQ(numbers_in(svg, marker).size(), 6u) << "five of the curves, and that of the legend";
  EXPECT_NE(svg.find(">exact NNGP<"), std::string::npos);
  EXPECT_NE(svg.find(">landmark NNGP<"), std::string::npos);
  EXPECT_EQ(svg.find("fixed inducing"), std::string::npos) << "there are none";
  // Dashed and level, from one end of a panel to the other.
  const auto level =
      numbers_in(svg, "d='M([0-9.]+) ([0-9.]+)L([0-9.]+) ([0-9.]+)'[^>]*stroke-dasharray='(?:5 3|2 2.5)'");
  ASSERT_EQ(level.size(), 2u) << svg;
  for (const auto& line : level) {
    EXPECT_EQ(line[1], line[3]);
    EXPECT_NEAR(line[2] - line[0], 128, 0.2);
  }
  const ExportTable& table = figure.numbers.at(0).table;
  ASSERT_EQ(table.rows(), 9u);
  EXPECT_EQ(table.columns.back().name, "fixed_kernel");
  EXPECT_EQ(table.columns.back().values[7], "exact NNGP");
  EXPECT_EQ(table.columns.back().values[0], "");
  EXPECT_EQ(table.columns[5].values[7], 50);
  EXPECT_NE(figure.summary.find("exact NNGP"), std::string::npos);
}

TEST_F(AccuracyCurves, KernelsOfOtherSettingsOrSplitsAreNotDrawn) {
  const auto none = [&](const std::string& study, const nlohmann::json& varied, const nlohmann::json& fixed,
                        const std::vector<StoreOfScores::Score>& scores) {
    scores_.add(study, 0, 0, "squirrel", "nngp", varied, scores, fixed);
    EXPECT_TRUE(option_curves(scores_.store(), "nu", "scheme", "")[1].fixed.empty()) << study;
  };
  const std::vector<StoreOfScores::Score> both{{0, 0, 48, 47}, {0, 1, 52, 51}};
  none("deep", {{"layers", 3}}, exact_nngp(), both);
  none("one split", {{"layers", 2}, {"lambda", 0}}, exact_nngp(), {{0, 0, 48, 47}});
  none("failed", {{"layers", 2}, {"lambda", 0.1}}, exact_nngp(), {{0, 0, 48, 47}, {0, 1, NAN, NAN}});
  nlohmann::json sage = exact_nngp();
  sage["network"] = "sage";
  none("sage", {{"layers", 2}}, sage, both);
  none("trained", {{"layers", 2}}, {{"fixed_inducing", false}, {"nu", "inf"}}, both);
}

TEST_F(AccuracyCurves, DepthTakesTheStageThatVariesIt) {
  EXPECT_THROW(depth_figure(scores_.store()), InputError);
  for (const int layers : {1, 2, 4}) {
    scores_.add("depth", 1, layers, "cora", "dkm", {{"layers", layers}},
                {{0, 0, 80.0 - layers, 70}, {1, 0, 82.0 - layers, 70}}, {{"nu", 1}, {"scheme", "inter"}});
  }
  const Figure figure = depth_figure(scores_.store());
  const ExportTable& table = figure.numbers.at(0).table;
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.columns[4].name, "layers");
  EXPECT_EQ(table.columns[4].values[2], "4");
  EXPECT_DOUBLE_EQ(table.columns[5].values[2], 77);
  EXPECT_DOUBLE_EQ(table.columns[6].values[2], std::sqrt(2.0));
  EXPECT_EQ(numbers_in(figure.pictures[0].svg, marker).size(), 3u);
}

TEST(AccuracyCurvesOfAnEmptyStore, SayInOneLineWhatToDo) {
  const StoreOfScores empty;
  for (const bool depth : {false, true}) {
    try {
      depth ? depth_figure(empty.store()) : nu_curve_figure(empty.store());
      FAIL() << "no error";
    } catch (const InputError& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.find('\n'), std::string::npos);
      EXPECT_NE(what.find("runs.db"), std::string::npos) << what;
      EXPECT_NE(
          what.find(depth ? "gdkm sweep experiments/depth.toml" : "gdkm sweep experiments/nu-curve.toml"),
          std::string::npos)
          << what;
    }
  }
}

}  // namespace
}  // namespace gdkm
