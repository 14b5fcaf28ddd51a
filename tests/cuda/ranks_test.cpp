// Ranks with GPUs train what one process trains: by NCCL, where a rank has a GPU of its own, and through the
// host, where several share one.
#include "gdkm/linalg/distributed/distributed_backend.hpp"
#include "gdkm/ranks/thread_ranks.hpp"
#include "tests/cuda/cuda_test.hpp"
#include "tests/ranks/self_halo.hpp"
#include "tests/ranks/training_cases.hpp"

namespace gdkm {
namespace {

using testing::expect_near;
using testing::SharedProblem;
using testing::Trained;
using testing::TrainingCase;

/// A GPU's backend, as make_backend gives it to one of several ranks.
template <class T>
std::unique_ptr<Backend<T>> backend_of(Communicator& ranks) {
  DeviceChoice choice{cuda_device(), 1};
  choice.ranks = std::shared_ptr<Communicator>(std::shared_ptr<void>(), &ranks);
  return make_backend<T>(choice);
}

/// One of each kind of message; under compute-sanitizer, fewer and shorter.
std::vector<TrainingCase> some_cases() {
  std::vector<TrainingCase> out;
  for (TrainingCase& each : testing::training_cases()) {
    for (const char* name : {"kipf", "kipf_paper", "kipf_sparse_features", "platonov_centred",
                             "intra_centred", "relations", "regression", "graphs"}) {
      if (each.name != name || (sanitized() && each.name != "kipf")) continue;
      if (sanitized()) each.options.epochs = 3;
      out.push_back(each);
    }
  }
  return out;
}

class CudaRanks : public CudaTest<double> {};

TEST_F(CudaRanks, ThatShareAGpuTrainAsOneProcessDoes) {
  for (const TrainingCase& with : some_cases()) {
    const Trained alone = with.alone(gpu());
    for (const int count : {2, 4}) {
      std::vector<Trained> trained(static_cast<std::size_t>(count));
      std::vector<std::string> way(static_cast<std::size_t>(count));
      run_as_ranks(count, [&](Communicator& ranks) {
        const auto backend = backend_of<double>(ranks);
        way[static_cast<std::size_t>(ranks.rank())] = backend->description();
        trained[static_cast<std::size_t>(ranks.rank())] = with.shared(*backend);
      });
      const std::string what = with.name + ", " + std::to_string(count) + " ranks: ";
      for (const Trained& each : trained) {
        expect_near(each.loss, alone.loss, 1e-10, what + "losses");
        expect_near(each.val_loss, alone.val_loss, 1e-8, what + "validation losses");
        expect_near(each.predictions, alone.predictions, 1e-8, what + "predictions");
        EXPECT_EQ(each.loss, trained.front().loss) << what << "ranks must not drift apart";
      }
      for (const std::string& each : way) EXPECT_NE(each.find("; messages "), std::string::npos) << each;
    }
  }
}

/// One rank whose messages go by NCCL, to itself. Skipped without NCCL, or fails where GDKM_NCCL_REQUIRED is
/// set.
template <class T>
class CudaNccl : public CudaTest<T> {
 protected:
  void SetUp() override {
    CudaTest<T>::SetUp();
    if (this->IsSkipped() || this->HasFatalFailure()) return;
    std::string way;
    run_as_ranks(1, [&](Communicator& ranks) { way = backend_of<T>(ranks)->description(); });
    if (way.find("; messages by NCCL") != std::string::npos) return;
    if (std::getenv("GDKM_NCCL_REQUIRED") != nullptr) FAIL() << way;
    GTEST_SKIP() << way;
  }
};
TYPED_TEST_SUITE(CudaNccl, Precisions, PrecisionNames);

TYPED_TEST(CudaNccl, ProductsWithAHaloAreThoseOfTheWholeMatrix) {
  const Csr a = SharedProblem().make().relations.first();
  for (const Index cols : {1, 5, 64}) {
    std::vector<TypeParam> numbers;
    for (Index k = 0; k < a.rows * cols; ++k)
      numbers.push_back(static_cast<TypeParam>(std::sin(static_cast<double>(k))));
    Backend<TypeParam>& plain = this->gpu();
    const Sparse<TypeParam> whole(plain, a);
    for (const Op op : {Op::none, Op::transpose}) {
      const Matrix<TypeParam> alone(plain, a.rows, cols, numbers), expected(plain, a.rows, cols, numbers);
      plain.spmm(TypeParam(2), op, whole, alone, TypeParam(0.5), expected);
      const auto wanted = expected.to_host();
      run_as_ranks(1, [&](Communicator& ranks) {
        const auto backend = backend_of<TypeParam>(ranks);
        const Sparse<TypeParam> cut(*backend, testing::with_halo_of_itself(a));
        const Matrix<TypeParam> in(*backend, a.rows, cols, numbers, Space::nodes),
            out(*backend, a.rows, cols, numbers, Space::nodes);
        const Traffic before = ranks.traffic();
        for (int turn = 0; turn < 3; ++turn) {  // buffers are used again
          backend->add(TypeParam(1), in, TypeParam(0), out);
          backend->spmm(TypeParam(2), op, cut, in, TypeParam(0.5), out);
        }
        const auto got = out.to_host();
        for (std::size_t k = 0; k < got.size(); ++k)
          EXPECT_NEAR(got[k], wanted[k], sizeof(TypeParam) == 4 ? 1e-5 : 1e-13);
        EXPECT_EQ(ranks.traffic().messages - before.messages, 3);
        EXPECT_EQ(ranks.traffic().sent_bytes - before.sent_bytes,
                  3 * (a.rows / 2) * cols * Index{sizeof(TypeParam)});
      });
    }
  }
}

TYPED_TEST(CudaNccl, SumsOfOneRankAreItsTerms) {
  run_as_ranks(1, [&](Communicator& ranks) {
    const auto backend = backend_of<TypeParam>(ranks);
    const std::vector<TypeParam> numbers{1, 2, 3, 4, 5, 6};
    const Matrix<TypeParam> rows(*backend, 3, 2, numbers, Space::nodes), sum(*backend, 1, 2);
    const Traffic before = ranks.traffic();
    backend->column_sums(TypeParam(1), rows, TypeParam(0), sum);
    EXPECT_EQ(sum.to_host(), (std::vector<TypeParam>{9, 12}));
    EXPECT_EQ(ranks.traffic().sums - before.sums, 1);
    EXPECT_EQ(ranks.traffic().summed_bytes - before.summed_bytes, 2 * Index{sizeof(TypeParam)});
  });
}

class CudaNcclTraining : public CudaNccl<double> {};

TEST_F(CudaNcclTraining, LeadsWhereOneProcessGetsAndToTheSameBitsAgain) {
  for (const TrainingCase& with : some_cases()) {
    const Trained alone = with.alone(gpu());
    run_as_ranks(1, [&](Communicator& ranks) {
      const Trained first = with.shared(*backend_of<double>(ranks)),
                    again = with.shared(*backend_of<double>(ranks));  // by the same connection
      expect_near(first.loss, alone.loss, 1e-10, with.name + ": losses");
      expect_near(first.predictions, alone.predictions, 1e-8, with.name + ": predictions");
      EXPECT_EQ(first.loss, again.loss) << with.name;
      EXPECT_GT(ranks.traffic().sums, 0) << with.name;
    });
  }
}

}  // namespace
}  // namespace gdkm
