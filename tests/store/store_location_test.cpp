#include "gdkm/store/store_location.hpp"

#include <gtest/gtest.h>

#include "gdkm/store/postgres_database.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

TEST(StoreLocation, TakesAnAddressApart) {
  const StoreLocation place(
      "postgresql://me:open%20ses%40me@db.example:5433/study?sslmode=require&store=cora");
  EXPECT_TRUE(place.is_server());
  EXPECT_EQ(place.shown(), "postgresql://me@db.example:5433/study?sslmode=require&store=cora");
  EXPECT_EQ(place.address(), "postgresql://me@db.example:5433/study?sslmode=require");
  EXPECT_EQ(place.password(), "open ses@me");
  EXPECT_EQ(place.schema(), "cora");
  EXPECT_EQ(place.title(), "study/cora");
  EXPECT_EQ(place.stem(), "study-cora");
  EXPECT_EQ(StoreLocation("postgres:///study").schema(), "gdkm");
  EXPECT_EQ(StoreLocation("postgres:///study").title(), "study");
}

TEST(StoreLocation, AFileIsAFile) {
  const StoreLocation place("folder/runs.v2.db");
  EXPECT_FALSE(place.is_server());
  EXPECT_EQ(place.shown(), "folder/runs.v2.db");
  EXPECT_EQ(place.title(), "runs.v2.db");
  EXPECT_EQ(place.stem(), "runs.v2");
}

TEST(StoreLocation, NoPieceOfAPasswordIsShown) {
  for (const std::string password : {"pw", "p:w", "p/w", "p?w", "p@w", "p%zzw", "p#w", "/@?", "p&w=1"}) {
    for (const std::string rest : {"host/db", "host:1/db?a=b", "/db?host=/tmp"}) {
      const std::string address = "postgresql://me:" + password + "@" + rest;
      std::string shown = without_password("--store=" + address);
      try {
        shown += StoreLocation(address).shown();
      } catch (const InputError& error) {
        shown += error.what();
        EXPECT_NE(shown.find("%"), std::string::npos) << "the message says how to write it: " << shown;
      }
      EXPECT_EQ(shown.find(password), std::string::npos) << shown;
      EXPECT_EQ(shown.find("me:"), std::string::npos) << shown;
    }
  }
  EXPECT_EQ(StoreLocation("postgresql://h/d?password=secret&user=me").shown(), "postgresql://h/d?user=me");
  EXPECT_EQ(StoreLocation("postgresql://h/d?password=secret&user=me").password(), "secret");
}

TEST(StoreLocation, RefusesNamesThatAreNoSchemas) {
  for (const std::string name : {"", "A", "a\"b", "pg_catalog", "a b"})
    EXPECT_THROW(StoreLocation("postgresql:///d?store=" + name), InputError) << name;
}

TEST(StoreLocation, ABuildWithoutLibpqSaysSo) {
  if (has_postgres()) GTEST_SKIP() << "this build has libpq";
  try {
    open_postgres("postgresql://me:secret@h/d", Database::Mode::create, {});
    FAIL() << "it was opened";
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "postgresql://me@h/d: this gdkm was built without PostgreSQL; give a file, or build it with libpq "
        "(Debian: libpq-dev)");
  }
}

}  // namespace
}  // namespace gdkm
