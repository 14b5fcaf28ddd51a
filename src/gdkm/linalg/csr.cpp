#include "gdkm/linalg/csr.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace gdkm {

Csr csr_from_triplets(Index rows, Index cols, std::vector<Triplet> entries, bool add) {
  std::stable_sort(entries.begin(), entries.end(), [](const Triplet& a, const Triplet& b) {
    return a.row != b.row ? a.row < b.row : a.col < b.col;
  });
  Csr out;
  out.rows = rows;
  out.cols = cols;
  out.row_start.assign(static_cast<std::size_t>(rows) + 1, 0);
  std::int32_t last_row = -1;
  for (const Triplet& e : entries) {
    assert(e.row >= 0 && e.row < rows && e.col >= 0 && e.col < cols);
    if (e.row == last_row && out.col.back() == e.col) {
      out.value.back() = add ? out.value.back() + e.value : e.value;
      continue;
    }
    out.col.push_back(e.col);
    out.value.push_back(e.value);
    ++out.row_start[static_cast<std::size_t>(e.row) + 1];
    last_row = e.row;
  }
  std::partial_sum(out.row_start.begin(), out.row_start.end(), out.row_start.begin());
  return out;
}

Csr transpose(const Csr& a) {
  Csr out;
  out.rows = a.cols;
  out.cols = a.rows;
  out.row_start.assign(static_cast<std::size_t>(a.cols) + 1, 0);
  out.col.resize(a.col.size());
  out.value.resize(a.value.size());
  for (const auto c : a.col) ++out.row_start[static_cast<std::size_t>(c) + 1];
  std::partial_sum(out.row_start.begin(), out.row_start.end(), out.row_start.begin());
  std::vector<Index> next(out.row_start.begin(), out.row_start.end() - 1);
  for (Index r = 0; r < a.rows; ++r) {
    for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) {
      const Index at = next[a.col[k]]++;
      out.col[at] = static_cast<std::int32_t>(r);
      out.value[at] = a.value[k];
    }
  }
  return out;
}

Csr submatrix(const Csr& a, const std::vector<std::int32_t>& rows, const std::vector<std::int32_t>& cols) {
  Csr out;
  out.rows = static_cast<Index>(rows.size());
  out.cols = cols.empty() ? a.cols : static_cast<Index>(cols.size());
  // The places of a column in `cols`, as a list: it may come more than once.
  constexpr std::int32_t none = -1;
  std::vector<std::int32_t> first(cols.empty() ? 0 : static_cast<std::size_t>(a.cols), none),
      next(cols.size(), none);
  for (std::size_t k = cols.size(); k-- > 0;) {
    next[k] = first[cols[k]];
    first[cols[k]] = static_cast<std::int32_t>(k);
  }
  std::vector<Index>& row_start = out.row_start.edit();
  std::vector<std::int32_t>& col = out.col.edit();
  std::vector<double>& value = out.value.edit();
  row_start.reserve(rows.size() + 1);
  if (cols.empty()) {
    std::size_t entries = 0;
    for (const auto r : rows) entries += static_cast<std::size_t>(a.row_start[r + 1] - a.row_start[r]);
    col.reserve(entries);
    value.reserve(entries);
  }
  std::vector<std::pair<std::int32_t, double>> row;
  for (const auto r : rows) {
    const Index begin = a.row_start[r], end = a.row_start[r + 1];
    if (cols.empty()) {
      col.insert(col.end(), a.col.begin() + begin, a.col.begin() + end);
      value.insert(value.end(), a.value.begin() + begin, a.value.begin() + end);
    } else {
      row.clear();
      for (Index k = begin; k < end; ++k) {
        for (auto place = first[a.col[k]]; place != none; place = next[place])
          row.emplace_back(place, a.value[k]);
      }
      std::sort(row.begin(), row.end());
      for (const auto& [c, v] : row) {
        col.push_back(c);
        value.push_back(v);
      }
    }
    row_start.push_back(static_cast<Index>(col.size()));
  }
  return out;
}

namespace {
/// Visits the distinct columns of row r of A·B; `mark` holds the last row that visited each column.
template <class Visit>
void visit_product_row(const Csr& a, const Csr& b, Index r, std::vector<Index>& mark, Visit visit) {
  for (Index k = a.row_start[r]; k < a.row_start[r + 1]; ++k) {
    const auto middle = a.col[k];
    for (Index j = b.row_start[middle]; j < b.row_start[middle + 1]; ++j) {
      const auto c = b.col[j];
      const bool is_new = mark[c] != r;
      mark[c] = r;
      visit(c, a.value[k] * b.value[j], is_new);
    }
  }
}
}  // namespace

Csr multiply(const Csr& a, const Csr& b) {
  assert(a.cols == b.rows);
  Csr out;
  out.rows = a.rows;
  out.cols = b.cols;
  std::vector<Index> mark(b.cols, -1);
  std::vector<double> sum(b.cols);
  std::vector<std::int32_t> touched;
  for (Index r = 0; r < a.rows; ++r) {
    touched.clear();
    visit_product_row(a, b, r, mark, [&](std::int32_t c, double v, bool is_new) {
      if (is_new) touched.push_back(c);
      sum[c] = is_new ? v : sum[c] + v;
    });
    std::sort(touched.begin(), touched.end());
    for (const auto c : touched) {
      out.col.push_back(c);
      out.value.push_back(sum[c]);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

Index count_product_nonzeros(const Csr& a, const Csr& b, Index limit) {
  std::vector<Index> mark(b.cols, -1);
  Index count = 0;
  for (Index r = 0; r < a.rows && count <= limit; ++r) {
    visit_product_row(a, b, r, mark, [&](std::int32_t, double, bool is_new) { count += is_new ? 1 : 0; });
  }
  return std::min(count, limit + 1);
}

bool is_symmetric(const Csr& a) {
  if (a.rows != a.cols) return false;
  const Csr t = transpose(a);
  return t.row_start == a.row_start && t.col == a.col && t.value == a.value;
}

}  // namespace gdkm
