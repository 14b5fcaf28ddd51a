// Messages past the host: what DistributedBackend asks of them, and when ranks agree to have them.
#include "gdkm/ranks/device_messages.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/distributed/distributed_backend.hpp"
#include "gdkm/ranks/thread_ranks.hpp"
#include "tests/ranks/self_halo.hpp"
#include "tests/ranks/shared_problem.hpp"

namespace gdkm {
namespace {

/// Messages of one rank to itself, which arrive when they are waited for.
class MessagesToOneself final : public DeviceMessages {
 public:
  std::string description() const override { return "hand"; }
  int device() const override { return 0; }
  void add_up(float*, std::size_t, void*) override { ++sums; }
  void add_up(double*, std::size_t, void*) override { ++sums; }
  void start(std::span<const Communicator::Message> send, std::span<const Communicator::Message> receive,
             void*) override {
    ASSERT_EQ(send.size(), 1u);
    ASSERT_EQ(receive.size(), 1u);
    ASSERT_EQ(send[0].bytes, receive[0].bytes);
    from_ = send[0];
    to_ = receive[0];
  }
  void finish(void*) override {
    std::memcpy(to_.data, from_.data, to_.bytes);
    ++exchanges;
  }
  double waited() override { return 0.25; }

  int sums = 0, exchanges = 0;

 private:
  Communicator::Message from_, to_;
};

std::shared_ptr<Communicator> unowned(Communicator& ranks) {
  return {std::shared_ptr<void>(), &ranks};
}

TEST(DeviceMessages, ProductsAndSumsGoByThemAndAreCounted) {
  const Csr a = testing::SharedProblem().make().relations.first();
  constexpr Index cols = 5;
  run_as_ranks(1, [&](Communicator& ranks) {
    const auto messages = std::make_shared<MessagesToOneself>();
    CpuBackend<double> plain(1);
    DistributedBackend<double> backend(std::make_unique<CpuBackend<double>>(1), unowned(ranks),
                                       {messages, ""});
    std::vector<double> numbers;
    for (Index k = 0; k < a.rows * cols; ++k) numbers.push_back(std::sin(static_cast<double>(k)));
    const Sparse<double> whole(plain, a), cut(backend, testing::with_halo_of_itself(a));
    int exchanges = 0;
    for (const Op op : {Op::none, Op::transpose}) {
      const Matrix<double> in(backend, a.rows, cols, numbers, Space::nodes),
          out(backend, a.rows, cols, numbers, Space::nodes), expected(plain, a.rows, cols, numbers);
      plain.spmm(2.0, op, whole, in.view().in(Space::shared), 0.5, expected);
      backend.spmm(2.0, op, cut, in, 0.5, out);
      const auto got = out.to_host(), wanted = expected.to_host();
      for (std::size_t k = 0; k < got.size(); ++k) EXPECT_NEAR(got[k], wanted[k], 1e-13);
      EXPECT_EQ(messages->exchanges, ++exchanges);
    }
    const Matrix<double> rows(backend, a.rows, cols, numbers, Space::nodes), sum(backend, 1, cols);
    backend.column_sums(1.0, rows, 0.0, sum);
    EXPECT_EQ(messages->sums, 1);
    const auto sent = static_cast<std::int64_t>(a.rows / 2 * cols * Index{sizeof(double)});
    EXPECT_EQ(ranks.traffic().sent_bytes, 2 * sent);
    EXPECT_EQ(ranks.traffic().messages, 2);
    EXPECT_EQ(ranks.traffic().summed_bytes, cols * Index{sizeof(double)});
    EXPECT_EQ(ranks.traffic().sums, 1);
    EXPECT_NEAR(ranks.traffic().waited, 0.75, 0.2);
  });
}

/// A GPU of this number on this machine, as far as ranks are told.
GpuQueue pretended(int number) {
  GpuQueue out;
  out.identity.uuid[0] = static_cast<char>('a' + number);
  out.identity.slot[0] = static_cast<char>('0' + number);
  return out;
}

/// The variable that names NCCL's module, as long as this lives.
class NcclModuleNamed {
 public:
  explicit NcclModuleNamed(const char* value) { setenv("GDKM_NCCL_MODULE", value, 1); }
  ~NcclModuleNamed() { unsetenv("GDKM_NCCL_MODULE"); }
  NcclModuleNamed(const NcclModuleNamed&) = delete;
  NcclModuleNamed& operator=(const NcclModuleNamed&) = delete;
};

TEST(GpuMessages, RanksThatShareAGpuGoThroughTheHost) {
  run_as_ranks(3, [](Communicator& ranks) {
    const GpuMessages gpus = connect_gpus(ranks, pretended(ranks.rank() % 2));
    EXPECT_EQ(gpus.direct, nullptr);
    EXPECT_EQ(gpus.description(), "messages through the host (ranks 0 and 2 share a GPU)");
  });
}

TEST(GpuMessages, AnEmptyVariableTurnsNcclOff) {
  const NcclModuleNamed named("");
  run_as_ranks(2, [](Communicator& ranks) {
    const GpuMessages gpus = connect_gpus(ranks, pretended(ranks.rank()));
    EXPECT_EQ(gpus.direct, nullptr);
    EXPECT_EQ(gpus.why_not, "rank 0: GDKM_NCCL_MODULE is empty");
  });
}

TEST(GpuMessages, AModuleThatCannotBeLoadedIsNamed) {
  const NcclModuleNamed named("/nowhere/libgdkm_nccl.so");
  run_as_ranks(2, [](Communicator& ranks) {
    const GpuMessages gpus = connect_gpus(ranks, pretended(ranks.rank()));
    EXPECT_EQ(gpus.direct, nullptr);
    EXPECT_NE(gpus.why_not.find("rank 0: /nowhere/libgdkm_nccl.so"), std::string::npos) << gpus.why_not;
  });
}

}  // namespace
}  // namespace gdkm
