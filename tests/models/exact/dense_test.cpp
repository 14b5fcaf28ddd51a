#include "gdkm/linalg/dense.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/linalg/dense_factors.hpp"
#include "gdkm/linalg/shifted_solves.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {
namespace {

Dense random_matrix(Index rows, Index cols, std::uint32_t which) {
  Random random(Stream{31, Purpose::generator, which});
  Dense out(rows, cols);
  for (double& v : out.value) v = random.normal();
  return out;
}

Dense plain_product(const Dense& a, const Dense& b) {
  Dense out(a.rows, b.cols);
  for (Index r = 0; r < a.rows; ++r) {
    for (Index c = 0; c < b.cols; ++c) {
      for (Index k = 0; k < a.cols; ++k) out(r, c) += a(r, k) * b(k, c);
    }
  }
  return out;
}

void expect_equal(const Dense& got, const Dense& want, double tolerance = 1e-11) {
  ASSERT_EQ(got.rows, want.rows);
  ASSERT_EQ(got.cols, want.cols);
  for (std::size_t k = 0; k < want.value.size(); ++k) {
    ASSERT_NEAR(got.value[k], want.value[k], tolerance) << "entry " << k;
  }
}

Dense lower_triangle(Dense a) {
  keep_lower(a);
  return a;
}

TEST(Dense, ProductsAreThoseOfPlainLoops) {
  const Dense a = random_matrix(70, 33, 0), b = random_matrix(33, 41, 1), square = random_matrix(33, 33, 2);
  expect_equal(multiply(a, b), plain_product(a, b));
  expect_equal(multiply(transpose(a), b, Op::transpose), plain_product(a, b));
  expect_equal(multiply(a, transpose(b), Op::none, Op::transpose), plain_product(a, b));
  expect_equal(gram(a), plain_product(a, transpose(a)));
  const Dense l = lower_triangle(square);
  expect_equal(lower_times(Op::none, l, b), plain_product(l, b));
  expect_equal(lower_times(Op::transpose, l, b), plain_product(transpose(l), b));
  expect_equal(times_lower(a, Op::none, l), plain_product(a, l));
  expect_equal(times_lower(a, Op::transpose, l), plain_product(a, transpose(l)));
}

TEST(Dense, MixesBothSidesWithAMatrixThatIsNotSymmetric) {
  for (const Index n : {1, 7, 8, 130}) {
    Random random(Stream{32, Purpose::generator, static_cast<std::uint32_t>(n)});
    std::vector<Triplet> entries;
    Dense a(n, n);
    for (std::int32_t r = 0; r < n; ++r) {
      for (int k = 0; k < 3; ++k) {
        const auto c = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(n)));
        const double v = random.normal();
        entries.push_back({r, c, v});
        a(r, c) += v;
      }
    }
    const Csr sparse = csr_from_triplets(n, n, entries);
    const Dense k = gram(random_matrix(n, n, 3));
    const Dense want = plain_product(plain_product(a, k), transpose(a));
    Dense first;
    for (const int threads : {1, 3}) {
      const DenseThreads guard(threads);
      Dense by_matrix = k, by_function = k;
      mix_both_sides(sparse, by_matrix);
      mix_both_sides([&](const Dense& strip) { return multiply(sparse, strip); }, by_function);
      for (const Dense* got : {&by_matrix, &by_function}) {
        expect_equal(*got, want, 1e-9);
        expect_equal(*got, transpose(*got), 0);
      }
      if (threads == 1) first = by_matrix;
      EXPECT_EQ(by_matrix.value, first.value) << "threads change no bit";
    }
  }
}

TEST(Dense, BlocksAreAllThereOnce) {
  for (const int threads : {1, 4}) {
    const DenseThreads guard(threads);
    for (const Index count : {0, 1, 10, 1000}) {
      std::vector<int> seen(static_cast<std::size_t>(count));
      in_blocks(count, 7, [&](Index begin, Index end) {
        EXPECT_LE(end - begin, 7);
        for (Index k = begin; k < end; ++k) ++seen[static_cast<std::size_t>(k)];
      });
      EXPECT_EQ(seen, std::vector<int>(static_cast<std::size_t>(count), 1));
    }
  }
  const DenseThreads guard(3);
  std::vector<int> inner(8);
  in_blocks(8, 1, [&](Index begin, Index) {
    in_blocks(8, 1, [&](Index, Index) { ++inner[static_cast<std::size_t>(begin)]; });
  });
  EXPECT_EQ(inner, std::vector<int>(8, 8)) << "blocks within blocks";
  EXPECT_THROW(in_blocks(100, 1, [](Index, Index) { throw NumericalError("no"); }), NumericalError);
}

TEST(Dense, ThreadsOfOneCallerAreNoneOfAnothers) {
  // Two callers whose guards overlap and end in the order in which they began.
  std::atomic<int> stage{0};
  const auto wait_for = [&](int wanted) {
    while (stage < wanted) std::this_thread::yield();
  };
  const auto sum = [] {
    std::atomic<Index> out{0};
    in_blocks(1000, 1, [&](Index begin, Index) { out += begin; });
    return out.load();
  };
  Index first = 0, second = 0, after = 0;
  std::thread one([&] {
    {
      const DenseThreads guard(2);
      stage = 1;
      wait_for(2);
      first = sum();
    }
    stage = 3;
  });
  std::thread other([&] {
    wait_for(1);
    {
      const DenseThreads guard(2);
      stage = 2;
      wait_for(3);
      second = sum();
    }
    after = sum();
  });
  one.join();
  other.join();
  EXPECT_EQ(first, 499500);
  EXPECT_EQ(second, 499500);
  EXPECT_EQ(after, 499500) << "without threads";
}

