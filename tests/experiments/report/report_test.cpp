#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "gdkm/experiments/report/report_run_json.hpp"
#include "gdkm/experiments/report/study_report.hpp"
#include "gdkm/store/run_queue.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::TemporaryFolder;

nlohmann::json options(const nlohmann::json& nu, const std::string& scheme) {
  return {{"nu", nu}, {"scheme", scheme}, {"layers", 2}, {"lr", 0.01}};
}

/// A store whose numbers the test chooses.
class ReportOfAStore : public ::testing::Test {
 protected:
  std::int64_t add(const Configuration& configuration) {
    const auto id = queue_.add(configuration);
    EXPECT_TRUE(queue_.claim(id));
    return id;
  }

  std::int64_t done(const Configuration& configuration, double val, double test, int epochs = 0) {
    const auto id = add(configuration);
    RunOutcome out;
    out.result.seed = configuration.seed;
    out.result.split = configuration.split;
    out.result.seconds = 2.5;
    out.result.val = Metrics{val, 0.6, 0.11, std::nullopt, std::nullopt, std::nullopt};
    out.result.test = Metrics{test, 0.7, 0.22, std::nullopt, std::nullopt, std::nullopt};
    ConfusionMatrix& confusion = out.result.test->confusion.emplace(2);
    confusion.at(0, 0) = 3;
    confusion.at(0, 1) = 1;
    confusion.at(1, 1) = 2;
    out.result.coverage = Coverage{0.9, 40, 6, 5.0 / 6, 1.5};
    for (int k = 1; k <= epochs; ++k) {
      out.curve.push_back({k, 10.0 / k, k % 20 == 0 ? std::optional(50 + 0.1 * k) : std::nullopt});
    }
    out.reliability.emplace();
    out.reliability->test.bins[14] = {7, 0.95, 0.875};
    out.environment.version = "1";
    out.environment.processor = "abacus";
    EXPECT_TRUE(queue_.finish(id, out));
    return id;
  }

  std::int64_t done(const std::string& dataset, const nlohmann::json& nu, double val, double test,
                    std::uint64_t seed = 0, const std::string& scheme = "inter",
                    const std::string& model = "dkm") {
    return done({dataset, "0123", model, options(nu, scheme), seed, 0}, val, test);
  }

  void facts(const std::string& name, double homophily, const std::string& task = "node") {
    StageRecords(store_).record({name, "0123", task, 10, 20, 5, 7, 2, 0, homophily, {{"public", 1}}});
  }

  ReportRuns runs() const {
    ReportRuns out;
    for (StoredRun& run : store_.runs()) out.emplace(run.id, std::move(run));
    return out;
  }

  ReportContent content() const {
    ReportKernelOptions none;
    none.seconds = 0;
    return report_content(store_, none).value();
  }

  const TemporaryFolder folder_;
  Store store_ = Store::open_or_create(folder_ / "runs.db");
  RunQueue queue_{store_};
};

/// The data that a page carries, as its script reads it.
nlohmann::json embedded(const std::string& page) {
  const std::string opening = "<script type='application/json' id='report-data'>";
  const auto from = page.find(opening) + opening.size();
  return nlohmann::json::parse(page.substr(from, page.find("</script>", from) - from));
}

TEST_F(ReportOfAStore, TakesTheBestSettingsOfTheLastStageWithResults) {
  const auto a0 = done("cora", 1, 70, 60, 0), a1 = done("cora", 1, 74, 66, 1);
  const auto b0 = done("cora", 10, 80, 70, 0), b1 = done("cora", 10, 78, 74, 1);
  Configuration deeper{"cora", "0123", "dkm", options(10, "inter"), 0, 0};
  deeper.options["layers"] = 3;
  const auto c0 = done(deeper, 81, 75);
  deeper.seed = 1;
  const auto c1 = queue_.add(deeper);
  const auto place = [](int stage, int candidate, nlohmann::json varied, std::int64_t run) {
    return StageRun{"sweep", "dkm", "cora", stage, "stage", candidate, std::move(varied), false, run};
  };
  StageRecords records(store_);
  records.record({place(0, 0, {{"nu", 1}}, a0), place(0, 0, {{"nu", 1}}, a1), place(0, 1, {{"nu", 10}}, b0),
                  place(0, 1, {{"nu", 10}}, b1)});
  auto results = report_results(records.stages(), runs());
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].runs, (std::vector<std::int64_t>{b0, b1}));
  EXPECT_EQ(results[0].val.mean, 79);
  EXPECT_DOUBLE_EQ(results[0].val.std, std::sqrt(2.0));
  EXPECT_EQ(results[0].test->mean, 72);
  EXPECT_EQ(results[0].planned, 2);

  records.record({place(1, 0, {{"layers", 3}}, c0), place(1, 0, {{"layers", 3}}, c1)});
  results = report_results(records.stages(), runs());
  EXPECT_EQ(results[0].runs, std::vector<std::int64_t>{c0});
  EXPECT_EQ(results[0].planned, 2) << "one of them is not done yet";
  EXPECT_EQ(results[0].options, (nlohmann::json{{"nu", 10}, {"layers", 3}}));
}

