#include "gdkm/linalg/dense.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/linalg/device_dense.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace gdkm {

namespace {
constexpr Index rows_at_once = 64;

/// Large matrices are on huge pages: they are zeroed and read in less time.
std::vector<double> zeros(Index rows, Index cols) {
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols);
  std::vector<double> out;
  out.reserve(count);
#ifdef MADV_HUGEPAGE
  constexpr std::size_t page = 4096, least = std::size_t{1} << 24;
  if (count * sizeof(double) >= least) {
    const auto begin = (reinterpret_cast<std::uintptr_t>(out.data()) + page - 1) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(out.data() + count) / page * page;
    madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  }
#endif
  out.resize(count);
  return out;
}
}  // namespace

Dense::Dense(Index rows_, Index cols_) : rows(rows_), cols(cols_), value(zeros(rows_, cols_)) {}

Dense::Dense(Index rows_, Index cols_, std::vector<double> value_)
    : rows(rows_), cols(cols_), value(std::move(value_)) {
  assert(static_cast<Index>(value.size()) == rows * cols);
}

Dense::Dense(Index rows_, Index cols_, Backend<double>* device) : rows(rows_), cols(cols_) {
  if (device != nullptr) {
    numbers_ = DeviceNumbers(*device, rows, cols);
  } else {
    value = zeros(rows, cols);
  }
}

Dense to_host(Dense a) {
  if (a.device() == nullptr) return a;
  Dense out(a.rows, a.cols);
  if (!a.empty()) a.device()->download(a.view().data, out.value.data(), out.value.size() * sizeof(double));
  return out;
}

Dense beside(const Dense& b, Dense a) {
  if (a.device() == b.device()) return a;
  if (b.device() == nullptr) return to_host(std::move(a));
  assert(a.device() == nullptr);
  Dense out(a.rows, a.cols, b.device());
  if (!a.empty()) b.device()->upload(a.value.data(), out.view().data, a.value.size() * sizeof(double));
  return out;
}

Dense identity(Index n) {
  Dense out(n, n);
  add_to_diagonal(1, out);
  return out;
}

Dense multiply(const Dense& a, const Dense& b, Op op_a, Op op_b) {
  if (a.device() != nullptr) return on_device::multiply(a, b, op_a, op_b);
  assert((op_a == Op::none ? a.cols : a.rows) == (op_b == Op::none ? b.rows : b.cols));
  Dense out(op_a == Op::none ? a.rows : a.cols, op_b == Op::none ? b.cols : b.rows);
  const Index inner = op_a == Op::none ? a.cols : a.rows;
  if (!out.empty() && inner > 0) blas::gemm(1.0, op_a, a.view(), op_b, b.view(), 0.0, out.view());
  return out;
}

Dense lower_times(Op op, const Dense& l, Dense b) {
  if (l.device() != nullptr) return on_device::lower_times(op, l, b);
  assert(l.rows == l.cols && l.rows == b.rows);
  if (!b.empty()) blas::trmm_left(op, l.view(), b.view());
  return b;
}

Dense times_lower(Dense b, Op op, const Dense& l) {
  if (l.device() != nullptr) return on_device::times_lower(b, op, l);
  assert(l.rows == l.cols && l.rows == b.cols);
  if (!b.empty()) blas::trmm(std::as_const(b).view(), op, l.view(), b.view());
  return b;
}

Dense gram(const Dense& f) {
  Dense out(f.rows, f.rows, f.device());
  add_gram(f, out);
  return out;
}

void add_gram(const Dense& f, Dense& g) {
  if (f.device() != nullptr) return on_device::add_gram(f, g);
  assert(g.rows == f.rows && g.cols == f.rows);
  if (f.empty()) return;
  blas::syrk(f.view(), 1.0, g.view());
  mirror_lower(g);
}

Dense transpose(const Dense& a) {
  if (a.device() != nullptr) return on_device::transpose(a);
  constexpr Index tile = 64;
  Dense out(a.cols, a.rows);
  for (Index r0 = 0; r0 < a.rows; r0 += tile) {
    for (Index c0 = 0; c0 < a.cols; c0 += tile) {
      for (Index r = r0; r < std::min(r0 + tile, a.rows); ++r) {
        for (Index c = c0; c < std::min(c0 + tile, a.cols); ++c) out(c, r) = a(r, c);
      }
    }
  }
  return out;
}

void add(double alpha, Dense& a, double beta, const Dense& b) {
  if (a.device() != nullptr) return on_device::add(alpha, a, beta, b);
  assert(a.rows == b.rows && a.cols == b.cols);
  in_blocks(a.rows, rows_at_once, [&](Index begin, Index end) {
    for (Index k = begin * a.cols; k < end * a.cols; ++k) a.value[k] = alpha * a.value[k] + beta * b.value[k];
  });
}

void scale(double alpha, Dense& a) {
  if (alpha == 1) return;
  if (a.device() != nullptr) return on_device::scale(alpha, a);
  in_blocks(a.rows, rows_at_once, [&](Index begin, Index end) {
    for (Index k = begin * a.cols; k < end * a.cols; ++k) a.value[k] *= alpha;
  });
}

void add_to_all(double value, Dense& a) {
  if (a.device() != nullptr) return on_device::add_to_all(value, a);
  for (double& v : a.value) v += value;
}

