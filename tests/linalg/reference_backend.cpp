#include "tests/linalg/reference_backend.hpp"

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "tests/linalg/reference_loops.hpp"

namespace gdkm::testing {

void ReferenceBackend::upload(const void* host, void* device, std::size_t bytes) {
  std::memcpy(device, host, bytes);
}
void ReferenceBackend::download(const void* device, void* host, std::size_t bytes) const {
  std::memcpy(host, device, bytes);
}

void ReferenceBackend::gemm(double alpha, Op op_a, In a, Op op_b, In b, double beta, Out c) {
  const Index inner = op_a == Op::none ? a.cols : a.rows;
  each(c.rows, c.cols, [&](Index r, Index j) {
    double sum = 0;
    for (Index k = 0; k < inner; ++k) sum += at(op_a, a, r, k) * at(op_b, b, k, j);
    at(c, r, j) = alpha * sum + kept(beta, at(c, r, j));
  });
}

void ReferenceBackend::add(double alpha, In a, double beta, Out c) {
  each(c.rows, c.cols,
       [&](Index r, Index j) { at(c, r, j) = alpha * at(a, r, j) + kept(beta, at(c, r, j)); });
}

void ReferenceBackend::add_exp_scaled(double factor, In exponent, In a, double beta, Out c) {
  add(std::exp(factor * *exponent.data), a, beta, c);
}

void ReferenceBackend::log_softmax(In raw, Out out) {
  double sum = 0;
  each(1, raw.cols, [&](Index r, Index c) { sum += std::exp(at(raw, r, c)); });
  each(1, raw.cols, [&](Index r, Index c) { at(out, r, c) = at(raw, r, c) - std::log(sum); });
}

/// Entry by entry of the Jacobian δ_rc − w_c.
void ReferenceBackend::log_softmax_backward(In out, In out_bar, Out raw_bar) {
  each(out.cols, out.cols, [&](Index r, Index c) {
    at(raw_bar, 0, c) += at(out_bar, 0, r) * ((r == c ? 1 : 0) - std::exp(at(out, 0, c)));
  });
}

void ReferenceBackend::fill(Out a, double value) {
  each(a.rows, a.cols, [&](Index r, Index c) { at(a, r, c) = value; });
}

void ReferenceBackend::identity(Out a) {
  each(a.rows, a.cols, [&](Index r, Index c) { at(a, r, c) = r == c ? 1 : 0; });
}

void ReferenceBackend::transpose(In a, Out b) {
  each(a.rows, a.cols, [&](Index r, Index c) { at(b, c, r) = at(a, r, c); });
}

void ReferenceBackend::anti_transpose(In a, Out b) {
  each(a.rows, a.cols, [&](Index r, Index c) { at(b, r, c) = at(a, a.rows - 1 - c, a.rows - 1 - r); });
}

void ReferenceBackend::keep_lower(Out a, double diagonal) {
  each(a.rows, a.cols, [&](Index r, Index c) {
    if (c > r) at(a, r, c) = 0;
    if (c == r) at(a, r, c) *= diagonal;
  });
}

void ReferenceBackend::symmetrise(Out a) {
  each(a.rows, a.cols, [&](Index r, Index c) {
    if (c < r) at(a, r, c) = at(a, c, r) = (at(a, r, c) + at(a, c, r)) / 2;
  });
}

void ReferenceBackend::dot(double alpha, In a, In b, double beta, Out value) {
  double sum = 0;
  each(a.rows, a.cols, [&](Index r, Index c) { sum += at(a, r, c) * at(b, r, c); });
  *value.data = alpha * sum + kept(beta, *value.data);
}

/// H_rc = (K_rc − Σ_k<c H_rk H_ck) / H_cc, without a second attempt: K has to be positive definite.
void ReferenceBackend::cholesky(In k, double jitter, Out h, Out inverse, Out used) {
  const Index m = k.rows;
  double mean = 0;
  for (Index r = 0; r < m; ++r) mean += at(k, r, r) / static_cast<double>(m);
  fill(h, 0);
  fill(inverse, 0);
  for (Index r = 0; r < m; ++r) {
    for (Index c = 0; c <= r; ++c) {
      double sum = at(k, r, c) + (r == c ? jitter * mean : 0);
      for (Index j = 0; j < c; ++j) sum -= at(h, r, j) * at(h, c, j);
      if (r == c && !(sum > 0)) throw std::logic_error("[reference] expected a positive definite matrix");
      at(h, r, c) = r == c ? std::sqrt(sum) : sum / at(h, c, c);
    }
  }
  // H H⁻¹ = I, solved from the first row down.
  each(m, m, [&](Index r, Index c) {
    double sum = r == c ? 1 : 0;
    for (Index j = 0; j < r; ++j) sum -= at(h, r, j) * at(inverse, j, c);
    at(inverse, r, c) = sum / at(h, r, r);
  });
  *used.data = jitter;
}

void ReferenceBackend::cholesky_of_gram(In f, double jitter, Out h, Out inverse, Out used) {
  std::vector<double> memory(static_cast<std::size_t>(f.rows * f.rows));
  const Out k(memory.data(), f.rows, f.rows);
  gram(f, k);
  cholesky(k, jitter, h, inverse, used);
}

void ReferenceBackend::solve_lower(Op op, In l, Out b) {
  const Index m = b.rows;
  for (Index k = 0; k < m; ++k) {
    const Index r = op == Op::none ? k : m - 1 - k;  // L from the first row down, Lᵀ from the last row up
    for (Index c = 0; c < b.cols; ++c) {
      double sum = at(b, r, c);
      for (Index j = op == Op::none ? 0 : r + 1; j < (op == Op::none ? r : m); ++j)
        sum -= (op == Op::none ? at(l, r, j) : at(l, j, r)) * at(b, j, c);
      at(b, r, c) = sum / at(l, r, r);
    }
  }
}

void ReferenceBackend::positive_lower(In raw, Out l) {
  each(l.rows, l.cols, [&](Index r, Index c) {
    at(l, r, c) = c > r ? 0 : (c == r ? std::exp(at(raw, r, c)) : at(raw, r, c));
  });
}

void ReferenceBackend::lower_parameter(In l, Out raw) {
  each(l.rows, l.cols, [&](Index r, Index c) {
    at(raw, r, c) = c > r ? 0 : c == r ? std::log(at(l, r, c)) : at(l, r, c);
  });
}

void ReferenceBackend::positive_lower_backward(In l, In l_bar, Out raw_bar) {
  each(l.rows, l.cols, [&](Index r, Index c) {
    if (c <= r) at(raw_bar, r, c) += at(l_bar, r, c) * (c == r ? at(l, r, r) : 1);
  });
}

void ReferenceBackend::normal_kl(In l, double weight, Out l_bar, Out value) {
  double sum = -static_cast<double>(l.rows);
  each(l.rows, l.cols, [&](Index r, Index c) {
    if (c > r) return;
    const double x = at(l, r, c);
    sum += x * x - (r == c ? 2 * std::log(x) : 0);
    at(l_bar, r, c) += weight * (x - (r == c ? 1 / x : 0));
  });
  *value.data = sum / 2;
}

void ReferenceBackend::row_norms(In f, Out s) {
  for (Index r = 0; r < f.rows; ++r) s.data[r] = std::sqrt(row_times_row(f, r, f, r));
}

void ReferenceBackend::row_norms_backward(In f, In s, In s_bar, Out f_bar) {
  each(f.rows, f.cols, [&](Index r, Index c) {
    if (s.data[r] > 0) at(f_bar, r, c) += s_bar.data[r] / s.data[r] * at(f, r, c);
  });
}

void ReferenceBackend::scale_rows(In s, In a, Out out) {
  each(a.rows, a.cols, [&](Index r, Index c) { at(out, r, c) = s.data[r] * at(a, r, c); });
}

void ReferenceBackend::add_row(double alpha, In row, Out a) {
  each(a.rows, a.cols, [&](Index r, Index c) { at(a, r, c) += alpha * row.data[c]; });
}

void ReferenceBackend::column_sums(double alpha, In a, double beta, Out sums) {
  for (Index c = 0; c < a.cols; ++c) {
    double sum = 0;
    for (Index r = 0; r < a.rows; ++r) sum += at(a, r, c);
    sums.data[c] = alpha * sum + kept(beta, sums.data[c]);
  }
}

void ReferenceBackend::gather_rows(In a, const std::int32_t* index, Out out) {
  each(out.rows, out.cols, [&](Index r, Index c) { at(out, r, c) = at(a, index[r], c); });
}

void ReferenceBackend::scatter_rows(In a, const std::int32_t* index, Out out) {
  each(a.rows, a.cols, [&](Index r, Index c) { at(out, index[r], c) += at(a, r, c); });
}

void ReferenceBackend::spmm(double alpha, Op op, const Sparse<double>& a, In b, double beta, Out c) {
  each(c.rows, c.cols, [&](Index r, Index j) { at(c, r, j) = kept(beta, at(c, r, j)); });
  const auto& entries = a.direct();
  for (Index r = 0; r < entries.rows; ++r) {
    for (Index e = entries.row_start.data()[r]; e < entries.row_start.data()[r + 1]; ++e) {
      const Index col = entries.col.data()[e], to = op == Op::none ? r : col, from = op == Op::none ? col : r;
      for (Index j = 0; j < b.cols; ++j) at(c, to, j) += alpha * entries.value.data()[e] * at(b, from, j);
    }
  }
}

}  // namespace gdkm::testing