TEST_F(ReportOfAStore, SaysWhichScoreChoseTheSettings) {
  std::vector<StageRun> stages;
  std::vector<std::int64_t> ids;
  // The first has the higher accuracy, the second the lower NLL, which its runs select by.
  for (const auto& [nu, accuracy, nll] : {std::tuple{1, 90.0, 0.9}, {10, 80.0, 0.3}}) {
    Configuration configuration{"cora", "0123", "dkm", options(nu, "inter"), 0, 0};
    configuration.options["select"] = "nll";
    ids.push_back(add(configuration));
    RunOutcome out;
    out.result.val = out.result.test = Metrics{accuracy, nll, 0.1, std::nullopt, std::nullopt, std::nullopt};
    EXPECT_TRUE(queue_.finish(ids.back(), out));
    const int candidate = static_cast<int>(ids.size()) - 1;
    stages.push_back({"sweep", "dkm", "cora", 0, "stage", candidate, {{"nu", nu}}, false, ids.back()});
  }
  StageRecords(store_).record(stages);
  const auto results = report_results(stages, runs());
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].runs, std::vector<std::int64_t>{ids[1]});
  EXPECT_EQ(results[0].chosen_by, "lowest NLL");
  const auto page = study_report(content(), store_);
  EXPECT_EQ(embedded(page)["results"][0]["chosen_by"], "lowest NLL");
  EXPECT_EQ(page.find("settings with the best mean validation accuracy"), std::string::npos);
  EXPECT_NE(page.find("validation score that the column <em>chosen by</em> names"), std::string::npos);
}

TEST_F(ReportOfAStore, ShowsTheMeanWeightsOfRelations) {
  std::vector<StageRun> stages;
  for (const double weight : {0.2, 0.6}) {
    const auto id =
        add({"cora", "0123", "dkm", options(1, "inter"), static_cast<std::uint64_t>(10 * weight), 0});
    RunOutcome out;
    out.result.seed = static_cast<std::uint64_t>(10 * weight);
    out.result.val = out.result.test = Metrics{70, 0.6, 0.11, std::nullopt, std::nullopt, std::nullopt};
    out.result.mixing = {{"self", "in"}, {{weight, 1 - weight}}};
    ASSERT_TRUE(queue_.finish(id, out));
    stages.push_back({"sweep", "dkm", "cora", 0, "stage", 0, nlohmann::json::object(), false, id});
  }
  const auto results = report_results(stages, runs());
  ASSERT_EQ(results.size(), 1);
  EXPECT_EQ(results[0].mixing.names, (std::vector<std::string>{"self", "in"}));
  EXPECT_NEAR(results[0].mixing.layers.at(0).at(0), 0.4, 1e-12);
  EXPECT_NEAR(results[0].mixing.layers.at(0).at(1), 0.6, 1e-12);
}

TEST_F(ReportOfAStore, TakesTheBetterSchemeAtEveryNu) {
  done("cora", 0.1, 70, 61, 0, "inter");
  const auto intra = done("cora", 0.1, 75, 62, 0, "intra");
  const auto inter = done("cora", "inf", 68, 63, 0, "inter");
  done("cora", "inf", 60, 64, 0, "intra");
  const auto curves = report_nu_curves(runs());
  ASSERT_EQ(curves.size(), 1u);
  ASSERT_EQ(curves[0].points.size(), 2u);
  EXPECT_EQ(curves[0].points[0].scheme, "intra");
  EXPECT_EQ(curves[0].points[0].runs, std::vector<std::int64_t>{intra});
  EXPECT_TRUE(std::isinf(curves[0].points[1].nu));
  EXPECT_EQ(curves[0].points[1].runs, std::vector<std::int64_t>{inter});
  EXPECT_EQ(curves[0].points[1].val.mean, 68);
}

