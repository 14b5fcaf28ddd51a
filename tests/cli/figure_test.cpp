#include "gdkm/store/store.hpp"
#include "tests/cli/run_program.hpp"

namespace gdkm {
namespace {

using testing::Program;

class FigureCommand : public Program {};

TEST_F(FigureCommand, WritesPicturesAndNumbers) {
  const auto outcome = done({"figure", "er-lambda", "--nodes", "12", "--out", "made/here"});
  EXPECT_NE(outcome.out.find("CKA of the DKM"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("made/here/er-lambda.svg"), std::string::npos);
  EXPECT_EQ(read("made/here/er-lambda.svg").find("<svg xmlns="), 0u);
  EXPECT_EQ(read("made/here/er-lambda.csv").find("lambda,model,cka\n0.1,dkm,"), 0u);
}

TEST_F(FigureCommand, LinearCheckFailsWhereTrainingIsTooShort) {
  const auto outcome = gdkm({"figure", "linear-check", "--data", "csbm:n=60,features=30", "--nodes", "12",
                             "--steps", "3", "--quiet"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_NE(outcome.err.find("differ by"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("--steps"), std::string::npos) << outcome.err;
}

TEST_F(FigureCommand, KernelsOfSeveralGraphsAreRowsOfOneFigure) {
  done({"figure", "kernels", "--data", testing::small_graph, "--data", "csbm:n=80,classes=2,features=6",
        "--epochs", "3", "--nodes", "10", "--threads", "1", "--quiet", "--out", "."});
  const std::string numbers = read("kernels.csv");
  EXPECT_EQ(std::count(numbers.begin(), numbers.end(), '\n'), 1 + 2 * 5);
}

TEST_F(FigureCommand, AnEmptyStoreIsOneClearLine) {
  Store::open_or_create(folder_ / "empty.db");
  refused({"figure", "nu-curve", "--store", "empty.db"},
          {"empty.db", "gdkm sweep experiments/nu-curve.toml"});
  refused({"figure", "depth", "--store", "empty.db"}, {"empty.db", "gdkm sweep experiments/depth.toml"});
  for (const char* name : {"nodes", "graphs", "schemes", "datasets", "graph-datasets"})
    refused({"table", name, "empty.db"}, {"empty.db", "gdkm sweep experiments/"});
}

TEST_F(FigureCommand, WhatIsNotThereIsNamed) {
  refused({"figure", "nu-curve", "--store", "missing.db"}, {"missing.db"});
  refused({"figure", "nu-curve"}, {"--store"});
  refused({"figure", "pie"}, {"pie"});
  refused({"figure", "er-lambda", "--epochs", "3"}, {"--epochs"});
  refused({"figure", "linear-check", "--data", "a", "--data", "b"}, {"--data", "one data set"});
  refused({"table", "edges", "missing.db"}, {"edges"});
}

}  // namespace
}  // namespace gdkm