void add_outer(double alpha, const std::vector<double>& x, const std::vector<double>& y, Dense& a) {
  assert(static_cast<Index>(x.size()) == a.rows && x.size() == y.size() && a.rows == a.cols);
  if (a.device() != nullptr) return on_device::add_outer(alpha, x, y, a);
  in_blocks(a.rows, rows_at_once, [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      const double xr = alpha * x[r], yr = alpha * y[r];
      double* row = a.row(r);
      for (Index c = 0; c < a.cols; ++c) row[c] += xr * y[c] + yr * x[c];
    }
  });
}

void add_to_diagonal(double value, Dense& a) {
  if (a.device() != nullptr) return on_device::add_to_diagonal(value, a);
  for (Index r = 0; r < a.rows; ++r) a(r, r) += value;
}

void transpose_in_place(Dense& a) {
  assert(a.rows == a.cols && a.device() == nullptr);
  for_each_pair_at_once(a.rows, [&](Index r, Index c) { std::swap(a(r, c), a(c, r)); });
}

void symmetrise(Dense& a) {
  if (a.device() != nullptr) return on_device::symmetrise(a);
  for_each_pair_at_once(a.rows, [&](Index r, Index c) { a(r, c) = a(c, r) = 0.5 * (a(r, c) + a(c, r)); });
}

void mirror_lower(Dense& a) {
  if (a.device() != nullptr) return on_device::mirror_lower(a);
  for_each_pair_at_once(a.rows, [&](Index r, Index c) { a(c, r) = a(r, c); });
}

void keep_lower(Dense& a, double diagonal) {
  if (a.device() != nullptr) return on_device::keep_lower(a, diagonal);
  for (Index r = 0; r < a.rows; ++r) {
    a(r, r) *= diagonal;
    std::fill(a.row(r) + r + 1, a.row(r) + a.cols, 0.0);
  }
}

Dense positive_lower(const Dense& raw) {
  if (raw.device() != nullptr) return on_device::positive_lower(raw);
  Dense out = raw;
  for (Index j = 0; j < out.rows; ++j) out(j, j) = std::exp(raw(j, j));
  return out;
}

Dense positive_lower_backward(const Dense& l, Dense l_bar) {
  if (l.device() != nullptr) return on_device::positive_lower_backward(l, l_bar);
  for (Index j = 0; j < l.rows; ++j) l_bar(j, j) *= l(j, j);
  return l_bar;
}

void adam_ascent(const AdamStep& step, const Dense& gradient, Dense& first, Dense& second, Dense& parameter) {
  if (parameter.device() != nullptr) return on_device::adam_ascent(step, gradient, first, second, parameter);
  const auto count = static_cast<double>(step.count);
  const double correction = std::sqrt(1 - std::pow(step.beta2, count));
  const double scaled_rate = step.rate * correction / (1 - std::pow(step.beta1, count));
  const double epsilon = step.epsilon * correction;
  for (std::size_t j = 0; j < parameter.value.size(); ++j) {
    const double g = gradient.value[j];
    double &m = first.value[j], &v = second.value[j];
    m += (1 - step.beta1) * (g - m);
    v += (1 - step.beta2) * (g * g - v);
    parameter.value[j] += scaled_rate * m / (std::sqrt(v) + epsilon);
  }
}

std::vector<double> diagonal(const Dense& a) {
  if (a.device() != nullptr) return on_device::diagonal(a);
  std::vector<double> out(static_cast<std::size_t>(a.rows));
  for (Index r = 0; r < a.rows; ++r) out[r] = a(r, r);
  return out;
}

std::vector<double> column_squares(const Dense& a) {
  if (a.device() != nullptr) return on_device::column_squares(a);
  std::vector<double> out(static_cast<std::size_t>(a.cols));
  for (Index r = 0; r < a.rows; ++r) {
    for (Index c = 0; c < a.cols; ++c) out[c] += a(r, c) * a(r, c);
  }
  return out;
}

double inner_product(const Dense& a, const Dense& b) {
  if (a.device() != nullptr) return on_device::inner_product(a, b);
  assert(a.rows == b.rows && a.cols == b.cols);
  double sum = 0;
  for (std::size_t k = 0; k < a.value.size(); ++k) sum += a.value[k] * b.value[k];
  return sum;
}

Dense submatrix(const Dense& a, const std::vector<std::int32_t>& rows,
                const std::vector<std::int32_t>& cols) {
  if (a.device() != nullptr) return on_device::submatrix(a, rows, cols);
  Dense out(static_cast<Index>(rows.size()), static_cast<Index>(cols.size()));
  for (Index r = 0; r < out.rows; ++r) {
    const double* from = a.row(rows[r]);
    for (Index c = 0; c < out.cols; ++c) out(r, c) = from[cols[c]];
  }
  return out;
}

Dense gather_rows(const Dense& a, const std::vector<std::int32_t>& rows) {
  if (a.device() != nullptr) return on_device::gather_rows(a, rows);
  Dense out(static_cast<Index>(rows.size()), a.cols);
  for (Index r = 0; r < out.rows; ++r) std::copy_n(a.row(rows[r]), a.cols, out.row(r));
  return out;
}

Dense spread(const Dense& a, const std::vector<std::int32_t>& nodes, Index size) {
  assert(a.rows == a.cols && static_cast<Index>(nodes.size()) == a.rows);
  if (a.device() != nullptr) return on_device::spread(a, nodes, size);
  Dense out(size, size);
  for (Index r = 0; r < a.rows; ++r) {
    for (Index c = 0; c < a.cols; ++c) out(nodes[r], nodes[c]) = a(r, c);
  }
  return out;
}

}  // namespace gdkm
