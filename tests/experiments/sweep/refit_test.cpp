#include "gdkm/experiments/sweep/refit.hpp"

#include <gtest/gtest.h>

#include "gdkm/data/generators/generators.hpp"
#include "gdkm/fitting/fingerprint.hpp"
#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

/// Numbers with noise that features cannot tell.
Dataset noisy_numbers() {
  Dataset out = generate("er:n=120,p=0.05,features=6,classes=2");
  Random random({3, Purpose::generator, 9});
  out.targets = 1;
  for (Index i = 0; i < out.graph.nodes; ++i)
    out.target.push_back(
        static_cast<float>(10 * out.features.dense[static_cast<std::size_t>(i * 6)] + random.normal()));
  out.label.assign(static_cast<std::size_t>(out.graph.nodes), 0);
  out.classes = 0;
  return out;
}

TEST(RefitOnAll, ScoresOfNumbersAreThoseOfWhatTheModelPredicts) {
  const Dataset data = noisy_numbers();
  const Configuration configuration{
      data.name, fingerprint(data),
      "nngp",    {{"inducing", 40}, {"layers", 1}, {"epochs", 20}, {"inference", "natural"}},
      0,         0};
  ExecutionOptions options;
  options.threads = 2;
  const auto tuned = execute_run(configuration, data, options);
  ASSERT_TRUE(tuned && tuned->result.calibration);
  ASSERT_NE(tuned->result.calibration->temperature, 1);
  const auto model = refit_on_all(configuration, tuned->result, data, options);
  ASSERT_TRUE(model);
  const auto test = data.splits.at("public")[0].test;
  const auto again = evaluate_numbers(model->predict(data).values, 1, data.target, test);
  EXPECT_DOUBLE_EQ(model->card().run.test->nll, again->nll);
}

}  // namespace
}  // namespace gdkm
