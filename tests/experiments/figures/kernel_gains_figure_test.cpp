#include "gdkm/experiments/figures/kernel_gains_figure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <regex>

#include "gdkm/experiments/tables/kernel_gains.hpp"
#include "gdkm/support/error.hpp"
#include "tests/experiments/figures/store_of_scores.hpp"

namespace gdkm {
namespace {

using testing::StoreOfScores;

/// Squirrel gains with the paper's optimisation and loses with the default; Cora has one split.
class KernelGainsFigure : public ::testing::Test {
 protected:
  KernelGainsFigure() {
    scores_.add_dataset("squirrel", "node", 0.22);
    scores_.add_dataset("cora", "node", 0.81);
    scores_.add_dataset("MUTAG", "graph", NAN);
    add("squirrel", "paper", {{0, 0, 60, 56}, {0, 1, 62, 58}}, {{0, 0, 40, 38}, {0, 1, 42, 36}});
    add("squirrel", "natural", {{0, 0, 60, 55}, {0, 1, 62, 57}}, {{0, 0, 58, 57}, {0, 1, 60, 58}});
    add("cora", "natural", {{0, 0, 80, 82}, {1, 0, 80, 83}}, {{0, 0, 79, 81}, {1, 0, 79, 81}});
    add("MUTAG", "natural", {{0, 0, 88, 87}, {0, 1, 86, 85}}, {{0, 0, 86, 86}, {0, 1, 86, 86}});
  }

  void add(const std::string& dataset, const std::string& inference,
           const std::vector<StoreOfScores::Score>& learned, const std::vector<StoreOfScores::Score>& fixed) {
    scores_.add("dkm " + inference, 0, 0, dataset, "dkm", {{"nu", 0.1}}, learned, {{"inference", inference}});
    scores_.add("dkm " + inference, 0, 1, dataset, "dkm", {{"nu", "inf"}}, fixed, {{"inference", inference}});
  }

  StoreOfScores scores_;
};

std::vector<std::string> texts(const ExportTable& table, std::size_t column) {
  std::vector<std::string> out;
  for (const auto& value : table.columns[column].values) out.push_back(value);
  return out;
}

/// The groups of all matches.
std::vector<std::vector<std::string>> matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  std::vector<std::vector<std::string>> out;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at)
    out.emplace_back(at->begin() + 1, at->end());
  return out;
}

TEST_F(KernelGainsFigure, HasEveryInferenceOfEveryDataSetNodesFirst) {
  const Figure figure = kernel_gains_figure(scores_.store());
  const ExportTable& table = figure.numbers.at(0).table;
  EXPECT_EQ(texts(table, 0), (std::vector<std::string>{"cora", "squirrel", "squirrel", "MUTAG"}));
  EXPECT_EQ(texts(table, 3), (std::vector<std::string>{"natural", "paper", "natural", "natural"}));
  EXPECT_DOUBLE_EQ(table.columns[7].values[1], 20) << "18 and 22 points on two splits";
  EXPECT_DOUBLE_EQ(table.columns[7].values[2], -1.5);
  EXPECT_DOUBLE_EQ(table.columns[7].values[3], 0);
  const auto paper = kernel_gains(scores_.store(), "node", {}, Inference::paper);
  ASSERT_EQ(paper.size(), 1u);
  EXPECT_DOUBLE_EQ(table.columns[8].values[1], paper[0].difference.half_width());
}

TEST_F(KernelGainsFigure, MarkersAndIntervalsStandWhereTheAxisSays) {
  const Figure figure = kernel_gains_figure(scores_.store());
  const std::string& svg = figure.pictures.at(0).svg;
  const auto ticks = matches(svg,
                             "<text x='([0-9.]+)' y='[0-9.]+' font-size='9' text-anchor='middle' "
                             "fill='[^']*'>([0-9.]+|−[0-9.]+)<");
  ASSERT_GE(ticks.size(), 3u);
  const auto value_of = [](const std::string& label) {
    return label.starts_with("−") ? -std::stod(label.substr(std::string("−").size())) : std::stod(label);
  };
  const double from = std::stod(ticks.front()[0]), to = std::stod(ticks.back()[0]),
               low = value_of(ticks.front()[1]), high = value_of(ticks.back()[1]);
  const auto value_at = [&](double x) { return low + (x - from) / (to - from) * (high - low); };
  // A remark says whose a marker is.
  const auto markers =
      matches(svg, "translate.([0-9.]+) ([0-9.]+).[^>]*><title>([^:]*): ([−0-9.]+|-[0-9.]+) ");
  ASSERT_EQ(markers.size(), 4u) << svg;
  const std::vector<double> means{1.5, 20, -1.5, 0};
  for (std::size_t k = 0; k < means.size(); ++k)
    EXPECT_NEAR(value_at(std::stod(markers[k][0])), means[k], 0.2) << markers[k][2];
  EXPECT_LT(std::stod(markers[0][1]), std::stod(markers[1][1])) << "the most homophilous data set is above";
  // The line of a marker is at its height, and as long as the interval.
  const ExportTable& table = figure.numbers.at(0).table;
  const auto lines = matches(svg, "d='M([0-9.-]+) ([0-9.]+)L([0-9.-]+) ([0-9.]+)'");
  for (std::size_t k = 0; k < markers.size(); ++k) {
    const double mean = table.columns[7].values[k], half = table.columns[8].values[k];
    const auto at = std::find_if(lines.begin(), lines.end(), [&](const auto& line) {
      return line[1] == markers[k][1] && line[3] == markers[k][1];
    });
    ASSERT_NE(at, lines.end()) << markers[k][2];
    EXPECT_NEAR(value_at(std::stod((*at)[0])), mean - half, 0.2) << markers[k][2];
    EXPECT_NEAR(value_at(std::stod((*at)[2])), mean + half, 0.2) << markers[k][2];
  }
}

