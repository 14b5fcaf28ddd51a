#include "gdkm/graph/distribute.hpp"

#include <gtest/gtest.h>

#include <set>

#include "gdkm/graph/partition.hpp"
#include "gdkm/linalg/cpu/cpu_backend.hpp"
#include "gdkm/linalg/distributed/distributed_backend.hpp"
#include "gdkm/ranks/thread_ranks.hpp"
#include "gdkm/training/own_items.hpp"
#include "tests/ranks/shared_problem.hpp"

namespace gdkm {
namespace {

/// A backend of this rank.
DistributedBackend<double> backend_of(Communicator& ranks) {
  return {std::make_unique<CpuBackend<double>>(1),
          std::shared_ptr<Communicator>(std::shared_ptr<void>(), &ranks)};
}

/// Some rows of a matrix with any numbers.
std::vector<double> rows_of(const std::vector<std::int32_t>& nodes, Index cols) {
  std::vector<double> out;
  for (const auto node : nodes) {
    for (Index c = 0; c < cols; ++c) out.push_back(std::sin(1.0 + static_cast<double>(node * cols + c)));
  }
  return out;
}

/// op(A) B on one process.
std::vector<double> product(const Csr& a, Op op, const std::vector<double>& b, Index cols) {
  CpuBackend<double> backend(1);
  const Matrix<double> in(backend, a.rows, cols, b), out(backend, a.rows, cols);
  backend.spmm(1.0, op, Sparse<double>(backend, a), in, 0.0, out);
  return out.to_host();
}

TEST(Distribute, ProductsOfRanksAreThoseOfTheWholeMatrix) {
  testing::SharedProblem data;
  data.relations = parse_relations("in,out:row");
  const Problem problem = data.make();
  const Csr& a = problem.relations.first();
  std::vector<std::int32_t> all(static_cast<std::size_t>(a.rows));
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = static_cast<std::int32_t>(k);
  constexpr Index cols = 5;
  const auto b = rows_of(all, cols);
  for (const Op op : {Op::none, Op::transpose}) {
    const auto expected = product(a, op, b, cols);
    for (const int count : {1, 2, 3, 7}) {
      const auto owner = data.owners(count);
      run_as_ranks(count, [&](Communicator& ranks) {
        auto backend = backend_of(ranks);
        const auto own = nodes_of(owner, ranks.rank());
        const auto rows = static_cast<Index>(own.size());
        const Sparse<double> mine(backend, distribute(a, {&owner, &ranks}));
        const Matrix<double> in(backend, rows, cols, rows_of(own, cols), Space::nodes),
            out(backend, rows, cols, rows_of(own, cols), Space::nodes);
        backend.spmm(2.0, op, mine, in, 0.5, out);
        const auto got = out.to_host();
        for (std::size_t k = 0; k < own.size(); ++k) {
          for (Index c = 0; c < cols; ++c) {
            const auto at = static_cast<std::size_t>(own[k] * cols + c);
            EXPECT_NEAR(got[k * cols + static_cast<std::size_t>(c)], 2 * expected[at] + 0.5 * b[at], 1e-13);
          }
        }
      });
    }
  }
}

/// Counted from the edges, without the lists: every rank sends a row once to every other rank with a
/// neighbour of the node.
std::int64_t rows_to_send(const Csr& a, const std::vector<std::int32_t>& owner, int rank) {
  std::set<std::pair<std::int32_t, std::int32_t>> sent;  // node, to whom
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) {
      const auto col = a.col[k];
      if (owner[static_cast<std::size_t>(col)] == rank && owner[static_cast<std::size_t>(r)] != rank)
        sent.emplace(col, owner[static_cast<std::size_t>(r)]);
    }
  }
  return static_cast<std::int64_t>(sent.size());
}

TEST(Distribute, AProductSendsTheRowsThatOthersNeedAndNoMore) {
  const testing::SharedProblem data;
  const Problem problem = data.make();
  const Csr& a = problem.relations.first();
  constexpr Index cols = 3;
  for (int count = 1; count <= 8; ++count) {
    const auto owner = partition_graph(problem.relations, count, 0);
    std::vector<std::int64_t> sent(static_cast<std::size_t>(count));
    run_as_ranks(count, [&](Communicator& ranks) {
      auto backend = backend_of(ranks);
      const auto own = nodes_of(owner, ranks.rank());
      const DistributedCsr part = distribute(a, {&owner, &ranks});
      const Sparse<double> mine(backend, part);
      const Matrix<double> in(backend, static_cast<Index>(own.size()), cols, rows_of(own, cols),
                              Space::nodes),
          out(backend, static_cast<Index>(own.size()), cols, Space::nodes);
      const std::int64_t before = ranks.traffic().sent_bytes;
      backend.spmm(1.0, Op::none, mine, in, 0.0, out);
      const std::int64_t bytes = ranks.traffic().sent_bytes - before;
      EXPECT_EQ(static_cast<std::int64_t>(part.halo.send.size()), rows_to_send(a, owner, ranks.rank()));
      EXPECT_EQ(bytes, static_cast<std::int64_t>(part.halo.send.size() * cols * sizeof(double)));
    });
  }
}

TEST(PartitionGraph, BalancesNodesEntriesAndLabels) {
  testing::SharedProblem data;
  data.nodes = 600;
  const Problem problem = data.make();
  std::vector<std::int32_t> one(600, 1), label;
  for (int k = 0; k < 600; ++k) label.push_back(k < 200 ? 1 : 0);
  const auto owner = partition_graph(problem.relations, 4, 0, {one, label});
  std::vector<int> nodes(4, 0), labels(4, 0);
  for (std::size_t k = 0; k < owner.size(); ++k) {
    ++nodes[static_cast<std::size_t>(owner[k])];
    labels[static_cast<std::size_t>(owner[k])] += label[k];
  }
  for (int part = 0; part < 4; ++part) {
    EXPECT_NEAR(nodes[static_cast<std::size_t>(part)], 150, 20);
    EXPECT_NEAR(labels[static_cast<std::size_t>(part)], 50, 12);
  }
}

TEST(OwnersOfNodes, AGraphThatMetisCannotCountIsStreamed) {
  testing::SharedProblem data;
  data.nodes = 600;
  const Problem problem = data.make();
  const auto train = data.split().train;
  const auto by_metis = owners_of_nodes(problem.relations, train, 4);
  const auto streamed = owners_of_nodes(problem.relations, train, 4, 100);
  EXPECT_NE(streamed, by_metis);
  std::vector<int> nodes(4, 0);
  for (const auto rank : streamed) ++nodes[static_cast<std::size_t>(rank)];
  for (const int each : nodes) EXPECT_NEAR(each, 150, 6);
}

TEST(PartitionGraph, MorePartsThanNodesLeavesSomeEmpty) {
  const Relations relations(csr_from_triplets(3, 3, {{0, 1, 1.0}, {1, 0, 1.0}}));
  EXPECT_EQ(partition_graph(relations, 7, 0), (std::vector<std::int32_t>{0, 1, 2}));
}

}  // namespace
}  // namespace gdkm
