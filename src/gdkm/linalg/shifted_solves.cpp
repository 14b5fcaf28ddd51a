#include "gdkm/linalg/shifted_solves.hpp"

#include <algorithm>
#include <cassert>

#include "gdkm/linalg/cpu/blas.hpp"
#include "gdkm/linalg/dense_factors.hpp"

namespace gdkm {

ShiftedSolves::ShiftedSolves(Dense k, const Dense& y)
    : reflectors_(std::move(k)),
      factors_(static_cast<std::size_t>(reflectors_.rows)),
      diagonal_(factors_.size()),
      beside_(factors_.size()),
      rotated_(transpose(y)) {
  assert(reflectors_.rows == reflectors_.cols && y.rows == reflectors_.rows);
  check_finite(reflectors_, "a kernel");
  if (reflectors_.empty()) return;
  blas::sytrd(reflectors_.view(), diagonal_.data(), beside_.data(), factors_.data());
  if (!rotated_.empty()) blas::ormtr(Op::transpose, reflectors_.view(), factors_.data(), rotated_.view());
}

std::optional<Dense> ShiftedSolves::at(std::span<const double> shifts) const {
  Dense out(static_cast<Index>(shifts.size()) * rotated_.rows, rotated_.cols);
  if (out.empty()) return out;
  for (std::size_t s = 0; s < shifts.size(); ++s) {
    std::vector<double> pivots = diagonal_, ratios = beside_;
    for (double& value : pivots) value += shifts[s];
    const auto rows = out.view().block_rows(static_cast<Index>(s) * rotated_.rows, rotated_.rows);
    std::copy(rotated_.value.begin(), rotated_.value.end(), rows.data);
    if (blas::pttrf(pivots, ratios.data()) != 0) return std::nullopt;
    blas::pttrs(pivots, ratios.data(), rows);
  }
  blas::ormtr(Op::none, reflectors_.view(), factors_.data(), out.view());
  return out;
}

}  // namespace gdkm