TEST_F(KernelGainsFigure, IntervalsOverSeedsOfOneSplitAreDashed) {
  const std::string svg = kernel_gains_figure(scores_.store()).pictures.at(0).svg;
  EXPECT_EQ(matches(svg, "stroke-dasharray='(2.5 2)'").size(), 1u) << "Cora's alone";
}

TEST_F(KernelGainsFigure, HasASecondPictureWhereAStudyChoseSettingsForTheFixedKernel) {
  EXPECT_EQ(kernel_gains_figure(scores_.store()).pictures.size(), 1u);
  // This NNGP validates better than ν = ∞ of the DKM's study; the gains over it are 3 and 4 points.
  scores_.add("nngp", 0, 0, "squirrel", "nngp", {{"arch", "kipf"}}, {{0, 0, 50, 53}, {0, 1, 52, 54}},
              {{"inference", "paper"}});
  const Figure figure = kernel_gains_figure(scores_.store());
  ASSERT_EQ(figure.pictures.size(), 2u);
  EXPECT_EQ(figure.pictures[1].name, "gains-over-best");
  EXPECT_NE(figure.pictures[1].svg.find("<title>Squirrel, the paper’s optimisation: 3.50 ± "),
            std::string::npos);
  EXPECT_EQ(figure.pictures[1].svg.find("Cora"), std::string::npos) << "it has no such study";
  EXPECT_EQ(figure.pictures[1].svg.find("default inference: "), std::string::npos)
      << "the paper's optimisation is not compared with the default";
  EXPECT_DOUBLE_EQ(figure.numbers.at(0).table.columns[11].values[1], 3.5);
  EXPECT_TRUE(figure.numbers.at(0).table.columns[11].values[2].is_null());
}

TEST_F(KernelGainsFigure, MarksSweepsThatAreNotFinished) {
  EXPECT_EQ(kernel_gains_figure(scores_.store()).pictures.at(0).svg.find("†"), std::string::npos);
  scores_.add_dataset("citeseer", "node", 0.74);
  for (const auto& [candidate, nu] : {std::pair<int, nlohmann::json>{0, 1}, {1, "inf"}})
    scores_.add("not done", 0, candidate, "citeseer", "dkm", {{"nu", nu}},
                {{0, 0, 50, 50.0 - candidate}, {0, 1, 0, 0, true}}, {{"inference", "paper"}});
  const Figure figure = kernel_gains_figure(scores_.store());
  EXPECT_NE(figure.pictures.at(0).svg.find("Citeseer †"), std::string::npos);
  EXPECT_NE(figure.pictures.at(0).svg.find("†: the sweep is not finished"), std::string::npos);
  EXPECT_NE(figure.summary.find("†"), std::string::npos) << figure.summary;
}

TEST_F(KernelGainsFigure, CanBeOfSomeSweepsAlone) {
  EXPECT_EQ(kernel_gains_figure(scores_.store(), {"sweep"}).summary,
            kernel_gains_figure(scores_.store()).summary);
  const Figure paper = kernel_gains_figure(scores_.store(), {"sweep/dkm paper"});
  EXPECT_EQ(texts(paper.numbers.at(0).table, 3), std::vector<std::string>{"paper"})
      << "one study of the sweep";
  EXPECT_THROW(kernel_gains_figure(scores_.store(), {"nowhere"}), InputError);
}

TEST(KernelGainsFigureOfNothing, SaysWhatItNeeds) {
  StoreOfScores scores;
  scores.add_dataset("cora", "node", 0.81);
  scores.add("dkm", 0, 0, "cora", "dkm", {{"nu", 0.1}}, {{0, 0, 80, 82}});
  try {
    kernel_gains_figure(scores.store());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("gdkm sweep experiments/node-dkm.toml"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace gdkm
