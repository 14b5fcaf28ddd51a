#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "gdkm/store/postgres_database.hpp"
#include "gdkm/store/store.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm::testing {

/// The engine below a store. Tests of stores have both: Sqlite/… and Postgres/….
enum class Engine { sqlite, postgres };

/// Places for stores of one engine, which are gone after the test. The server is that of postgres_server.sh,
/// in the folder that GDKM_TEST_POSTGRES names; without one, tests skip themselves.
class StoreEngine {
 public:
  explicit StoreEngine(Engine engine) : engine_(engine) {
    if (engine == Engine::sqlite) return;
    const char* folder = std::getenv("GDKM_TEST_POSTGRES");
    if (!has_postgres()) {
      missing_ = "this build has no libpq";
    } else if (folder == nullptr) {
      missing_ =
          "GDKM_TEST_POSTGRES does not name the folder of a server (tests/store/postgres_server.sh start "
          "FOLDER)";
    } else {
      std::ifstream url(std::string(folder) + "/url"), missing(std::string(folder) + "/missing");
      if (!std::getline(url, url_) && !std::getline(missing, missing_)) missing_ = "no server was started";
    }
  }
  ~StoreEngine() {
    for (const std::string& name : schemas_) {
      try {
        Database::open(place(name), Database::Mode::create)->script("DROP SCHEMA \"" + name + "\" CASCADE");
      } catch (const std::exception&) {
        // A test that stops the server has nothing to clean.
      }
    }
  }
  StoreEngine(const StoreEngine&) = delete;
  StoreEngine& operator=(const StoreEngine&) = delete;

  const std::string& missing() const { return missing_; }
  const std::string& url() const { return url_; }
  const TemporaryFolder& folder() const { return folder_; }

  /// The place of a store that is not there yet.
  std::string place(const std::string& name = "runs") {
    if (engine_ == Engine::sqlite) return (folder_ / (name + ".db")).string();
    if (name.starts_with("test-")) return url_ + "&store=" + name;
    const std::string schema = "test-" + std::to_string(::getpid()) + "-" + name;
    if (std::find(schemas_.begin(), schemas_.end(), schema) == schemas_.end()) schemas_.push_back(schema);
    return url_ + "&store=" + schema;
  }

 private:
  Engine engine_;
  TemporaryFolder folder_;
  std::string url_, missing_;
  std::vector<std::string> schemas_;
};

/// A test that runs once for each engine.
class OnEachEngine : public ::testing::TestWithParam<Engine> {
 protected:
  void SetUp() override {
    if (!engine_.missing().empty()) GTEST_SKIP() << engine_.missing();
  }
  StoreEngine engine_{GetParam()};
};

}  // namespace gdkm::testing

/// Gives the tests of a suite the names Sqlite/Suite.Test/0 and Postgres/Suite.Test/0.
#define GDKM_ON_BOTH_ENGINES(Suite)                                                          \
  INSTANTIATE_TEST_SUITE_P(Sqlite, Suite, ::testing::Values(gdkm::testing::Engine::sqlite)); \
  INSTANTIATE_TEST_SUITE_P(Postgres, Suite, ::testing::Values(gdkm::testing::Engine::postgres))
