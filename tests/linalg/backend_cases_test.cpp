#include "tests/linalg/backend_cases.hpp"

#include <fstream>
#include <regex>
#include <set>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "tests/linalg/reference_backend.hpp"
#include "tests/places.hpp"

namespace gdkm::testing {
namespace {

class CpuCases : public ::testing::TestWithParam<std::string> {
 protected:
  template <class Body>
  void for_each_small_case(Body body) {
    for (const Case& each : backend_cases().all()) {
      if (each.primitive == GetParam() && each.is_small()) body(each);
    }
  }
};

template <class T>
void expect_agreement(const Case& each) {
  ReferenceBackend reference;
  const auto want = outputs_of<double>(each, reference, {.single = std::is_same_v<T, float>});
  Index pad = 0;
  for (const int threads : {1, 2, 3}) {
    SCOPED_TRACE(std::to_string(threads) + " threads, padding " + std::to_string(pad));
    CpuBackend<T> backend(threads);
    const auto got = outputs_of<T>(each, backend, {.pad = pad});
    expect_same(each, want, got);
    pad = 3 * pad + 1;
  }
}

TEST_P(CpuCases, AgreeWithTheDefinitionOnAnyNumberOfThreads) {
  for_each_small_case([](const Case& each) {
    expect_agreement<double>(each);
    expect_agreement<float>(each);
  });
}

/// The input that has a gradient, moved by `step` at one entry: what the loss becomes.
double loss_at(const Case& each, Backend<double>& backend, Index input, Index entry, double step) {
  Trial<double> trial(backend, {.moved_input = input, .moved_entry = entry, .step = step});
  each.run(trial);
  return trial.loss;
}

TEST_P(CpuCases, GradientsAgreeWithFiniteDifferences) {
  CpuBackend<double> backend(2);
  for_each_small_case([&](const Case& each) {
    if (each.work > 450) return;
    Trial<double> trial(backend, {});
    each.run(trial);
    for (const auto& [input, values] : trial.gradients) {
      for (std::size_t k = 0; k < values.size(); ++k) {
        const double step = 1e-5;
        const auto entry = static_cast<Index>(k);
        const double numeric =
            (loss_at(each, backend, input, entry, step) - loss_at(each, backend, input, entry, -step)) /
            (2 * step);
        ASSERT_NEAR(values[k], numeric, 1e-7 * std::max(1.0, std::fabs(numeric)))
            << each.name << ", input " << input << ", entry " << k;
      }
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Primitives, CpuCases, ::testing::ValuesIn(backend_cases().primitives()),
                         [](const auto& info) { return info.param; });

TEST(BackendCases, EveryPrimitiveHasOne) {
  std::set<std::string> called;
  CpuBackend<double> backend(1);
  for (const Case& each : backend_cases().all()) {
    if (!each.is_small() || each.work > 2000) continue;
    Trial<double> trial(backend, {.caller = [&](const char* name, const Cost&, const auto& work) {
                          called.insert(name);
                          work();
                        }});
    each.run(trial);
  }
  std::ifstream header(GDKM_SOURCE_DIR "/src/gdkm/linalg/backend.hpp");
  const std::regex primitive("^  virtual void (\\w+)\\(");
  std::smatch found;
  int count = 0;
  for (std::string line; std::getline(header, line);) {
    // `reserve` computes nothing; the test of allocations in a step is about it. `total` is for ranks, and
    // tests/ranks about it.
    if (!std::regex_search(line, found, primitive) || found[1] == "reserve" || found[1] == "total") continue;
    EXPECT_TRUE(called.contains(found[1])) << found[1] << " has no case; add one to tests/linalg/*_cases.cpp";
    ++count;
  }
  EXPECT_GT(count, 40) << "backend.hpp is not read as it was";
}

}  // namespace
}  // namespace gdkm::testing
