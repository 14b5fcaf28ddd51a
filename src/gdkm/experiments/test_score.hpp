#pragma once

#include <optional>

#include "gdkm/store/stored_run.hpp"
#include "gdkm/support/enum_names.hpp"

namespace gdkm {

/// Which score of a run's test items is compared.
enum class TestScore { accuracy, nll };

template <>
struct EnumNames<TestScore> {
  static constexpr std::string_view names[] = {"accuracy", "nll"};
};

/// Test accuracy (R² where numbers are predicted) or test NLL; nullopt for a run without test scores.
inline std::optional<double> test_score(const StoredRun& run, TestScore score) {
  if (!run.result || !run.result->test) return std::nullopt;
  return score == TestScore::nll ? run.result->test->nll : run.result->test->score();
}

}  // namespace gdkm
