#include "gdkm/data/formats/npz/scipy_npz.hpp"

#include <fmt/format.h>

#include <span>

#include "gdkm/data/files/npz.hpp"
#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

void check_shape(const NpzReader& archive, Index nodes) {
  const NpyArray array = archive.read("shape");
  const auto shape = array.as<std::int64_t>();
  if (shape.size() == 2 && shape[0] == nodes && shape[1] == nodes) return;
  refuse("{}: is {}, but {} nodes need ({}, {}); fetch the files again", array.where, shape_text(shape),
         nodes, nodes, nodes);
}

void check_node(const std::string& where, std::size_t entry, std::int32_t node, Index nodes) {
  if (node >= 0 && node < nodes) return;
  refuse("{}: entry {} refers to node {}, but nodes are numbered 0..{}; correct it", where, entry, node,
         nodes - 1);
}

/// The row of every entry (COO), or the first entry of every row (CSR).
struct Rows {
  std::vector<std::int32_t> row;
  std::vector<std::int64_t> start;
};

Rows read_rows(const NpzReader& archive, Index nodes) {
  Rows out;
  if (archive.contains("row")) {
    const std::string where = archive.path().string() + ": array 'row'";
    out.row = archive.read_as<std::int32_t>("row");
    for (std::size_t k = 0; k < out.row.size(); ++k) check_node(where, k, out.row[k], nodes);
    return out;
  }
  if (!archive.contains("indptr")) {
    refuse(archive.path().string() +
           ": has neither 'row' nor 'indptr'; save a COO or CSR matrix with scipy.sparse.save_npz");
  }
  const NpyArray array = archive.read("indptr");
  out.start = array.as<std::int64_t>();
  if (static_cast<Index>(out.start.size()) != nodes + 1 || out.start.front() != 0)
    refuse("{}: expected {} entries that begin with 0; save the matrix again", array.where, nodes + 1);
  for (std::size_t r = 1; r < out.start.size(); ++r) {
    if (out.start[r] >= out.start[r - 1]) continue;
    refuse("{}: decreases from {} to {} at row {}; save the matrix again", array.where, out.start[r - 1],
           out.start[r], r - 1);
  }
  return out;
}

/// Calls visit(row, column) for every entry, in file order.
template <class Visit>
void for_each_entry(const NpzReader& archive, const Rows& rows, Index nodes, Visit visit) {
  const char* name = rows.start.empty() ? "col" : "indices";
  const std::string where = fmt::format("{}: array '{}'", archive.path().string(), name);
  const std::size_t expected =
      rows.start.empty() ? rows.row.size() : static_cast<std::size_t>(rows.start.back());
  std::size_t entry = 0, row = 0;
  archive.for_each_piece<std::int32_t>(name, [&](std::span<const std::int32_t> cols, std::int64_t) {
    for (const auto col : cols) {
      if (entry == expected) refuse(where + ": has more entries than its rows; save the matrix again");
      check_node(where, entry, col, nodes);
      if (rows.start.empty()) {
        visit(rows.row[entry], col);
      } else {
        while (static_cast<std::int64_t>(entry) >= rows.start[row + 1]) ++row;
        visit(static_cast<std::int32_t>(row), col);
      }
      ++entry;
    }
  });
  if (entry == expected) return;
  refuse("{}: has {} entries, but its rows have {}; save the matrix again", where, entry, expected);
}

/// A hash of an edge. Equal sets of edges have equal sums of hashes.
std::uint64_t mark(std::int32_t low, std::int32_t high) {
  std::uint64_t x = (static_cast<std::uint64_t>(low) << 32) | static_cast<std::uint32_t>(high);
  x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9u;
  return x ^ (x >> 32);
}

}  // namespace

std::vector<Edge> read_scipy_edges(const std::filesystem::path& path, Index nodes) {
  const NpzReader archive(path);
  check_shape(archive, nodes);
  const Rows rows = read_rows(archive, nodes);
  std::vector<Edge> out;
  out.reserve(rows.row.size() / 2 + 1);
  std::uint64_t upper = 0, lower = 0;  // equal if the matrix is symmetric
  for_each_entry(archive, rows, nodes, [&](std::int32_t row, std::int32_t col) {
    if (row <= col) out.push_back({row, col});
    if (row < col) upper += mark(row, col);
    if (row > col) lower += mark(col, row);
  });
  if (upper == lower) return out;
  for_each_entry(archive, rows, nodes, [&](std::int32_t row, std::int32_t col) {
    if (row > col) out.push_back({col, row});
  });
  return out;
}

}  // namespace gdkm
