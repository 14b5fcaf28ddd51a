#include "gdkm/store/schema.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "gdkm/store/run_queue.hpp"
#include "gdkm/store/stage_records.hpp"
#include "gdkm/support/error.hpp"
#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::TemporaryFolder;

std::string refusal(const std::filesystem::path& path) {
  try {
    Store::open(path);
  } catch (const InputError& error) {
    return error.what();
  }
  return "it was opened";
}

TEST(StoreSchema, UpgradesAnEarlierStoreAndKeepsItsRuns) {
  const TemporaryFolder folder;
  {
    const auto file = Database::open(folder / "runs.db", Database::Mode::create);
    Database& old = *file;
    old.script(schema_step(0, old.dialect()));
    old.script("PRAGMA application_id = 0x67646B6D; PRAGMA user_version = 1");
    old.script(
        "INSERT INTO runs(hash, dataset, model, seed, split, configuration, status, created) VALUES('ab', "
        "'cora', 'dkm', 0, 0, "
        "'{\"dataset\":\"cora\",\"data\":\"1\",\"model\":\"dkm\",\"options\":{},\"seed\":"
        "0,\"split\":0}', 'pending', 1)");
  }
  const Store store = Store::open(folder / "runs.db");
  EXPECT_EQ(store.runs().at(0).configuration.dataset, "cora");
  EXPECT_TRUE(StageRecords(store).stages().empty());
  EXPECT_EQ(store.database().integer("PRAGMA user_version"), schema_version());
  EXPECT_EQ(store.database().integer("SELECT count(*) FROM runs WHERE data = '1' AND needs = ''"), 1)
      << "what workers look for is read from earlier configurations";
}

TEST(StoreSchema, RefusesAStoreOfALaterVersion) {
  const TemporaryFolder folder;
  { Store::open_or_create(folder / "runs.db").database().script("PRAGMA user_version = 99"); }
  const std::string said = refusal(folder / "runs.db");
  EXPECT_NE(said.find("later gdkm"), std::string::npos) << said;
  EXPECT_NE(said.find("version 99"), std::string::npos) << said;
}

TEST(StoreSchema, RefusesOtherFiles) {
  const TemporaryFolder folder;
  std::ofstream(folder / "text.db") << std::string(5000, 'x');
  { Database::open(folder / "other.db", Database::Mode::create)->script("CREATE TABLE birds(name TEXT)"); }
  EXPECT_NE(refusal(folder / "text.db").find("not a store of runs"), std::string::npos)
      << refusal(folder / "text.db");
  EXPECT_NE(refusal(folder / "other.db").find("another program"), std::string::npos);
  EXPECT_NE(refusal(folder / "none.db").find("no such store"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "none.db"));
}

}  // namespace
}  // namespace gdkm
