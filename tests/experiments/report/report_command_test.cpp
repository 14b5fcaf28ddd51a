#include <cmath>
#include <filesystem>

#include "gdkm/data/load.hpp"
#include "gdkm/experiments/report/study_report.hpp"
#include "gdkm/experiments/sweep/run_execution.hpp"
#include "tests/experiments/sweep/sweep_program.hpp"
#include "tests/places.hpp"

namespace gdkm {
namespace {

class ReportCommand : public testing::SweepProgram {
 protected:
  void sweep() const {
    write("study.toml", R"(
datasets = ["csbm:n=90,classes=3,features=12,degree=6"]
seeds = 2
options = { epochs = 30, inducing = 10 }
[[study]]
model = "dkm"
[[study.stage]]
grid = { nu = [0.1, 1, "inf"] }
)");
    done({"sweep", "study.toml", "--store", "runs.db", "--quiet"});
  }
};

TEST_F(ReportCommand, WritesOneFileThatTheStoreNames) {
  sweep();
  const auto outcome = done({"report", "runs.db", "--quiet", "--threads", "1"});
  EXPECT_NE(outcome.out.find("runs.html"), std::string::npos);
  EXPECT_EQ(outcome.err, "");
  const std::string page = read("runs.html");
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_NE(page.find("\"pixels\":\""), std::string::npos);
  done({"report", "runs.db", "-o", "bare.html", "--kernel-time", "0"});
  EXPECT_EQ(read("bare.html").find("\"pixels\":\""), std::string::npos);
}

TEST_F(ReportCommand, PicturesAreOfTheRunsInTheStore) {
  sweep();
  ReportKernelOptions options;
  options.threads = 1;
  const auto content = report_content(store(), options).value();
  ASSERT_EQ(content.kernels.kernels.size(), 1u);
  const ReportKernels& kernels = content.kernels.kernels[0];
  ASSERT_EQ(kernels.by_nu.size(), 3u);
  EXPECT_EQ(kernels.of_class.size(), 3u);
  for (const ReportKernel& kernel : kernels.by_nu) {
    const StoredRun run = store().run(kernel.run).value();
    EXPECT_EQ(kernel.val, run.val()) << "the same configuration trained again";
    EXPECT_GT(kernel.cka, 0);
    EXPECT_LE(kernel.cka, 1);
    for (Index k = 0; k < kernel.picture.size; ++k)
      EXPECT_NEAR(kernel.picture.cosine[static_cast<std::size_t>(k * (kernel.picture.size + 1))], 1, 1e-9);
  }
  EXPECT_NE(kernels.by_nu[0].picture.cosine, kernels.by_nu[2].picture.cosine);
}

TEST_F(ReportCommand, KernelsOfOtherDataAreNotShown) {
  sweep();
  const Store from = store();
  ReportRuns runs;
  for (StoredRun& run : from.runs()) {
    run.configuration.data = "another fingerprint";
    runs.emplace(run.id, std::move(run));
  }
  const auto made = report_kernels(report_nu_curves(runs), runs, {});
  ASSERT_EQ(made.value().without.size(), 1u);
  EXPECT_NE(made->without[0].why.find("has changed since the runs"), std::string::npos);
}

TEST_F(ReportCommand, ShowsKernelsOfGraphsWhoseFeaturesWereAddedTo) {
  std::filesystem::copy(std::filesystem::path(GDKM_TEST_DIR) / "compatibility" / "0.1" / "rings",
                        folder_ / "rings");
  write("study.toml", R"(
datasets = ["rings/"]
options = { epochs = 5, inducing = 8, degree_features = true }
[[study]]
model = "dkm"
[[study.stage]]
grid = { nu = [0.1, "inf"] }
)");
  done({"sweep", "study.toml", "--store", "runs.db", "--quiet"});
  done({"report", "runs.db", "--quiet", "--threads", "1"});
  EXPECT_NE(read("runs.html").find("\"pixels\":\""), std::string::npos);
}

TEST_F(ReportCommand, RefusesWhatItCannotDo) {
  refused({"report", "none.db"}, {"none.db"});
  write("text.db", "no store at all, but a text that is long enough to be looked at");
  refused({"report", "text.db"}, {"text.db"});
  sweep();
  refused({"report", "runs.db", "-o", "runs.db"}, {"runs.db", "another name"});
  refused({"report", "runs.db", "-o", "-"}, {"file"});
  refused({"report", "runs.db", "-o", "nowhere/x.html"}, {"nowhere"});
  refused({"report", "runs.db", "--kernel-time", "-1"}, {"--kernel-time"});
}

}  // namespace
}  // namespace gdkm
