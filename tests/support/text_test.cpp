#include "gdkm/support/text.hpp"

#include <gtest/gtest.h>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm {
namespace {

using testing::expect_input_error;

std::vector<int> numbers(const std::string& bytes, int threads, std::int64_t skip = 0) {
  ThreadPool pool(threads);
  return parse_lines<int>({"file.txt", bytes}, skip, pool, [](Line& line) {
    const int out = line.number<int>("a number");
    line.expect_end();
    return out;
  });
}

TEST(ParseLines, KeepsTheOrderOfTheFileOnAnyNumberOfThreads) {
  std::string text = "head\n";
  std::vector<int> expected;
  for (int k = 0; k < 1000; ++k) {
    text += std::to_string(k) + (k % 3 == 0 ? "\r\n" : k % 5 == 0 ? "\n\n  \n" : "\n");
    expected.push_back(k);
  }
  for (const int threads : {1, 2, 7}) EXPECT_EQ(numbers(text, threads, 1), expected);
}

TEST(ParseLines, TakesAFileWithoutALastLineEndAndOneThatIsEmpty) {
  EXPECT_EQ(numbers("1\n+2", 4), (std::vector<int>{1, 2}));
  EXPECT_EQ(numbers("", 4), (std::vector<int>{}));
  EXPECT_EQ(numbers("\xEF\xBB\xBF"
                    "5\n",
                    2),
            (std::vector<int>{5}));
}

TEST(ParseLines, NamesTheFirstLineThatIsAmissWhateverTheThreads) {
  std::string text = "head\n";
  for (int k = 0; k < 500; ++k) text += k == 123 || k == 400 ? "x1\n" : "7\n";
  for (const int threads : {1, 2, 5}) {
    expect_input_error([&] { numbers(text, threads, 1); }, {"file.txt: line 125:", "'x1'", "a number"});
  }
}

TEST(ParseLines, SaysWhatIsMissingTooMuchOrTooLarge) {
  expect_input_error([] { numbers("1 2\n", 1); }, {"line 1", "'2'", "remove"});
  expect_input_error([] { numbers("1\n99999999999\n", 1); }, {"line 2", "too large"});
  ThreadPool pool(1);
  expect_input_error(
      [&] {
        parse_lines<int>({"f", "3,\n"}, 0, pool, [](Line& line) {
          line.number<int>("a number");
          line.accept(',');
          return line.number<int>("the second number");
        });
      },
      {"line 1", "ends where the second number is expected"});
}

}  // namespace
}  // namespace gdkm
