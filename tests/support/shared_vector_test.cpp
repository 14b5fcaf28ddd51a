#include "gdkm/support/shared_vector.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>

namespace gdkm {
namespace {

using Numbers = SharedVector<int>;

TEST(SharedVectorTest, CopiesShareUntilOneIsWrittenTo) {
  Numbers a{1, 2, 3};
  Numbers b = a;
  EXPECT_TRUE(a.shares_with(b));
  EXPECT_EQ(std::as_const(a).data(), std::as_const(b).data());
  b[1] = 20;
  EXPECT_FALSE(a.shares_with(b));
  EXPECT_EQ(a.get(), (std::vector{1, 2, 3}));
  EXPECT_EQ(b.get(), (std::vector{1, 20, 3}));
}

TEST(SharedVectorTest, TheOnlyOwnerWritesInPlace) {
  Numbers a{1, 2, 3};
  const int* const where = std::as_const(a).data();
  a[0] = 5;
  std::iota(a.begin(), a.end(), 7);
  EXPECT_EQ(std::as_const(a).data(), where);
  { const Numbers b = a; }
  a.back() = 0;  // b is gone
  EXPECT_EQ(std::as_const(a).data(), where);
}

TEST(SharedVectorTest, ReadingThroughConstNeverCopies) {
  Numbers a{4, 5, 6};
  const Numbers b = a;
  EXPECT_EQ(std::accumulate(b.begin(), b.end(), 0), 15);
  EXPECT_EQ(b[0] + b.front() + b.back(), 14);
  EXPECT_EQ(b.size(), 3u);
  const std::vector<int>& whole = b;
  EXPECT_EQ(whole.size(), 3u);
  EXPECT_TRUE(a.shares_with(b));
}

TEST(SharedVectorTest, EveryWayToWriteLeavesOtherCopiesAlone) {
  const Numbers original{1, 2, 3};
  const std::vector<std::pair<const char*, void (*)(Numbers&)>> ways{
      {"element", [](Numbers& v) { v[0] = 9; }},
      {"front", [](Numbers& v) { v.front() = 9; }},
      {"back", [](Numbers& v) { v.back() = 9; }},
      {"data", [](Numbers& v) { *v.data() = 9; }},
      {"begin", [](Numbers& v) { *v.begin() = 9; }},
      {"clear", [](Numbers& v) { v.clear(); }},
      {"resize", [](Numbers& v) { v.resize(5); }},
      {"assign", [](Numbers& v) { v.assign(2, 9); }},
      {"push_back", [](Numbers& v) { v.push_back(9); }},
      {"emplace_back", [](Numbers& v) { v.emplace_back(9); }},
      {"pop_back", [](Numbers& v) { v.pop_back(); }},
  };
  for (const auto& [name, write] : ways) {
    Numbers copy = original;
    write(copy);
    EXPECT_EQ(original.get(), (std::vector{1, 2, 3})) << name;
    EXPECT_NE(copy.get(), original.get()) << name;
  }
}

TEST(SharedVectorTest, PositionsOfItsOwnElementsAreValidForInsertAndErase) {
  const Numbers original{1, 2, 3};
  Numbers copy = original;
  copy.erase(copy.begin());
  copy.insert(copy.end(), 8);
  EXPECT_EQ(copy.get(), (std::vector{2, 3, 8}));
  EXPECT_EQ(original.get(), (std::vector{1, 2, 3}));
}

TEST(SharedVectorTest, AnEmptyOneHasNoElementsAndGrows) {
  Numbers a;
  EXPECT_TRUE(a.empty());
  EXPECT_EQ(std::as_const(a).begin(), std::as_const(a).end());
  EXPECT_FALSE(a.shares_with(Numbers{}));
  a.push_back(3);
  EXPECT_EQ(a.get(), std::vector{3});
}

TEST(SharedVectorTest, EqualityIsThatOfElements) {
  const Numbers a{1, 2}, b{1, 2}, c{2, 1};
  EXPECT_FALSE(a.shares_with(b));
  EXPECT_EQ(a, b);
  EXPECT_FALSE(a == c);
  EXPECT_EQ(Numbers{}, Numbers(std::vector<int>()));
}

TEST(SharedVectorTest, AVectorMovesInWithoutACopy) {
  std::vector<int> elements(100, 1);
  const int* const where = elements.data();
  const Numbers a(std::move(elements));
  EXPECT_EQ(a.data(), where);
}

}  // namespace
}  // namespace gdkm
