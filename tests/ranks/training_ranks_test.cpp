// A model that ranks train together is the model that one process trains.
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/distributed/distributed_backend.hpp"
#include "gdkm/ranks/thread_ranks.hpp"
#include "tests/ranks/training_cases.hpp"

namespace gdkm {
namespace {

using testing::expect_near;
using testing::Trained;
using testing::training_cases;
using testing::TrainingCase;

class RanksTrain : public ::testing::TestWithParam<TrainingCase> {};

TEST_P(RanksTrain, AsOneProcessDoes) {
  const TrainingCase& with = GetParam();
  CpuBackend<double> backend(1);
  const Trained alone = with.alone(backend);
  for (const int count : {1, 2, 3, 4, 7}) {
    std::vector<Trained> trained(static_cast<std::size_t>(count));
    run_as_ranks(count, [&](Communicator& ranks) {
      DistributedBackend<double> shared(std::make_unique<CpuBackend<double>>(1),
                                        std::shared_ptr<Communicator>(std::shared_ptr<void>(), &ranks));
      trained[static_cast<std::size_t>(ranks.rank())] = with.shared(shared);
    });
    for (const Trained& each : trained) {
      const std::string what = std::to_string(count) + " ranks: ";
      expect_near(each.loss, alone.loss, 1e-10, what + "losses");
      expect_near(each.val_loss, alone.val_loss, 1e-8, what + "validation losses");
      expect_near(each.predictions, alone.predictions, 1e-8, what + "predictions");
      expect_near(each.features, alone.features, 1e-8, what + "features");
      EXPECT_EQ(each.loss, trained.front().loss) << what << "ranks must not drift apart";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, RanksTrain, ::testing::ValuesIn(training_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace gdkm