TEST_F(ReportOfAStore, CountsTheNngpAsTheDkmWithoutFreedomOnce) {
  done("cora", 1, 70, 60);
  const auto dkm = done("cora", "inf", 68, 58);
  done("cora", "inf", 68, 58, 0, "inter", "nngp");
  const auto nngp = done("cora", "inf", 66, 56, 1, "inter", "nngp");
  const auto curves = report_nu_curves(runs());
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_EQ(curves[0].points[1].runs, (std::vector<std::int64_t>{dkm, nngp}));
  EXPECT_EQ(curves[0].points[1].val.mean, 67);
}

TEST_F(ReportOfAStore, MeasuresGainsOnTheSeedsThatBothHave) {
  for (const auto& [seed, better] : {std::pair(0u, 10.0), {1u, 12.0}, {2u, 14.0}}) {
    done("cora", 0.1, 80, 60 + better, seed);
    done("cora", 100, 70, 99, seed);  // better on test, but validation has not preferred it
    done("cora", "inf", 65, 60, seed);
  }
  done("cora", "inf", 65, 0, 3);  // no partner
  const auto curves = report_nu_curves(runs());
  const ReportGain gain = curves.at(0).gain.value();
  EXPECT_EQ(gain.nu, 0.1);
  EXPECT_EQ(gain.difference.summary.mean, 12);
  EXPECT_EQ(gain.difference.summary.count, 3);
  EXPECT_DOUBLE_EQ(gain.difference.error, 2 / std::sqrt(3.0));
  EXPECT_EQ(gain.verdict(), ReportGain::Verdict::helps);
}

TEST_F(ReportOfAStore, CallsAGainClearOnlyBeyondItsError) {
  using Verdict = ReportGain::Verdict;
  const auto verdict = [](double mean, double error, int count) {
    return ReportGain{1, {{mean, 0, count}, error}}.verdict();
  };
  EXPECT_EQ(verdict(2.0, 0.85, 10), Verdict::helps);
  EXPECT_EQ(verdict(2.0, 0.95, 10), Verdict::even);
  EXPECT_EQ(verdict(2.0, 0.95, 30), Verdict::helps) << "t is 2.05";
  EXPECT_EQ(verdict(0.9, 0.0, 10), Verdict::even) << "under a point";
  EXPECT_EQ(verdict(-2.0, 0.85, 10), Verdict::hurts);
  EXPECT_EQ(verdict(2.9, NAN, 1), Verdict::even) << "a single run";
  EXPECT_EQ(verdict(3.0, NAN, 1), Verdict::helps);
  EXPECT_EQ(verdict(-1.4, 0.0, 2), Verdict::even) << "two splits that happen to agree";
  EXPECT_EQ(verdict(4.0, 1.0, 3), Verdict::even) << "three differences have a wide interval";
  EXPECT_EQ(verdict(2.0, 0.91, 11), Verdict::even) << "t is 2.23";
  EXPECT_EQ(verdict(2.0, 0.89, 11), Verdict::helps);
}

TEST_F(ReportOfAStore, TellsWhereLearningHelpsAndWhereNot) {
  for (const auto seed : {0u, 1u}) {
    done("chameleon", 0.1, 60, 64, seed);
    done("chameleon", "inf", 40, 44, seed);
    done("cora", 0.1, 80, 80.25, seed);
    done("cora", "inf", 80, 80, seed);
  }
  facts("cora", 0.8);
  facts("chameleon", 0.2);
  const ReportContent found = content();
  EXPECT_EQ(found.story.headline,
            "Learning the representation adds 20.0 points on chameleon; no clear gain on cora");
  EXPECT_NE(found.story.detail.find(
                "+20.0 points on data sets with a homophily below ½, and +0.2 points on the others"),
            std::string::npos)
      << found.story.detail;
  EXPECT_EQ(found.facts[0].name, "chameleon") << "the least homophilous first";
  EXPECT_EQ(found.curves[0].dataset, "chameleon");
}

