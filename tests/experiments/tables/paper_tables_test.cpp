#include "gdkm/experiments/tables/paper_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "gdkm/support/error.hpp"
#include "tests/experiments/tables/paper_tables_case.hpp"

namespace gdkm {
namespace {

using testing::PaperTables;
using testing::StoreOfScores;

TEST(PaperNumbers, AreThoseThatThePaperPrints) {
  const auto* squirrel = paper_numbers("Squirrel");
  ASSERT_NE(squirrel, nullptr) << "names are blind to case";
  EXPECT_EQ(squirrel->dkm, (TableNumber{56.8, 1.4}));
  EXPECT_EQ(squirrel->sparse_nngp, (TableNumber{38.6, 1.2}));
  EXPECT_FALSE(squirrel->nngp);
  EXPECT_EQ(squirrel->gcn_no_dropout, (TableNumber{57.3, 1.4}));
  EXPECT_EQ(squirrel->gcn, (TableNumber{57.7, 1.4}));
  EXPECT_EQ(squirrel->intra, (TableNumber{54.4, 0.9}));
  EXPECT_EQ(squirrel->edges, 198353);
  EXPECT_EQ(paper_numbers("cora")->nngp, (TableNumber{82.8, std::nullopt}));
  EXPECT_EQ(paper_numbers("nci1")->gcn, (TableNumber{76.3, 1.8}));
  EXPECT_EQ(paper_numbers("PROTEINS")->nodes, 39.1);
  EXPECT_EQ(paper_numbers("karate"), nullptr);
  EXPECT_EQ(display_name("roman-empire"), "Roman Empire");
  EXPECT_EQ(display_name("chameleon-filtered"), "Chameleon, filtered");
  EXPECT_EQ(display_name("csbm:n=90,classes=3"), "csbm");
}

TEST_F(PaperTables, NodesHaveWhatValidationChoseBesideThePaper) {
  const std::string got = text("nodes", TableFormat::markdown);
  EXPECT_NE(
      got.find("| Cora | **83.0 ± 1.4*** (81.1 ± 0.2) | 80.1 ± 0.2 (80.8 ± 0.1) | **83.0** (**82.8**) | "
               "80.0 ± 1.4 (80.6 ± 0.2) | **83.0 ± 1.4** (81.1 ± 0.3) |\n"),
      std::string::npos)
      << got;
  EXPECT_NE(got.find("| csbm | **54.5 ± 3.5** | – | – | – | – |\n"), std::string::npos)
      << "a study that is finished comes before one whose second stage is missing\n"
      << got;
  EXPECT_NE(got.find("*: ν = inf validates best."), std::string::npos) << got;
  EXPECT_EQ(got.find("†"), std::string::npos) << "all that is shown is finished\n" << got;
  EXPECT_LT(got.find("| Cora"), got.find("| csbm")) << "the most homophilous first";
  EXPECT_EQ(got.find("Mutag"), std::string::npos);
}

TEST_F(PaperTables, RoundingDoesNotDecideBetweenStudies) {
  // The second mean is larger in its last digits alone.
  scores_.add_dataset("pubmed", "node", 0.8);
  scores_.add("a", 0, 0, "pubmed", "dkm", {{"nu", 1}},
              {{0, 0, 76.1, 70}, {0, 1, 76.2, 70}, {0, 2, 76.3, 70}});
  scores_.add("b", 0, 0, "pubmed", "dkm", {{"nu", 2}},
              {{0, 0, 76.1 + 1e-12, 60}, {0, 1, 76.2, 60}, {0, 2, 76.3, 60}});
  EXPECT_NE(text("nodes", TableFormat::markdown).find("| Pubmed | **70.0 ± 0.0** ("), std::string::npos)
      << text("nodes", TableFormat::markdown);
}

TEST_F(PaperTables, GainsAndDifferencesCanBeOfLikelihoods) {
  const auto of_nll = [&](const std::string& name) {
    return to_text(paper_table(name, scores_.store(), {.score = TestScore::nll}), TableFormat::markdown);
  };
  const std::string gains = of_nll("gains");
  // Validation accuracy chooses ν as before: NLL 0.48, 0.43 at ν = 0.1 and 0.49, 0.47 at infinity.
  EXPECT_EQ(gains.find("Test NLL of a DKM at the finite ν that validates best"), 0u) << gains;
  EXPECT_NE(
      gains.find("| csbm | 0.50 | 0.1 | 0.455 ± 0.035 | 0.480 ± 0.014 | -0.025 ± 0.270 | 0.460 ± 0.042 |\n"),
      std::string::npos)
      << gains;
  const std::string differences = of_nll("differences");
  EXPECT_NE(differences.find("| Cora | -0.029 ± 0.111 | 0.000 ± 0.127 |"), std::string::npos) << differences;
  EXPECT_NE(differences.find("Lower NLL is better"), std::string::npos) << differences;
  EXPECT_NE(differences.find("Less GCN (no dropout): -0.030 on average"), std::string::npos) << differences;
  try {
    of_nll("nodes");
    FAIL() << "a table of one score has no other";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("not for nodes"), std::string::npos) << error.what();
  }
}

TEST_F(PaperTables, DifferencesArePairedWithTheOtherModels) {
  const std::string got = text("differences", TableFormat::markdown);
  // The GCDKM has 82 and 84; the NNGP 80 and 80.25, the exact one 83.04, the GCN 79 and 81, or 82 and 84.
  EXPECT_NE(got.find("| Cora | 2.88 ± 11.12 | -0.04 ± 12.71 | 3.00 ± 0.00 | 0.00 ± 0.00 |\n"),
            std::string::npos)
      << got;
  EXPECT_NE(
      got.find("Less GCN (no dropout): 3.00 on average over 1 data set, clearly more on 0 and less on 0."),
      std::string::npos)
      << "an interval over the seeds of one split shows nothing, nor does a test of one difference\n"
      << got;
  EXPECT_NE(got.find("Less GCN: 0.00 on average over 1 data set, clearly more on 0 and less on 0."),
            std::string::npos)
      << "no test of differences that are all zero\n"
      << got;
  EXPECT_EQ(got.find("csbm"), std::string::npos) << "nothing to compare with";
  // 60 and 62 on two splits, less 50 and 52.
  scores_.add("dkm of splits", 0, 0, "csbm:n=90", "dkm", {{"layers", 3}}, {{0, 0, 60, 60}, {0, 1, 62, 62}});
  scores_.add("gcn of splits", 0, 0, "csbm:n=90", "gcn", {{"dropout", 0.5}},
              {{0, 0, 50, 50}, {0, 1, 52, 52}});
  EXPECT_NE(text("differences", TableFormat::markdown).find("| csbm | – | – | – | **10.00 ± 0.00** |\n"),
            std::string::npos)
      << text("differences", TableFormat::markdown);
  const std::string csv = text("differences", TableFormat::csv);
  EXPECT_EQ(csv.find("dataset,less sparse GCNNGP,less sparse GCNNGP ± (95 %),"), 0u) << csv;
  EXPECT_NE(csv.find("\ncsbm,,,,,,,10.0,0.0\n"), std::string::npos) << csv;
}

TEST_F(PaperTables, StudiesThatAreNotFinishedAreMarked) {
  scores_.add_dataset("citeseer", "node", 0.74);
  scores_.add_dataset("pubmed", "node", 0.8);
  // The last stage has runs to do; the last stage was never planned.
  scores_.add("dkm", 1, 0, "citeseer", "dkm", {{"arch", "kipf"}}, {{0, 0, 70, 71}, {1, 0, 0, 0, true}});
  scores_.add("dkm", 0, 0, "pubmed", "dkm", {{"nu", 1}, {"scheme", "inter"}}, {{0, 0, 80, 79}});
  // The last stage is done, but has no runs of this column.
  scores_.add("gcn of two stages", 0, 0, "citeseer", "gcn", {{"dropout", 0}}, {{0, 0, 70, 69}});
  scores_.add("gcn of two stages", 1, 0, "citeseer", "gcn", {{"dropout", 0.5}}, {{0, 0, 71, 70}});
  const std::string got = text("nodes", TableFormat::markdown);
  EXPECT_NE(got.find("| Citeseer | **71.0**† ("), std::string::npos) << got;
  EXPECT_NE(got.find(" | 69.0† (**71.7 ± 0.2**) | 70.0 ("), std::string::npos) << got;
  EXPECT_NE(got.find("| Pubmed | **79.0**† ("), std::string::npos) << got;
  EXPECT_NE(got.find("†: the sweep is not finished"), std::string::npos) << got;
  EXPECT_NE(text("nodes", TableFormat::latex).find("$\\mathbf{71.0}$$\\dagger$"), std::string::npos);
}

TEST_F(PaperTables, TheBestIsTheKernelMachineThatValidatesBestOfAllSweeps) {
  const std::string got = text("best", TableFormat::markdown);
  // The DKM at nu = inf has 81 in validation, the exact NNGP 79; the GCN's 82 does not count.
  EXPECT_NE(
      got.find(
          "| Cora | 81.0 ± 1.4 | 83.0 ± 1.4* (82.8) | 0.170 ± 0.014 | – | sweep: inference=paper nu=inf |\n"),
      std::string::npos)
      << got;
  EXPECT_NE(got.find("| Mutag | 87.0 ± 1.4 | 86.0 ± 1.4 (86.6 ± 3.8) | 0.140 ± 0.014 | – | sweep: "
                     "inference=paper nu=1 |\n"),
            std::string::npos)
      << got;
  EXPECT_EQ(
      text("best", TableFormat::csv).find("dataset,validation,validation std,test,test std,test paper,"), 0u)
      << text("best", TableFormat::csv);
}

TEST_F(PaperTables, CanBeOfSomeSweepsAlone) {
  EXPECT_EQ(to_text(paper_table("nodes", scores_.store(), {{"sweep"}}), TableFormat::markdown),
            text("nodes", TableFormat::markdown));
  EXPECT_THROW(paper_table("nodes", scores_.store(), {{"nowhere"}}), InputError);
  EXPECT_THROW(paper_table("schemes", scores_.store(), {{"nowhere"}}), InputError);
}

TEST_F(PaperTables, CanLeaveDataSetsOut) {
  EXPECT_NE(text("gains", TableFormat::markdown).find("csbm"), std::string::npos);
  EXPECT_THROW(paper_table("gains", scores_.store(), {{}, {"csbm:n=90"}}), InputError) << "nothing is left";
  const std::string got =
      to_text(paper_table("nodes", scores_.store(), {{}, {"csbm:n=90"}}), TableFormat::markdown);
  EXPECT_EQ(got.find("csbm"), std::string::npos);
  EXPECT_NE(got.find("Cora"), std::string::npos);
  EXPECT_THROW(paper_table("nodes", scores_.store(), {{}, {"corra"}}), InputError);
}

TEST_F(PaperTables, CalibrationHasBothTasks) {
  const std::string got = text("calibration", TableFormat::markdown);
  EXPECT_NE(got.find("| Cora |"), std::string::npos) << got;
  EXPECT_NE(got.find("| Mutag |"), std::string::npos) << got;
}

TEST_F(PaperTables, LatexIsMathematics) {
  const std::string got = text("nodes", TableFormat::latex);
  EXPECT_NE(got.find("\\begin{tabular}{lrrrrr}"), std::string::npos);
  EXPECT_NE(got.find("accuracy (\\%)"), std::string::npos);
  EXPECT_NE(
      got.find("    Cora & $\\mathbf{83.0 \\pm 1.4}$* ($81.1 \\pm 0.2$) & $80.1 \\pm 0.2$ ($80.8 \\pm 0.1$)"),
      std::string::npos)
      << got;
  scores_.add("graph nngp", 0, 0, "MUTAG", "nngp", {{"nu", "inf"}}, {{0, 0, 80, 81}});
  for (const std::string& name : table_names()) {
    const std::string all = text(name, TableFormat::latex);
    EXPECT_TRUE(std::all_of(all.begin(), all.end(), [](char c) { return (c & 0x80) == 0; }))
        << name << " has a sign that LaTeX does not read: " << all;
  }
}

TEST_F(PaperTables, CsvHasAllDigitsInColumnsOfTheirOwn) {
  const std::string got = text("nodes", TableFormat::csv);
  EXPECT_EQ(got.find("dataset,GCDKM,GCDKM std,GCDKM paper,GCDKM paper std,sparse GCNNGP,"), 0u) << got;
  EXPECT_NE(got.find("\nCora,83.0,1.4142135623730951,81.1,0.2,80.125,"), std::string::npos) << got;
}

TEST_F(PaperTables, GraphsHaveExactKernelsWhereSomeRan) {
  EXPECT_EQ(text("graphs", TableFormat::markdown).find("| GCNNGP |"), std::string::npos);
  scores_.add("exact rows", 0, 0, "MUTAG", "nngp", {{"layers", 2}}, {{0, 0, 90, 88}, {0, 1, 90, 84}},
              {{"exact", true}, {"pool_features", "root"}});
  const std::string graphs = text("graphs", TableFormat::markdown);
  EXPECT_NE(graphs.find("| GCDKM | sparse GCNNGP | GCNNGP | GCN |\n"), std::string::npos) << graphs;
  EXPECT_NE(graphs.find("| – (80.8 ± 5.5) | **86.0 ± 2.8** | – (85.6 ± 5.8) |"), std::string::npos) << graphs;
  const std::string differences = text("graph-differences", TableFormat::markdown);
  EXPECT_NE(differences.find("| Mutag | – | 0.00 ± "), std::string::npos) << differences;
}

TEST_F(PaperTables, BriefOnesLeaveOutWhatColumnsMeanAndKeepWhatTheySay) {
  for (const TableFormat format : {TableFormat::markdown, TableFormat::latex}) {
    const ResultTable gains = paper_table("gains", scores_.store());
    const std::string whole = to_text(gains, format), brief = to_text(gains, format, true);
    for (const std::string& text : {whole, brief})
      EXPECT_NE(text.find(" on average over 1 data set"), std::string::npos) << text;
    EXPECT_NE(whole.find("every split (seed)"), std::string::npos) << whole;
    EXPECT_EQ(brief.find("every split (seed)"), std::string::npos) << brief;
  }
}

TEST_F(PaperTables, GraphsAndSchemes) {
  EXPECT_NE(text("graphs", TableFormat::markdown)
                .find("| Mutag | **86.0 ± 1.4** (**86.6 ± 3.8**) | – (80.8 ± 5.5) | – (85.6 ± 5.8) |"),
            std::string::npos);
  EXPECT_NE(text("schemes", TableFormat::markdown)
                .find("| Cora | **91.0 ± 1.4** (**78.9 ± 0.2**) | 72.0 ± 2.8 (58.2 ± 0.5) |"),
            std::string::npos);
}

TEST_F(PaperTables, DataSetsHaveTheirFacts) {
  const std::string got = text("datasets", TableFormat::markdown);
  EXPECT_NE(got.find("| Cora | 1,200 (2,708) | 3,400 (5,278) | 0.81 (0.81) | 56 (1,433) | 7 (7) | 2 |\n"),
            std::string::npos)
      << got;
  EXPECT_NE(text("graph-datasets", TableFormat::markdown)
                .find("| Mutag | 100 (188) | 12.0 (17.9) | 34.0 (19.8) | 56 (8) | 7 (2) | 2 |\n"),
            std::string::npos);
}

TEST_F(PaperTables, DataSetsAreThoseOfTheSweeps) {
  scores_.add_dataset("squirrel", "node", 0.2);  // no sweep has it
  EXPECT_NE(text("datasets", TableFormat::markdown).find("| Squirrel |"), std::string::npos);
  const auto of_sweep = [&](const std::string& name) {
    return to_text(paper_table("datasets", scores_.store(), {.sweeps = {name}}), TableFormat::markdown);
  };
  EXPECT_NE(of_sweep("sweep").find("| Cora |"), std::string::npos);
  EXPECT_EQ(of_sweep("sweep").find("| Squirrel |"), std::string::npos);
  EXPECT_THROW(of_sweep("nowhere"), InputError);
}

TEST_F(PaperTables, WithoutAnyDataSetIsAnError) {
  for (const std::string name : {"schemes", "nodes", "datasets"})
    EXPECT_THROW(paper_table(name, scores_.store(), {.without = {"cora", "csbm:n=90"}}), InputError) << name;
}

TEST(PaperTablesOfAnEmptyStore, SayInOneLineWhatToDo) {
  const StoreOfScores empty;
  for (const std::string& name : table_names()) {
    try {
      paper_table(name, empty.store());
      FAIL() << name;
    } catch (const InputError& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.find('\n'), std::string::npos);
      EXPECT_NE(what.find("gdkm sweep experiments/"), std::string::npos) << what;
    }
  }
  EXPECT_THROW(paper_table("edges", empty.store()), InputError);
}

}  // namespace
}  // namespace gdkm
