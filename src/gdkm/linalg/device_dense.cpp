#include "gdkm/linalg/device_dense.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace gdkm::on_device {

namespace {

Dense like(const Dense& a, Index rows, Index cols) {
  return {rows, cols, a.device()};
}

/// Calls body(begin, count) for blocks of [0, size): as many as keep temporary matrices small beside one of
/// n × n, and as leave most of the zeros out of products with a triangle.
template <class Body>
void for_blocks(Index size, Body body) {
  constexpr Index least = 512, blocks = 8;
  const Index width = std::max(least, (size / blocks + 63) / 64 * 64);
  for (Index begin = 0; begin < size; begin += width) body(begin, std::min(width, size - begin));
}

View<double> diagonal_of(View<double> a) {
  return {a.data, a.rows, 1, a.stride + 1};
}

Matrix<double> ones(Backend<double>& device, Index rows, Index cols) {
  Matrix<double> out(device, rows, cols);
  device.fill(out, 1);
  return out;
}

/// Some columns as a matrix of their own, and back; or some rows, which become columns.
Dense columns_of(const Dense& k, Index begin, Index count) {
  Dense out = like(k, k.rows, count);
  k.device()->add(1, k.view().block_cols(begin, count), 0, out.view());
  return out;
}
Dense rows_as_columns(const Dense& k, Index begin, Index count) {
  Dense out = like(k, k.cols, count);
  k.device()->transpose(k.view().block_rows(begin, count), out.view());
  return out;
}

}  // namespace

Dense multiply(const Dense& a, const Dense& b, Op op_a, Op op_b) {
  assert(a.device() == b.device());
  const Factor<double> left{op_a, a.view()}, right{op_b, b.view()};
  assert(left.cols() == right.rows());
  Dense out = like(a, left.rows(), right.cols());
  if (!out.empty() && left.cols() > 0) a.device()->gemm(1, op_a, a.view(), op_b, b.view(), 0, out.view());
  return out;
}

Dense multiply(const Csr& a, const Dense& b) {
  assert(a.cols == b.rows);
  Dense out = like(b, a.rows, b.cols);
  if (!out.empty()) b.device()->spmm(1, Op::none, Sparse<double>(*b.device(), a), b.view(), 0, out.view());
  return out;
}

Dense lower_times(Op op, const Dense& l, const Dense& b) {
  assert(l.rows == l.cols && l.rows == b.rows && l.device() == b.device());
  Dense out = like(b, b.rows, b.cols);
  if (out.empty()) return out;
  for_blocks(l.rows, [&](Index begin, Index count) {
    const Index first = op == Op::none ? 0 : begin, terms = op == Op::none ? begin + count : l.rows - begin;
    const auto rows = op == Op::none ? l.view().block_rows(begin, count).block_cols(first, terms)
                                     : l.view().block_rows(first, terms).block_cols(begin, count);
    l.device()->gemm(1, op, rows, Op::none, b.view().block_rows(first, terms), 0,
                     out.view().block_rows(begin, count));
  });
  return out;
}

Dense times_lower(const Dense& b, Op op, const Dense& l) {
  assert(l.rows == l.cols && l.rows == b.cols && l.device() == b.device());
  Dense out = like(b, b.rows, b.cols);
  if (out.empty()) return out;
  for_blocks(l.rows, [&](Index begin, Index count) {
    const Index first = op == Op::none ? begin : 0, terms = op == Op::none ? l.rows - begin : begin + count;
    const auto columns = op == Op::none ? l.view().block_rows(first, terms).block_cols(begin, count)
                                        : l.view().block_rows(begin, count).block_cols(first, terms);
    l.device()->gemm(1, Op::none, b.view().block_cols(first, terms), op, columns, 0,
                     out.view().block_cols(begin, count));
  });
  return out;
}

void add_gram(const Dense& f, Dense& g) {
  assert(g.rows == f.rows && g.cols == f.rows && g.device() == f.device());
  if (f.empty()) return;
  for_blocks(f.rows, [&](Index begin, Index count) {
    f.device()->gemm(1, Op::none, f.view().block_rows(begin, count), Op::transpose,
                     f.view().block_rows(0, begin + count), 1,
                     g.view().block_rows(begin, count).block_cols(0, begin + count));
  });
  on_device::mirror_lower(g);
}

void mix_both_sides(const Csr& a, Dense& k) {
  assert(a.rows == a.cols && a.cols == k.rows);
  const Sparse<double> sparse(*k.device(), a);
  on_device::mix_both_sides(
      [&](const Dense& s) {
        Dense out = like(s, s.rows, s.cols);
        s.device()->spmm(1, Op::none, sparse, s.view(), 0, out.view());
        return out;
      },
      k);
}

void mix_both_sides(const std::function<Dense(const Dense&)>& times, Dense& k) {
  assert(k.rows == k.cols);
  if (k.empty()) return;
  for_blocks(k.cols, [&](Index begin, Index count) {
    const Dense mixed = times(columns_of(k, begin, count));
    k.device()->add(1, mixed.view(), 0, k.view().block_cols(begin, count));
  });
  for_blocks(k.rows, [&](Index begin, Index count) {
    const Dense mixed = times(rows_as_columns(k, begin, count));
    k.device()->transpose(mixed.view(), k.view().block_rows(begin, count));
  });
  on_device::symmetrise(k);
}

Dense transpose(const Dense& a) {
  Dense out = like(a, a.cols, a.rows);
  if (!a.empty()) a.device()->transpose(a.view(), out.view());
  return out;
}

