#include "gdkm/linalg/cpu/panels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "gdkm/linalg/cpu/cache_aligned.hpp"
#include "gdkm/linalg/cpu/tile.hpp"

namespace gdkm {
namespace {

bool is_in(Region part, Index r, Index c) {
  return part == Region::all || (part == Region::lower ? c <= r : c >= r);
}

/// A matrix of op(A)'s part; outside there is `outside`.
template <class T>
struct Operand {
  Op op;
  Region part;
  Index rows, cols;  // of op(A)
  std::vector<T> stored;

  Operand(Op op_, Region part_, Index rows_, Index cols_, T outside, std::mt19937& random)
      : op(op_), part(part_), rows(rows_), cols(cols_), stored(static_cast<std::size_t>(rows_ * cols_)) {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < cols; ++c)
        entry(r, c) = is_in(part, r, c) ? static_cast<T>(uniform(random)) : outside;
    }
  }
  T& entry(Index r, Index c) {
    return stored[static_cast<std::size_t>(op == Op::none ? r * cols + c : c * rows + r)];
  }
  double value(Index r, Index c) { return is_in(part, r, c) ? static_cast<double>(entry(r, c)) : 0.0; }
  Factor<T> factor() const {
    return {
        op,
        op == Op::none ? ConstView<T>(stored.data(), rows, cols) : ConstView<T>(stored.data(), cols, rows),
        part};
  }
};

template <class T>
constexpr double tolerance = std::is_same_v<T, float> ? 2e-7 : 4e-16;

template <class T>
void expect_product(Index rows, Index inner, Index cols, Op op_a, Op op_b, Region part_a, Region part_b,
                    Region wanted, T beta) {
  std::mt19937 random(7);
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  Operand<T> a(op_a, part_a, rows, inner, T(0), random), b(op_b, part_b, inner, cols, nan, random);
  // One column more than C has, which nothing may touch. With β = 0 the old C is not read.
  const Index stride = cols + 1;
  std::vector<T> c(static_cast<std::size_t>(rows * stride), beta == T(0) ? nan : T(2));
  for (Index r = 0; r < rows; ++r) c[static_cast<std::size_t>(r * stride + cols)] = T(-5);
  // Behind the memory lie numbers that nothing may touch. What is not copied must not be read.
  constexpr Index behind = 4096;
  CacheAligned<T> memory(static_cast<std::size_t>(panels::chunk + behind), nan);
  std::fill_n(memory.data() + panels::chunk, behind, T(-7));
  const T alpha = T(0.5);
  panels::product<T>(alpha, a.factor(), b.factor(), beta, View<T>(c.data(), rows, cols, stride), wanted, 0, 0,
                     memory.data());
  ASSERT_EQ(std::count(memory.data() + panels::chunk, memory.data() + panels::chunk + behind, T(-7)), behind)
      << rows << "x" << inner << "x" << cols;
  for (Index r = 0; r < rows; ++r) {
    for (Index j = 0; j < cols; ++j) {
      if (!is_in(wanted, r, j)) continue;
      double sum = 0;
      for (Index k = 0; k < inner; ++k) {
        if (is_in(part_b, k, j)) sum += a.value(r, k) * b.value(k, j);
      }
      const double want = 0.5 * sum + (beta == T(0) ? 0.0 : 2.0 * static_cast<double>(beta));
      ASSERT_NEAR(static_cast<double>(c[static_cast<std::size_t>(r * stride + j)]), want,
                  tolerance<T> * (8 + static_cast<double>(inner)))
          << rows << "x" << inner << "x" << cols << " at " << r << ", " << j;
    }
    ASSERT_EQ(c[static_cast<std::size_t>(r * stride + cols)], T(-5));
  }
}

template <class T>
void expect_products(Region part_a, Region part_b, Region wanted) {
  for (const Op op_a : {Op::none, Op::transpose}) {
    for (const Op op_b : {Op::none, Op::transpose}) {
      for (const T beta : {T(0), T(1), T(3)}) {
        for (const Index size : {1, 7, 48, 61})
          expect_product<T>(size, size, size, op_a, op_b, part_a, part_b, wanted, beta);
      }
    }
    // More terms than are added up at once.
    expect_product<T>(230, 230, 230, op_a, op_a, part_a, part_b, wanted, T(3));
  }
}

TEST(Panels, ProductsAgreeWithTheDefinitionForAnySize) {
  for (const Op op_a : {Op::none, Op::transpose}) {
    for (const Op op_b : {Op::none, Op::transpose}) {
      for (const auto& [rows, inner, cols] : std::vector<std::array<Index, 3>>{{1, 1, 1},
                                                                               {8, 5, 48},
                                                                               {13, 0, 17},
                                                                               {3, 700, 16},
                                                                               {17, 3, 1000},
                                                                               {700, 530, 33},
                                                                               {5, 900, 601}}) {
        expect_product<float>(rows, inner, cols, op_a, op_b, Region::all, Region::all, Region::all, 1.0f);
        expect_product<double>(rows, inner, cols, op_a, op_b, Region::all, Region::all, Region::all, 0.0);
      }
    }
  }
}

/// So many terms that they are cut into steps, none of which may be longer than the memory.
template <class T>
void expect_long_products() {
  for (const Index cols : {100, 200, 300, 400}) {
    for (const Index inner : {1966, 3018, 4411, 5003})
      expect_product<T>(2, inner, cols, Op::none, Op::none, Region::all, Region::all, Region::all, T(1));
  }
}

TEST(Panels, LongSumsStayWithinTheMemory) {
  expect_long_products<float>();
  expect_long_products<double>();
}

