// A sum over nodes cannot be forgotten: primitives refuse what would leave out other ranks' terms.
#include <gtest/gtest.h>

#include "gdkm/layers/sum_over_nodes.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/distributed/distributed_backend.hpp"
#include "gdkm/ranks/thread_ranks.hpp"

namespace gdkm {
namespace {

struct World {
  DistributedBackend<double> backend;
  Matrix<double> nodes, shared, row, value;

  explicit World(Communicator& ranks)
      : backend(std::make_unique<CpuBackend<double>>(1),
                std::shared_ptr<Communicator>(std::shared_ptr<void>(), &ranks)),
        nodes(backend, 4, 3, Space::nodes),
        shared(backend, 3, 3),
        row(backend, 1, 3),
        value(backend, 1, 1) {
    backend.fill(nodes, 1.0 + ranks.rank());
    for (const auto& matrix : {shared, row, value}) backend.fill(matrix, 0.0);
  }
};

void alone(const std::function<void(World&)>& work) {
  run_as_ranks(1, [&](Communicator& ranks) {
    World world(ranks);
    work(world);
  });
}

TEST(Spaces, AProductOverNodesIsAddedUp) {
  run_as_ranks(3, [](Communicator& ranks) {
    World w(ranks);
    w.backend.gemm(1.0, Op::transpose, w.nodes, Op::none, w.nodes, 0.0, w.shared);
    EXPECT_EQ(w.shared.to_host(), std::vector<double>(9, 4.0 * (1 + 4 + 9)));
    w.backend.column_sums(1.0, w.nodes, 0.0, w.row);
    EXPECT_EQ(w.row.to_host(), std::vector<double>(3, 4.0 * 6));
    w.backend.dot(0.5, w.nodes, w.nodes, 1.0, w.value);
    EXPECT_EQ(w.value.to_host()[0], 0.5 * 12 * 14);
  });
}

TEST(Spaces, SumsOverNodesAreAddedUpAtTheirEnd) {
  run_as_ranks(3, [](Communicator& ranks) {
    World w(ranks);
    sum_over_nodes<double>(w.backend, {w.row.view(), w.value.view()}, [&](auto row, auto value) {
      for (int block = 0; block < ranks.rank(); ++block) {  // ranks have different numbers of blocks
        w.backend.column_sums(1.0, w.nodes, 1.0, row);
        w.backend.dot(1.0, w.nodes, w.nodes, 1.0, value);
      }
    });
    EXPECT_EQ(w.row.to_host(), std::vector<double>(3, 4.0 * (2 + 2 * 3)));
    EXPECT_EQ(w.value.to_host()[0], 12 * (4 + 2 * 9));
  });
}

TEST(Spaces, NodesAndSharedMatricesDoNotMix) {
  alone([](World& w) {
    const Matrix<double> same_shape(w.backend, 4, 3);
    EXPECT_THROW(w.backend.add(1.0, w.nodes, 1.0, same_shape), std::logic_error);
    EXPECT_THROW(w.backend.gemm(1.0, Op::transpose, w.nodes, Op::none, same_shape, 0.0, w.shared),
                 std::logic_error);
    EXPECT_THROW(w.backend.gemm(1.0, Op::none, w.nodes, Op::none, w.shared, 0.0, same_shape),
                 std::logic_error);
    EXPECT_THROW(w.backend.gram(w.nodes, w.shared), std::logic_error);
    EXPECT_THROW(w.backend.cholesky_of_gram(w.nodes, 0.0, w.shared, w.shared, w.value), std::logic_error);
  });
}

TEST(Spaces, TermsAreNotTakenForTheirSum) {
  alone([](World& w) {
    const View<double> terms = w.row.view().in(Space::terms);
    EXPECT_THROW(w.backend.add(1.0, terms, 1.0, w.row), std::logic_error);
    EXPECT_THROW(w.backend.add_row(1.0, terms, w.nodes), std::logic_error);
    EXPECT_THROW(w.backend.add(1.0, w.row, 1.0, terms), std::logic_error);  // would count once for each rank
  });
}

TEST(Spaces, WithinASumNothingNeedsAllRanks) {
  alone([](World& w) {
    EXPECT_THROW(
        sum_over_nodes<double>(
            w.backend, {w.value.view()},
            [&](auto) { w.backend.gemm(1.0, Op::transpose, w.nodes, Op::none, w.nodes, 0.0, w.shared); }),
        std::logic_error);
  });
}

TEST(Spaces, ASparseProductBetweenNodesNeedsAHalo) {
  alone([](World& w) {
    const Sparse<double> a(w.backend, csr_from_triplets(4, 4, {{0, 1, 1.0}}));
    const Matrix<double> out(w.backend, 4, 3, Space::nodes);
    EXPECT_THROW(w.backend.spmm(1.0, Op::none, a, w.nodes, 0.0, out), std::logic_error);
  });
}

}  // namespace
}  // namespace gdkm