TEST(ShiftedSolves, AreThoseOfAFactorisationForEveryShift) {
  for (const Index t : {1, 2, 60}) {
    const Dense k = gram(random_matrix(t, t + 5, 4)), y = random_matrix(t, 3, 5);
    const ShiftedSolves solves(k, y);
    const std::vector<double> shifts{0.01, 1, 1e4};
    const auto got = solves.at(shifts);
    ASSERT_TRUE(got);
    ASSERT_EQ(got->rows, 9);
    for (std::size_t s = 0; s < shifts.size(); ++s) {
      Dense shifted = k;
      add_to_diagonal(shifts[s], shifted);
      const Dense want = cholesky(shifted, 0, "K").solve(y);
      for (Index c = 0; c < 3; ++c) {
        for (Index r = 0; r < t; ++r)
          ASSERT_NEAR((*got)(static_cast<Index>(s) * 3 + c, r), want(r, c), 1e-9) << t << " " << s;
      }
    }
  }
}

TEST(ShiftedSolves, SayWhereAMatrixIsNotPositiveDefinite) {
  Dense k = identity(4);
  k(1, 1) = -3;
  const std::vector<double> small{1}, large{4};
  const ShiftedSolves solves(k, random_matrix(4, 2, 1));
  EXPECT_FALSE(solves.at(small));
  EXPECT_TRUE(solves.at(large));
  k(0, 3) = NAN;
  EXPECT_THROW(ShiftedSolves(k, random_matrix(4, 2, 1)), NumericalError);
}

TEST(DenseFactors, CholeskySolvesInvertsAndMeasures) {
  const Dense k = gram(random_matrix(60, 90, 4)), b = random_matrix(60, 3, 5);
  const Cholesky factor = cholesky(k, 0, "K");
  EXPECT_EQ(factor.jitter, 0);
  expect_equal(gram(factor.factor), k, 1e-9);
  expect_equal(plain_product(k, factor.solve(b)), b, 1e-9);
  expect_equal(plain_product(k, factor.inverse()), identity(60), 1e-9);
  const auto eigen = symmetric_eigen(k);
  double log_det = 0;
  for (const double v : eigen.values) log_det += std::log(v);
  EXPECT_NEAR(factor.log_det(), log_det, 1e-9);
}

TEST(DenseFactors, CholeskyRaisesItsJitterOrSaysWhyNot) {
  Dense flat = gram(random_matrix(80, 3, 8));  // of rank 3: the first attempt fails half-way
  const Cholesky factor = cholesky(flat, 0, "K");
  EXPECT_GT(factor.jitter, 0);
  EXPECT_LT(factor.jitter, 1e-8);
  Dense want = flat;
  add_to_diagonal(factor.jitter, want);
  expect_equal(gram(factor.factor), want, 1e-10);

  Dense negative = identity(3);
  negative(2, 2) = -5;
  EXPECT_THROW(cholesky(negative, 0, "K"), NumericalError);
  flat(3, 4) = NAN;
  EXPECT_THROW(cholesky(flat, 0, "K"), NumericalError);
}

TEST(DenseFactors, EigenvectorsAndSingularVectorsAreRows) {
  const Dense a = random_matrix(40, 40, 6), k = gram(a);
  const auto eigen = symmetric_eigen(k);
  const auto singular = right_singular(transpose(a));  // (Aᵀ)ᵀ(Aᵀ) = A Aᵀ = K
  Dense by_eigen = eigen.vectors, by_singular = singular.right;
  for (Index r = 0; r < 40; ++r) {
    for (Index c = 0; c < 40; ++c) {
      by_eigen(r, c) *= eigen.values[r];
      by_singular(r, c) *= singular.values[r] * singular.values[r];
    }
  }
  expect_equal(multiply(eigen.vectors, by_eigen, Op::transpose), k, 1e-9);
  expect_equal(multiply(singular.right, by_singular, Op::transpose), k, 1e-9);
  EXPECT_NEAR(singular.values.front(), std::sqrt(eigen.values.back()), 1e-9);
}

TEST(DenseFactors, ThreadsLastAsLongAsTheirGuard) {
  const int before = blas::threads();
  const Dense a = random_matrix(300, 300, 7);
  {
    const blas::Threads outer(1);
    EXPECT_EQ(blas::threads(), 1);
    const Dense alone = gram(a);
    {
      const blas::Threads inner(2);
      if (blas::threads() != 2) GTEST_SKIP() << "the linked BLAS has one thread";
      expect_equal(gram(a), alone, 1e-10);
    }
    EXPECT_EQ(blas::threads(), 1);
    expect_equal(gram(a), alone, 0);
  }
  EXPECT_EQ(blas::threads(), before);
}

}  // namespace
}  // namespace gdkm
