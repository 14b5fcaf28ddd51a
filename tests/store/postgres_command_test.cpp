#include <fstream>

#include "tests/cli/run_program.hpp"
#include "tests/store/store_engine.hpp"

namespace gdkm {
namespace {

using testing::Outcome;

/// The commands with a store on a server.
class PostgresCommand : public testing::Program {
 protected:
  void SetUp() override {
    if (!engine_.missing().empty()) GTEST_SKIP() << engine_.missing();
  }
  /// The same place for the user who must give a password.
  static std::string guarded(std::string place, const std::string& password) {
    return place.replace(place.find("gdkm@"), 5, "guarded" + (password.empty() ? "" : ":" + password) + "@");
  }
  void write_spec() const {
    std::ofstream(folder_ / "spec.toml") << "datasets = ['csbm:n=60,classes=2']\noptions = { epochs = 3, "
                                            "inducing = 5 }\n[[study]]\nmodel = 'dkm'\n"
                                            "[[study.stage]]\ngrid = { nu = [0.1, 1] }\n";
  }
  testing::StoreEngine engine_{testing::Engine::postgres};
};

TEST_F(PostgresCommand, SweepsAndReportsAsWithAFile) {
  write_spec();
  const std::string place = engine_.place();
  refused({"runs", "list", place}, {"no such store", "gdkm sweep creates one"});
  EXPECT_NE(done({"sweep", "spec.toml", "--store", place, "--dry-run"}).out.find("2 runs"),
            std::string::npos);
  refused({"runs", "list", place}, {"no such store"});
  done({"sweep", "spec.toml", "--store", place, "--quiet"});
  done({"sweep", "spec.toml", "--store", "runs.db", "--quiet"});
  const auto scores = [&](const std::string& store) {
    auto out = done({"runs", "export", store, "--format", "json"}).json();
    for (auto& run : out) {
      for (const char* varies : {"seconds", "ended"}) run.erase(varies);
    }
    return out;
  };
  EXPECT_EQ(scores(place), scores("runs.db"));
  done({"report", place, "-o", "server.html", "--kernel-time", "0", "--quiet"});
  EXPECT_NE(read("server.html").find("gdkm report: gdkm/"), std::string::npos);
  EXPECT_EQ(done({"worker", place, "--quiet"}).out, "0 runs done, 0 failed\n");
  EXPECT_EQ(done({"runs", "copy", "runs.db", place}).out, "0 runs added, 0 completed, 2 known\n");
  EXPECT_EQ(done({"runs", "copy", place, "copy.db"}).out, "2 runs added, 0 completed, 0 known\n");
  EXPECT_EQ(scores("copy.db"), scores("runs.db"));
}

TEST_F(PostgresCommand, APasswordIsTakenFromTheAddressOrTheEnvironmentAndNeverShown) {
  write_spec();
  const std::string place = guarded(engine_.place("guarded"), "open%20sesame"),
                    plain = guarded(engine_.place("guarded"), "");
  const auto silent = [](const Outcome& outcome) {
    for (const std::string& text : {outcome.out, outcome.err})
      EXPECT_EQ(text.find("sesame"), std::string::npos) << text;
  };
  Outcome outcome = done({"sweep", "spec.toml", "--store", place, "--jobs", "2"});
  silent(outcome);
  EXPECT_NE(outcome.out.find("gdkm runs list"), std::string::npos);
  testing::RunOptions with_password;
  with_password.environment["PGPASSWORD"] = "open sesame";
  EXPECT_NE(done({"runs", "list", plain}, with_password).out.find("done"), std::string::npos);
  refused({"runs", "list", plain}, {"cannot connect", "password"});
  for (const std::string wrong : {"sesame", "open%2sesame", "sesame/x", "ses@me-sesame", "sesame?"}) {
    outcome = gdkm({"runs", "list", guarded(engine_.place("guarded"), wrong)});
    EXPECT_EQ(outcome.status, 2);
    EXPECT_EQ(outcome.error_lines(), 1) << outcome.err;
    silent(outcome);
  }
  silent(gdkm({"runs", "list", place, place}));  // an error of the parser
  done({"runs", "copy", place, "copy.db"});
  EXPECT_EQ(read("copy.db").find("sesame"), std::string::npos);
}

TEST_F(PostgresCommand, SaysWhenThereIsNoServer) {
  refused({"runs", "list", "postgresql://me:secret@127.0.0.1:1/none"},
          {"postgresql://me@127.0.0.1:1/none", "cannot connect", "check the address"});
  refused({"runs", "list", "postgresql://me@host:port/none"}, {"cannot connect"});
}

}  // namespace
}  // namespace gdkm
