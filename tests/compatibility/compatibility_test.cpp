#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "gdkm/store/store.hpp"
#include "tests/cli/run_program.hpp"
#include "tests/places.hpp"

namespace gdkm {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

const fs::path earlier = fs::path(GDKM_TEST_DIR) / "compatibility" / "0.1";

/// In a copy of the folder, since stores are brought up to date when they are opened.
class Compatibility : public testing::Program {
 protected:
  void SetUp() override { fs::copy(earlier, folder_.path(), fs::copy_options::recursive); }
};

std::vector<std::vector<std::string>> csv_rows(const std::string& text) {
  std::vector<std::vector<std::string>> out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    out.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, ',');) out.back().push_back(field);
  }
  return out;
}

/// The same table: words equal, numbers to `tolerance`, since machines and threads round differently.
void expect_same_table(const std::string& name, const std::string& now, const std::string& then,
                       double tolerance, bool classes_may_differ = false) {
  const auto a = csv_rows(now), b = csv_rows(then);
  ASSERT_EQ(a.size(), b.size()) << name;
  for (std::size_t r = 0; r < a.size(); ++r) {
    ASSERT_EQ(a[r].size(), b[r].size()) << name << " line " << r;
    for (std::size_t c = 0; c < a[r].size(); ++c) {
      if (classes_may_differ && r > 0 && c == 1) continue;
      if (r == 0 || c < 1) {
        EXPECT_EQ(a[r][c], b[r][c]) << name << " line " << r;
      } else if (a[r][c] != b[r][c]) {
        EXPECT_NEAR(std::stod(a[r][c]), std::stod(b[r][c]), tolerance) << name << " line " << r;
      }
    }
  }
}

const std::string graph = "csbm:n=80,classes=3,features=12,degree=6",
                  other = "csbm:n=50,classes=3,features=12,degree=6,seed=7";

TEST_F(Compatibility, ModelsPredictAsTheyDid) {
  const std::vector<std::pair<std::string, std::string>> models{
      {"dkm-inter", other},           {"dkm-intra", graph}, {"nngp-graphs", "rings/"},
      {"dkm-numbers", "numbers.npz"}, {"gcn-nodes", other}, {"gcn-graphs", "rings/"}};
  for (const auto& [name, data] : models) {
    const auto now = done({"predict", name + ".safetensors", data, "--threads", "1"});
    // Version 0.1 averaged probabilities over 64 random draws, and took the class from them.
    const bool drew = name.starts_with("dkm-in") || name.starts_with("nngp");
    expect_same_table(name, now.out, read(name + ".csv"), drew ? 0.02 : 1e-5, drew);
    EXPECT_NE(done({"inspect", name + ".safetensors"}).out.find("trained by gdkm 0.1"), std::string::npos);
  }
}

TEST_F(Compatibility, InterruptedRunsGoOnToTheSameEnd) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> runs{
      {"dkm-stopped",
       {"csbm:n=60,classes=3,features=12,degree=6", "--inducing", "8", "--epochs", "8000", "--inference",
        "paper"}},
      {"gcn-stopped",
       {"csbm:n=400,classes=3,features=12,degree=6", "--model", "gcn", "--width", "16", "--dropout", "0",
        "--epochs", "3000", "--patience", "0", "--inference", "uncalibrated"}}};
  for (const auto& [name, options] : runs) {
    std::vector<std::string> command{"train"};
    command.insert(command.end(), options.begin(), options.end());
    for (const char* word :
         {"--seeds", "2", "--threads", "1", "--quiet", "--precision", "float64", "--json", "-"})
      command.push_back(word);
    command.insert(command.end(), {"--resume", name + ".checkpoint"});
    const auto now = done(command).json().at("runs"),
               then = ordered_json::parse(read(name + ".json")).at("runs");
    ASSERT_EQ(now.size(), then.size());
    for (std::size_t k = 0; k < now.size(); ++k) {
      EXPECT_NEAR(now[k].at("last_loss").get<double>(), then[k].at("last_loss").get<double>(), 1e-3) << name;
      EXPECT_NEAR(now[k].at("first_loss").get<double>(), then[k].at("first_loss").get<double>(), 1e-9)
          << name;
    }
  }
}

TEST_F(Compatibility, AStoreIsNotRunAgainThoughIdentitiesNowLeaveOutOptionsWithoutEffect) {
  // As the spec would be written now: what had no effect is refused, so it is gone.
  std::ofstream(folder_ / "sweep.toml") << R"(
name = "small"
datasets = ["csbm:n=80,classes=3,features=12,degree=6", "numbers.npz"]
validate_every = 5

[[study]]
name = "dkm"
model = "dkm"
options = { epochs = 10, inducing = 8, inference = "paper" }

[[study.stage]]
name = "nu"
grid = { nu = [0.1, "inf"], samples = [2, 4] }

[[study.stage]]
name = "layers"
grid = { layers = [1, 2] }
seeds = 2

[[study]]
name = "exact"
model = "nngp"
options = { exact = true, network = "linear", inference = "paper" }

[[study]]
name = "graphs"
model = "dkm"
datasets = ["rings/"]
options = { epochs = 10, inducing = 8, bias = true, inference = "paper" }

[[study.stage]]
name = "pooling"
grid = { pool = ["mean", "sum"] }
)";
  const auto before = csv_rows(read("runs-list.txt"));
  const auto again = done({"sweep", "sweep.toml", "--json", "-", "--quiet"}).json();
  const Store store = Store::open(folder_ / "small.db");
  for (const auto& run : store.runs({})) {
    EXPECT_EQ(run.status, RunStatus::done);
    EXPECT_LE(run.id, 22) << "run " << run.id << " was done again: " << run.configuration.canonical();
  }
  // 22 runs, of which 5 and 6, 7 and 8, 9 and 10, 11 and 12 are the same now.
  EXPECT_EQ(store.runs({}).size(), 18u);
}

TEST_F(Compatibility, TablesOfAStoreAreWhatTheyWere) {
  const auto lines = [](const std::string& text) { return std::count(text.begin(), text.end(), '\n'); };
  const std::string now = done({"runs", "list", "small.db"}).out;
  EXPECT_EQ(lines(now), 1 + 18);
  // Scores, found by their run's number.
  std::istringstream then(read("runs-list.txt"));
  for (std::string line; std::getline(then, line);) {
    std::istringstream words(line);
    std::vector<std::string> fields{std::istream_iterator<std::string>(words), {}};
    if (fields[0] == "run") continue;
    const auto at = now.find("\n" + std::string(3 - fields[0].size(), ' ') + fields[0] + "  ");
    if (at == std::string::npos) continue;  // it has become one with an equal run
    const std::string row = now.substr(at + 1, now.find('\n', at + 1) - at - 1);
    EXPECT_NE(row.find(fields[fields.size() - 3]), std::string::npos) << row << " for " << line;
    EXPECT_NE(row.find(fields[fields.size() - 2]), std::string::npos) << row << " for " << line;
  }
  done({"report", "small.db", "-o", "report.html", "--kernel-time", "0"});
  EXPECT_GT(fs::file_size(folder_ / "report.html"), 20000u);
}

}  // namespace
}  // namespace gdkm