TEST_F(ReportOfAStore, ShowsTheExactNngpBesideTheCurveOfNu) {
  for (const auto seed : {0u, 1u}) {
    done("cora", 1, 80, 79, seed);
    done("cora", "inf", 70, 69, seed);
  }
  done("chameleon", 1, 60, 64);
  done("chameleon", "inf", 60, 60);
  const nlohmann::json exact{{"exact", true}, {"network", "gcn"}, {"nu", "inf"}, {"layers", 2}};
  const auto id = done({"cora", "0123", "nngp", exact, 0, 0}, 81.5, 82.25);
  facts("cora", 0.8);
  facts("chameleon", 0.2);
  const ReportContent found = content();
  EXPECT_TRUE(found.curves.at(0).fixed.empty()) << "chameleon has none";
  ASSERT_EQ(found.curves.at(1).fixed.size(), 1u);
  const FixedKernel& kernel = found.curves[1].fixed[0];
  EXPECT_EQ(kernel.runs, std::vector<std::int64_t>{id});
  EXPECT_EQ(kernel.test.mean, 82.25);
  EXPECT_EQ(found.curves[1].points.size(), 2u) << "it is no point of the curve";
  EXPECT_NE(found.story.detail.find(
                "exact NNGP, whose kernel is fixed, has on the same splits: cora 82.2 (ν = 1: 79.0)."),
            std::string::npos)
      << found.story.detail;
  const auto data = embedded(study_report(found, store_));
  EXPECT_TRUE(data["nu_curves"][0]["fixed"].empty());
  const auto& line = data["nu_curves"][1]["fixed"][0];
  EXPECT_EQ(line["name"], "exact NNGP");
  EXPECT_EQ(line["val"][0], 81.5);
  EXPECT_EQ(line["test"][0], 82.25);
}

TEST_F(ReportOfAStore, NamesGeneratedGraphsByWhatTheyAre) {
  const std::string graph = "csbm:n=90,homophily=0.1";
  done(graph, 0.1, 60, 50);
  done(graph, "inf", 60, 54);
  facts(graph, 0.125);
  EXPECT_EQ(content().story.headline,
            "Learning the representation costs 4.0 points on csbm (homophily 0.12)");
}

TEST_F(ReportOfAStore, CarriesTheStoresNumbersInThePage) {
  done({"cora", "0123", "dkm", options(0.1, "inter"), 3, 1}, 81.23456, 80.5, 400);
  done({"cora", "0123", "gcn", {{"layers", 2}, {"lr", 0.02}, {"dropout", 0.5}}, 0, 0}, 70, 71, 7);
  const auto failed = add({"cora", "0123", "dkm", options("inf", "intra"), 0, 0});
  const std::string message = "K_ii </script><script>alert(1)</script> & \"more\"";
  ASSERT_TRUE(queue_.fail(failed, message));
  const auto waiting = queue_.add({"cora", "0123", "dkm", options(5, "intra"), 0, 0});
  facts("cora", std::nan(""));

  const auto page = study_report(content(), store_);
  const auto data = embedded(page);
  const auto& columns = data.at("runs").at("columns");
  const auto name = [&](const char* list, const char* column, std::size_t row) {
    return data["runs"][list][columns[column][row].get<std::size_t>()].get<std::string>();
  };
  const auto stored = store_.runs();
  ASSERT_EQ(columns.at("id").size(), stored.size());
  for (std::size_t row = 0; row < stored.size(); ++row) {
    const StoredRun& run = stored[row];
    EXPECT_EQ(columns["id"][row], run.id);
    EXPECT_EQ(name("datasets", "dataset", row), run.configuration.dataset);
    EXPECT_EQ(name("models", "model", row), run.configuration.model);
    EXPECT_EQ(name("statuses", "status", row), name_of(run.status));
    EXPECT_EQ(columns["seed"][row], run.configuration.seed);
    EXPECT_EQ(columns["split"][row], run.configuration.split);
    ASSERT_EQ(columns["val"][row].is_null(), !run.val().has_value());
    if (run.val()) {
      EXPECT_NEAR(columns["val"][row], *run.val(), 5e-5);
      EXPECT_NEAR(columns["test"][row], *run.test(), 5e-5);
      EXPECT_NEAR(columns["ece"][row], run.result->test->ece, 5e-5);
      EXPECT_NEAR(columns["val_ece"][row], run.result->val->ece, 5e-5);
      const auto f1 = run.result->test->f1_macro();
      ASSERT_EQ(columns["f1"][row].is_null(), !f1.has_value());
      if (f1) {
        EXPECT_NEAR(columns["f1"][row], *f1, 5e-5);
      }
      ASSERT_EQ(columns["coverage"][row].is_null(), !run.result->coverage.has_value());
      if (run.result->coverage) {
        EXPECT_NEAR(columns["coverage"][row], 100 * run.result->coverage->measured, 5e-3);
      }
      EXPECT_NEAR(columns["seconds"][row], run.result->seconds, 5e-3);
      EXPECT_EQ(data["reliability"][std::to_string(run.id)]["test"][14], (nlohmann::json{7, 0.95, 0.875}));
    }
    for (const auto& [key, coded] : data["runs"]["options"].items()) {
      const int at = coded["of"][row];
      EXPECT_EQ(at < 0 ? "" : coded["names"][static_cast<std::size_t>(at)].get<std::string>(),
                run.configuration.option(key));
    }
  }
  EXPECT_EQ(name("messages", "message", 2), message);
  EXPECT_EQ(columns["id"][3], waiting);
  EXPECT_EQ(data["runs"]["same"].at("layers"), "2");
  EXPECT_TRUE(data["runs"]["options"].contains("lr"));
  EXPECT_EQ(data["overview"]["done"], 2);
  EXPECT_EQ(data["overview"]["failed"], 1);
  EXPECT_EQ(data["overview"]["pending"], 1);
  EXPECT_EQ(data["overview"]["seconds"], 5);
  EXPECT_EQ(data["overview"]["environment"]["processor"], nlohmann::json{"abacus"});
  EXPECT_TRUE(data["datasets"][0]["homophily"].is_null());
  EXPECT_EQ(data["gain_rule"], ReportGain::rule) << "the caption is the rule that is applied";
}

