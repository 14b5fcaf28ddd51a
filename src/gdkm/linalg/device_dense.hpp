#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "gdkm/linalg/dense.hpp"

/// The functions of dense.hpp and dense_factors.hpp for matrices on a device, in primitives of its backend:
/// CUDA's, or in tests the CPU's. n × n matrices stay there; vectors and single numbers come to the host.
namespace gdkm::on_device {

Dense multiply(const Dense& a, const Dense& b, Op op_a, Op op_b);
Dense multiply(const Csr& a, const Dense& b);
Dense lower_times(Op op, const Dense& l, const Dense& b);
Dense times_lower(const Dense& b, Op op, const Dense& l);
void add_gram(const Dense& f, Dense& g);
void mix_both_sides(const Csr& a, Dense& k);
void mix_both_sides(const std::function<Dense(const Dense&)>& times, Dense& k);

Dense transpose(const Dense& a);
void add(double alpha, Dense& a, double beta, const Dense& b);
void scale(double alpha, Dense& a);
void add_to_all(double value, Dense& a);
void add_to_diagonal(double value, Dense& a);
void add_outer(double alpha, const std::vector<double>& x, const std::vector<double>& y, Dense& a);
void symmetrise(Dense& a);
void mirror_lower(Dense& a);
void keep_lower(Dense& a, double diagonal);

Dense positive_lower(const Dense& raw);
Dense positive_lower_backward(const Dense& l, const Dense& l_bar);
void adam_ascent(const AdamStep& step, const Dense& gradient, Dense& first, Dense& second, Dense& parameter);

std::vector<double> diagonal(const Dense& a);
std::vector<double> column_squares(const Dense& a);
double inner_product(const Dense& a, const Dense& b);
Dense submatrix(const Dense& a, const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& cols);
Dense gather_rows(const Dense& a, const std::vector<std::int32_t>& rows);
Dense spread(const Dense& a, const std::vector<std::int32_t>& nodes, Index size);

bool all_finite(const Dense& a);
/// H with H Hᵀ = K, zero above the diagonal; nothing if K is not positive definite. By blocks of columns: a
/// factorisation of the block on the diagonal, a solve for the rows below it, and a product that is
/// subtracted from what is to the right.
std::optional<Dense> cholesky(Dense k);
Dense solve_lower(Op op, const Dense& l, Dense b);

}  // namespace gdkm::on_device
