#include "tests/linalg/backend_cases.hpp"

namespace gdkm::testing {
namespace {

/// Rows of very different lengths: every third is empty, most are short, every `hub`-th has entries in most
/// columns.
Csr skewed(Index rows, Index cols, Index hub) {
  Random random(Stream{40, Purpose::generator, 0});
  Csr a;
  a.rows = rows;
  a.cols = cols;
  for (Index r = 0; r < rows; ++r) {
    const double share =
        hub > 0 && r % hub == hub / 2 ? 0.9 : (r % 3 == 0 ? 0.0 : 6.0 / static_cast<double>(cols));
    for (Index c = 0; c < cols && share > 0; ++c) {
      if (random.uniform() >= share) continue;
      a.col.push_back(static_cast<std::int32_t>(c));
      a.value.push_back(static_cast<float>(random.normal()));
    }
    a.row_start.push_back(a.nonzeros());
  }
  return a;
}

/// `count` random entries in the first `used` rows.
Csr scattered(Index rows, Index used, Index cols, int count) {
  Random random(Stream{5, Purpose::initial, 0});
  std::vector<Triplet> entries;
  for (int k = 0; k < count; ++k) {
    const auto r = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(used)));
    entries.push_back({r, static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(cols))),
                       static_cast<float>(random.normal())});
  }
  return csr_from_triplets(rows, cols, entries);
}

/// `terms`: about how many numbers are added up; rounding errors grow with their root.
template <class T>
void spmm(Trial<T>& t, const Csr& csr, Index cols, Op op, double alpha, double beta, double terms) {
  const Index rows = op == Op::none ? csr.rows : csr.cols, inner = op == Op::none ? csr.cols : csr.rows;
  Csr rounded = csr;
  for (double& x : rounded.value) x = static_cast<float>(x);
  const Sparse<T> a(t.backend, rounded);
  const auto b = t.random(inner, cols), c = t.old(beta, rows, cols);
  const double entries = static_cast<double>(csr.nonzeros()) * static_cast<double>(cols);
  t.call("spmm", {2 * entries, entries}, [&] { t.backend.spmm(T(alpha), op, a, b, T(beta), c); });
  t.output("C", c, 5e-7 * std::sqrt(terms));
}

}  // namespace

void add_sparse_cases(Cases& cases) {
  int turn = 0;
  const auto add = [&](const std::string& what, const std::vector<Index>& shape, Op op, double work,
                       double terms, const std::function<Csr()>& make) {
    const double factors[][2] = {{1, 0}, {-0.5, 1}, {2, 0.25}};
    const auto [alpha, beta] = factors[turn++ % 3];
    cases.add("spmm", shape, what + (op == Op::none ? "" : ", transposed"), work,
              [=, cols = shape[2], alpha = alpha, beta = beta](auto& t) {
                spmm(t, make(), cols, op, alpha, beta, terms);
              });
  };
  for (const Op op : {Op::none, Op::transpose}) {
    for (const Index cols : {1, 2, 3, 7, 8, 9, 32, 33, 50, 64, 68, 128, 129, 200, 400, 513}) {
      add("rows of all lengths", {200, 331, cols}, op, 1e6, 100, [] { return skewed(200, 331, 50); });
    }
    for (const Index cols : {1, 7, 24, 33, 50, 200}) {
      add("long rows", {500, 2500, cols}, op, 1e6, 1000, [] { return skewed(500, 2500, 100); });
    }
    for (const Index cols : {1, 7, 200}) {
      add("no entries", {9, 4, cols}, op, 100, 1, [] { return csr_from_triplets(9, 4, {}); });
      add("one entry", {1, 1, cols}, op, 100, 1, [] { return csr_from_triplets(1, 1, {{0, 0, 0.5}}); });
    }
    add("empty rows at the end", {301, 57, 70}, op, 1e6, 100, [] { return scattered(301, 100, 57, 900); });
    add("many rows", {3000, 2000, 100}, op, 1e6, 1000, [] { return skewed(3000, 2000, 500); });
    // On the CPU, so many rows of B that they are taken in blocks (see backend_test.cpp).
    add("in blocks", {40, 30000, 70}, op, 1e6, 100, [] { return scattered(40, 30, 30000, 4000); });
  }
  // On a GPU, so many rows of B that only some columns fit into the cache: three ways of cutting them, and
  // one where C goes past it.
  for (const auto& [inner, cols] :
       {std::pair<Index, Index>{60000, 136}, {120000, 72}, {160000, 64}, {240000, 40}}) {
    turn = 0;
    add("by columns", {60, inner, cols}, Op::none, 1e9, static_cast<double>(inner),
        [inner = inner] { return skewed(60, inner, 30); });
  }

  for (const auto& [n, m] : step_shapes) {
    const auto make = [n = n] { return scattered(n, n, n, 5 * static_cast<int>(n)); };
    cases.add(
        "spmm", {n, n, m}, "", 0, [=, m = m](auto& t) { spmm(t, make(), m, Op::none, 1, 0, 1); }, true);
  }
}

}  // namespace gdkm::testing