TEST(Panels, AProductWithoutColumnsIsNothing) {
  const View<float> none(nullptr, 3, 0);
  const Factor<float> a{Op::none, ConstView<float>(nullptr, 3, 0), Region::all},
      b{Op::none, ConstView<float>(nullptr, 0, 0), Region::all};
  panels::product<float>(1, a, b, 0, none, Region::all, 0, 0, nullptr);
}

TEST(Panels, TriangularFactorsAreReadInTheirPartOnly) {
  for (const Region a : {Region::all, Region::lower, Region::upper}) {
    for (const Region b : {Region::all, Region::lower, Region::upper})
      expect_products<float>(a, b, Region::all);
  }
  expect_products<double>(Region::upper, Region::lower, Region::all);
}

TEST(Panels, OneTriangleOfAProductIsWhatTheWholeOneHas) {
  expect_products<float>(Region::all, Region::all, Region::lower);
  expect_products<float>(Region::upper, Region::lower, Region::lower);
  expect_products<double>(Region::all, Region::all, Region::upper);
}

TEST(Panels, BlocksOfAProductAreTheProduct) {
  std::mt19937 random(3);
  const Index n = 150;
  const Operand<float> a(Op::transpose, Region::upper, n, n, 0.0f, random),
      b(Op::none, Region::lower, n, n, 0.0f, random);
  CacheAligned<float> memory(static_cast<std::size_t>(panels::chunk));
  std::vector<float> whole(static_cast<std::size_t>(n * n)), cut = whole;
  const View<float> c(cut.data(), n, n);
  panels::product<float>(1, a.factor(), b.factor(), 0, {whole.data(), n, n}, Region::all, 0, 0,
                         memory.data());
  for (const auto& [begin, end] : {std::pair<Index, Index>{0, 64}, {64, 112}, {112, n}})
    panels::product<float>(1, a.factor(), b.factor(), 0, c.block_cols(begin, end - begin), Region::all, 0,
                           begin, memory.data());
  EXPECT_EQ(cut, whole);
}

template <class T>
void expect_tiles() {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const panels::Kernel<T>& kernel : panels::kernels<T>()) {
    for (const Op op : {Op::none, Op::transpose}) {
      for (Index rows = kernel.rows; rows > 0; rows /= 2) {
        for (Index cols = 1; cols <= panels::vectors * kernel.lanes; ++cols) {
          const Index terms = 9, width = (cols + kernel.lanes - 1) / kernel.lanes * kernel.lanes;
          std::vector<T> left(static_cast<std::size_t>(rows * terms)),
              out(static_cast<std::size_t>(rows * cols), T(1));
          CacheAligned<T> right(static_cast<std::size_t>(terms * width));
          for (T& x : left) x = static_cast<T>(uniform(random));
          for (T& x : right) x = static_cast<T>(uniform(random));
          kernel.run({T(2), T(3), terms, left.data(), op == Op::none ? terms : rows, right.data(), out.data(),
                      cols, cols},
                     op, rows);
          for (Index r = 0; r < rows; ++r) {
            for (Index j = 0; j < cols; ++j) {
              double sum = 0;
              for (Index k = 0; k < terms; ++k)
                sum += static_cast<double>(
                           left[static_cast<std::size_t>(op == Op::none ? r * terms + k : k * rows + r)]) *
                       static_cast<double>(right[static_cast<std::size_t>(k * width + j)]);
              ASSERT_NEAR(static_cast<double>(out[static_cast<std::size_t>(r * cols + j)]), 2 * sum + 3,
                          30 * tolerance<T>)
                  << kernel.lanes << " lanes, " << rows << " rows, " << cols << " columns";
            }
          }
        }
      }
    }
  }
}

/// Row r of the source is stride numbers behind row r − 1; its entry c is 1000 r + c.
template <class T>
void expect_copies(const panels::Kernel<T>& kernel) {
  const Index lanes = kernel.lanes, width = panels::vectors * lanes, terms = 2 * lanes, stride = width + 5;
  std::vector<T> from(static_cast<std::size_t>(stride * std::max(lanes, terms)));
  for (std::size_t k = 0; k < from.size(); ++k) {
    const auto at = static_cast<Index>(k);
    from[k] = static_cast<T>(1000 * (at / stride) + at % stride);
  }
  std::vector<T> to(static_cast<std::size_t>(width * terms + 1), T(-1));
  kernel.copy(from.data(), stride, terms, to.data());
  for (Index k = 0; k < width * terms; ++k)
    ASSERT_EQ(to[static_cast<std::size_t>(k)], static_cast<T>(1000 * (k / width) + k % width)) << lanes;
  EXPECT_EQ(to.back(), T(-1));

  std::fill(to.begin(), to.end(), T(-1));
  kernel.copy_transposed(from.data(), stride, terms, to.data(), width);
  for (Index k = 0; k < width * terms; ++k) {
    const Index term = k / width, col = k % width;
    ASSERT_EQ(to[static_cast<std::size_t>(k)], col < lanes ? static_cast<T>(1000 * col + term) : T(-1))
        << lanes;
  }
}

TEST(Panels, EveryInstructionSetCopiesRowsAndTransposes) {
  for (const auto& kernel : panels::kernels<float>()) expect_copies(kernel);
  for (const auto& kernel : panels::kernels<double>()) expect_copies(kernel);
}

TEST(Panels, TilesOfEveryInstructionSetAgreeWithTheDefinition) {
  expect_tiles<float>();
  expect_tiles<double>();
}

}  // namespace
}  // namespace gdkm