void add(double alpha, Dense& a, double beta, const Dense& b) {
  assert(a.rows == b.rows && a.cols == b.cols && a.device() == b.device());
  if (!a.empty()) a.device()->add(beta, b.view(), alpha, a.view());
}

void scale(double alpha, Dense& a) {
  if (!a.empty()) a.device()->add(alpha, a.view(), 0, a.view());
}

void add_to_all(double value, Dense& a) {
  if (!a.empty()) a.device()->add_row(value, ones(*a.device(), 1, a.cols), a.view());
}

void add_to_diagonal(double value, Dense& a) {
  if (!a.empty()) a.device()->add(value, ones(*a.device(), a.rows, 1), 1, diagonal_of(a.view()));
}

void add_outer(double alpha, const std::vector<double>& x, const std::vector<double>& y, Dense& a) {
  std::vector<double> both, swapped;  // rows (x_r, y_r) and (y_r, x_r)
  for (std::size_t r = 0; r < x.size(); ++r) {
    both.insert(both.end(), {x[r], y[r]});
    swapped.insert(swapped.end(), {y[r], x[r]});
  }
  if (a.empty()) return;
  const Matrix<double> left(*a.device(), a.rows, 2, both), right(*a.device(), a.rows, 2, swapped);
  a.device()->gemm(alpha, Op::none, left, Op::transpose, right, 1, a.view());
}

void symmetrise(Dense& a) {
  if (!a.empty()) a.device()->symmetrise(a.view());
}

void mirror_lower(Dense& a) {
  on_device::keep_lower(a, 0.5);
  on_device::symmetrise(a);
  on_device::scale(2, a);
}

void keep_lower(Dense& a, double diagonal) {
  if (!a.empty()) a.device()->keep_lower(a.view(), diagonal);
}

Dense positive_lower(const Dense& raw) {
  Dense out = like(raw, raw.rows, raw.cols);
  if (!raw.empty()) raw.device()->positive_lower(raw.view(), out.view());
  return out;
}

Dense positive_lower_backward(const Dense& l, const Dense& l_bar) {
  Dense out = like(l, l.rows, l.cols);
  if (!l.empty()) l.device()->positive_lower_backward(l.view(), l_bar.view(), out.view());
  return out;
}

void adam_ascent(const AdamStep& step, const Dense& gradient, Dense& first, Dense& second, Dense& parameter) {
  AdamStep up = step;
  up.rate = -step.rate;  // the primitive descends
  if (!parameter.empty())
    parameter.device()->adam(up, gradient.view(), first.view(), second.view(), parameter.view());
}

std::vector<double> diagonal(const Dense& a) {
  if (a.empty()) return {};
  const Matrix<double> out(*a.device(), a.rows, 1);
  a.device()->add(1, ConstView<double>(a.view().data, a.rows, 1, a.cols + 1), 0, out);
  return out.to_host();
}

std::vector<double> column_squares(const Dense& a) {
  std::vector<double> out;
  if (a.rows == 0) return std::vector<double>(static_cast<std::size_t>(a.cols));
  for_blocks(a.cols, [&](Index begin, Index count) {
    const Matrix<double> rows(*a.device(), count, a.rows), norms(*a.device(), 1, count);
    a.device()->transpose(a.view().block_cols(begin, count), rows);
    a.device()->row_norms(rows, norms);
    for (const double norm : norms.to_host()) out.push_back(norm * norm);
  });
  return out;
}

double inner_product(const Dense& a, const Dense& b) {
  assert(a.rows == b.rows && a.cols == b.cols && a.device() == b.device());
  if (a.empty()) return 0;
  const Matrix<double> out(*a.device(), 1, 1);
  a.device()->dot(1, a.view(), b.view(), 0, out);
  return out.to_host()[0];
}

Dense gather_rows(const Dense& a, const std::vector<std::int32_t>& rows) {
  Dense out = like(a, static_cast<Index>(rows.size()), a.cols);
  if (!out.empty())
    a.device()->gather_rows(a.view(), Buffer<std::int32_t>(*a.device(), rows).data(), out.view());
  return out;
}

Dense submatrix(const Dense& a, const std::vector<std::int32_t>& rows,
                const std::vector<std::int32_t>& cols) {
  Dense out = like(a, static_cast<Index>(rows.size()), static_cast<Index>(cols.size()));
  if (out.empty()) return out;
  const Buffer<std::int32_t> columns(*a.device(), cols);
  for_blocks(out.rows, [&](Index begin, Index count) {
    const auto first = rows.begin() + begin;
    const Dense some =
        on_device::transpose(on_device::gather_rows(a, std::vector<std::int32_t>(first, first + count)));
    Dense chosen = like(a, out.cols, count);
    a.device()->gather_rows(some.view(), columns.data(), chosen.view());
    a.device()->transpose(chosen.view(), out.view().block_rows(begin, count));
  });
  return out;
}

Dense spread(const Dense& a, const std::vector<std::int32_t>& nodes, Index size) {
  Dense out = like(a, size, size);
  if (a.empty()) return out;
  const Buffer<std::int32_t> index(*a.device(), nodes);
  Dense rows = like(a, size, a.cols);
  a.device()->scatter_rows(a.view(), index.data(), rows.view());
  const Dense columns = on_device::transpose(rows);  // A is symmetric
  a.device()->scatter_rows(columns.view(), index.data(), out.view());
  return out;
}

}  // namespace gdkm::on_device
