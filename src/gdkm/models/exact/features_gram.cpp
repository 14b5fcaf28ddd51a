#include "gdkm/models/exact/features_gram.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
void check_memory(Index nodes, int matrices, const Backend<double>* device) {
  const double limit = static_cast<double>(device != nullptr ? device->bytes_free() : kernel_memory_limit);
  const double largest = std::floor(std::sqrt(limit / (8.0 * matrices))), n = static_cast<double>(nodes);
  if (n <= largest) return;
  const std::string there = device == nullptr
                                ? ""
                                : ", " + gigabytes(8.0 * matrices * n * n) + " in all, of which " +
                                      gigabytes(limit) + " are free on " + device->description() + ",";
  throw InputError("an exact kernel of " + std::to_string(nodes) + " nodes needs " +
                   std::to_string(matrices) + " n x n matrices" + there + " and at most " +
                   std::to_string(static_cast<Index>(largest)) + " nodes fit; use " + option("landmarks") +
                   " in place of " + option("exact"));
}

/// Adds XXᵀ to k on a device, by strips of columns, of which a sparse X becomes dense there.
void add_gram_on_device(const Features& x, Dense& k) {
  constexpr Index width = 2048;
  const Csr columns = x.is_sparse ? transpose(x.sparse) : Csr{};
  for (Index begin = 0; begin < x.cols; begin += width) {
    Dense strip(x.rows, std::min(width, x.cols - begin));
    if (x.is_sparse) {
      std::vector<std::int32_t> chosen(static_cast<std::size_t>(strip.cols));
      std::iota(chosen.begin(), chosen.end(), static_cast<std::int32_t>(begin));
      strip = multiply(transpose(submatrix(columns, chosen, {})), beside(k, identity(strip.cols)));
    } else {
      for (Index r = 0; r < x.rows; ++r) {
        std::copy_n(x.dense.data() + r * x.cols + begin, strip.cols, strip.row(r));
      }
      strip = beside(k, std::move(strip));
    }
    add_gram(strip, k);
  }
}

/// Adds XXᵀ of a sparse X to k, column by column: a column adds to every pair of its nodes.
void add_sparse_gram(const Csr& x, Dense& k) {
  const Csr columns = transpose(x);
  for (Index r = 0; r < x.rows; ++r) {
    double* row = k.row(r);
    for (Index e = x.row_start[r]; e < x.row_start[r + 1]; ++e) {
      const Index c = x.col[e];
      for (Index f = columns.row_start[c]; f < columns.row_start[c + 1]; ++f) {
        row[columns.col[f]] += x.value[e] * columns.value[f];
      }
    }
  }
}

/// Adds XXᵀ to k by dense products over strips of columns, so that a wide sparse X never becomes dense as a
/// whole.
void add_dense_gram(const Features& x, Dense& k) {
  constexpr Index width = 512;
  const Csr columns = x.is_sparse ? transpose(x.sparse) : Csr{};
  for (Index begin = 0; begin < x.cols; begin += width) {
    Dense strip(x.rows, std::min(width, x.cols - begin));
    for (Index c = 0; c < strip.cols; ++c) {
      if (!x.is_sparse) {
        for (Index r = 0; r < x.rows; ++r) {
          strip(r, c) = static_cast<double>(x.dense[static_cast<std::size_t>(r * x.cols + begin + c)]);
        }
        continue;
      }
      for (Index e = columns.row_start[begin + c]; e < columns.row_start[begin + c + 1]; ++e) {
        strip(columns.col[e], c) = columns.value[e];
      }
    }
    add_gram(strip, k);
  }
}

/// The number of products that add_sparse_gram computes.
double sparse_gram_work(const Csr& x) {
  std::vector<double> count(static_cast<std::size_t>(x.cols));
  for (const auto c : x.col) ++count[c];
  double sum = 0;
  for (const double v : count) sum += v * v;
  return sum;
}
}  // namespace

Dense features_gram(const Features& x, int matrices, Backend<double>* device) {
  check_memory(x.rows, matrices, device);
  Dense k(x.rows, x.rows, device);
  const double dense_work =
      static_cast<double>(x.rows) * static_cast<double>(x.rows) * static_cast<double>(x.cols);
  if (device != nullptr) {
    add_gram_on_device(x, k);
  } else if (x.is_sparse && 16 * sparse_gram_work(x.sparse) < dense_work) {
    add_sparse_gram(x.sparse, k);
  } else {
    add_dense_gram(x, k);
  }
  return k;
}

}  // namespace gdkm
