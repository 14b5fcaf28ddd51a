#include "gdkm/training/cka.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "gdkm/support/random.hpp"

namespace gdkm {
namespace {

using Numbers = std::vector<double>;
using Rows = std::vector<std::int32_t>;

Numbers random_numbers(Index count, std::uint64_t seed, double shift = 0) {
  Random random({seed, Purpose::generator, 0});
  Numbers out(count);
  for (double& value : out) value = random.normal() + shift;
  return out;
}

Numbers gram(const Numbers& f, Index n, Index width) {
  Numbers out(n * n);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      for (Index c = 0; c < width; ++c) out[i * n + j] += f[i * width + c] * f[j * width + c];
    }
  }
  return out;
}

Numbers one_hot(const Rows& labels, int classes) {
  Numbers out(labels.size() * classes);
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (labels[r] >= 0) out[r * classes + labels[r]] = 1;
  }
  return out;
}

Numbers multiply(const Numbers& a, const Numbers& b, Index n) {
  Numbers out(n * n);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < n; ++k) {
      for (Index j = 0; j < n; ++j) out[i * n + j] += a[i * n + k] * b[k * n + j];
    }
  }
  return out;
}

/// C K C with the centring matrix written out, then traces of matrix products.
double brute_force(const Numbers& k1, const Numbers& k2, Index n, const Rows& rows) {
  const auto r = static_cast<Index>(rows.size());
  Numbers centring(r * r, -1.0 / static_cast<double>(r));
  for (Index i = 0; i < r; ++i) centring[i * r + i] += 1;
  const auto centred = [&](const Numbers& k) {
    Numbers part(r * r);
    for (Index i = 0; i < r; ++i) {
      for (Index j = 0; j < r; ++j) part[i * r + j] = k[rows[i] * n + rows[j]];
    }
    return multiply(multiply(centring, part, r), centring, r);
  };
  const auto trace = [&](const Numbers& a, const Numbers& b) {
    const Numbers product = multiply(a, b, r);
    double sum = 0;
    for (Index i = 0; i < r; ++i) sum += product[i * r + i];
    return sum;
  };
  const Numbers a = centred(k1), b = centred(k2);
  return trace(a, b) / std::sqrt(trace(a, a) * trace(b, b));
}

Rows all_rows(Index n) {
  Rows rows(n);
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

TEST(Cka, AgreesWithDoubleCentringWrittenOut) {
  const Index n = 23;
  const Numbers a = gram(random_numbers(n * 5, 1, 2.0), n, 5), b = gram(random_numbers(n * 3, 2), n, 3);
  for (const Rows& rows : {all_rows(n), Rows{20, 3, 7, 1, 11, 12}, Rows{4, 9}}) {
    EXPECT_NEAR(cka(a, b, n, rows), brute_force(a, b, n, rows), 1e-12);
  }
}

TEST(Cka, IsOneForAKernelWithItselfScaledAndShifted) {
  const Index n = 15;
  const Numbers a = gram(random_numbers(n * 4, 3), n, 4);
  Numbers b = a;
  for (double& value : b) value = 7 * value + 3;
  EXPECT_NEAR(cka(a, b, n, all_rows(n)), 1, 1e-12);
}

TEST(Cka, IsZeroForAConstantKernel) {
  const Index n = 11;
  const Numbers a = gram(random_numbers(n * 4, 4), n, 4), constant(n * n, 0.1);
  EXPECT_EQ(cka(a, constant, n, all_rows(n)), 0);
  EXPECT_EQ(cka(constant, a, n, all_rows(n)), 0);
  EXPECT_EQ(cka(a, a, n, Rows{5}), 0);
  EXPECT_EQ(cka(a, a, n, {}), 0);
}

TEST(CkaWithLabels, AgreesWithTheKernelsFormed) {
  const int classes = 4;
  const Index n = 70;
  Random random({5, Purpose::generator, 0});
  Rows labels(n), rows, labelled;
  for (auto& label : labels) label = static_cast<std::int32_t>(random.below(classes + 1)) - 1;
  for (Index r = 0; r < n; r += r % 3 == 0 ? 1 : 2) {
    rows.push_back(static_cast<std::int32_t>(n - 1 - r));
    if (labels[rows.back()] >= 0) labelled.push_back(rows.back());
  }
  ASSERT_LT(labelled.size(), rows.size());
  const Numbers y = gram(one_hot(labels, classes), n, classes);
  for (const Index width : {1, 3, 33, 40, 150}) {  // narrower and wider than the rows are many
    const Numbers f = random_numbers(n * width, 6, 1.0);
    const double got = cka_with_labels(f, width, labels, classes, rows);
    EXPECT_NEAR(got, brute_force(gram(f, n, width), y, n, labelled), 1e-11) << width;
    EXPECT_GT(got, 0);
    EXPECT_LT(got, 1);
  }
}

TEST(CkaWithLabels, IsOneForTheLabelsThemselves) {
  const Rows labels{0, 1, 2, 2, 1, 0, 0};
  EXPECT_NEAR(cka_with_labels(one_hot(labels, 3), 3, labels, 3, all_rows(7)), 1, 1e-14);
}

TEST(CkaWithLabels, IsZeroWhereNothingVaries) {
  const Index n = 9;
  const Rows labels{0, 1, 0, 1, 0, 1, 0, 1, 0};
  EXPECT_EQ(cka_with_labels(Numbers(n * 2, 0.1), 2, labels, 2, all_rows(n)), 0);
  EXPECT_EQ(cka_with_labels(random_numbers(n * 2, 7), 2, Rows(n, 1), 2, all_rows(n)), 0);
  EXPECT_EQ(cka_with_labels(random_numbers(n * 2, 7), 2, Rows(n, -1), 2, all_rows(n)), 0);
  EXPECT_EQ(cka_with_labels(random_numbers(n * 2, 7), 2, labels, 2, {}), 0);
}

}  // namespace
}  // namespace gdkm