TEST_F(ReportOfAStore, ThinsCurvesButKeepsTheirEndsAndAllValidation) {
  const auto id = done({"cora", "0123", "dkm", options(0.1, "inter"), 3, 1}, 81, 80, 400);
  const auto curve = learning_curves_json(runs(), store_).at(std::to_string(id));
  const auto epochs = curve[0].get<std::vector<int>>();
  EXPECT_LE(epochs.size(), 62u);
  EXPECT_GE(epochs.size(), 55u);
  EXPECT_EQ(epochs.front(), 1);
  EXPECT_EQ(epochs.back(), 400);
  for (std::size_t k = 0; k < epochs.size(); ++k) EXPECT_NEAR(curve[1][k], 10.0 / epochs[k], 5e-5);
  ASSERT_EQ(curve[2].size(), 20u);
  for (std::size_t k = 0; k < 20; ++k) {
    EXPECT_EQ(curve[2][k], 20 * (k + 1));
    EXPECT_NEAR(curve[3][k], 50 + 2.0 * (static_cast<double>(k) + 1), 5e-3);
  }
}

TEST_F(ReportOfAStore, AnEmptyStoreStillHasAPage) {
  const auto page = study_report(content(), store_);
  EXPECT_EQ(embedded(page)["overview"]["runs"], 0);
  EXPECT_NE(page.find("0 runs on 0 data sets"), std::string::npos);
}

TEST_F(ReportOfAStore, SpendsTheTimeForKernelsOnTheEndsFirst) {
  for (const char* name : {"cora", "chameleon"}) {
    done(name, 0, 70, 60);
    done(name, 1, 75, 60);
    done(name, 100, 74, 60);
    done(name, "inf", 60, 60);  // 2.5 s each
  }
  const auto found = runs();
  const auto curves = report_nu_curves(found);
  using Points = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(affordable_kernels(curves, found, 2), (Points{{}, {}}));
  EXPECT_EQ(affordable_kernels(curves, found, 5), (Points{{3}, {3}}));
  EXPECT_EQ(affordable_kernels(curves, found, 10), (Points{{1, 3}, {1, 3}}));
  EXPECT_EQ(affordable_kernels(curves, found, 12.5), (Points{{0, 1, 3}, {1, 3}}));
  EXPECT_EQ(affordable_kernels(curves, found, 100), (Points{{0, 1, 2, 3}, {0, 1, 2, 3}}));
}

TEST_F(ReportOfAStore, SaysWhyADataSetHasNoKernels) {
  done("no-such-data", 0, 70, 60);
  done("no-such-data", "inf", 60, 60);
  ReportKernelOptions options;
  options.data_dir = folder_.path();
  const auto content = report_content(store_, options).value();
  ASSERT_EQ(content.kernels.without.size(), 1u);
  EXPECT_NE(content.kernels.without[0].why.find("no-such-data"), std::string::npos);
  EXPECT_TRUE(content.kernels.kernels.empty());
}

TEST(HalfPicture, HoldsTheUpperTriangleAsBytes) {
  const KernelPicture picture{2, {1, -1, -1, 0.5}};
  EXPECT_EQ(half_picture(picture), "yACW");  // 200, 0, 150
}

}  // namespace
}  // namespace gdkm
