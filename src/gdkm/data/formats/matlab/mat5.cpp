#include "gdkm/data/formats/matlab/mat5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "gdkm/support/refuse.hpp"

namespace gdkm {
namespace {

/// Array classes of the format.
constexpr std::uint32_t sparse_class = 5, first_numeric_class = 6, last_numeric_class = 15;

constexpr std::size_t header_size = 128;
/// The name and shape of a variable are within its first bytes.
constexpr std::size_t preamble_size = 1024;
constexpr Index most_indices = std::numeric_limits<std::int32_t>::max();

/// Checks that this is a MATLAB 5 file; returns whether its byte order differs from this machine's.
bool read_header(const Text& text) {
  const std::string_view bytes = text.bytes;
  if (bytes.starts_with("MATLAB 7.3") || bytes.starts_with("\x89HDF")) {
    refuse(text.where +
           ": is a MATLAB 7.3 (HDF5) file, which is not supported; load it in MATLAB and save it with -v7");
  }
  const std::string_view order = bytes.size() < header_size ? "" : bytes.substr(126, 2);
  if (order != "IM" && order != "MI") {
    const bool is_version4 = bytes.size() >= 20 && bytes.substr(0, 4).find('\0') != std::string_view::npos;
    refuse(text.where + (is_version4 ? ": is not a MATLAB 5 file (perhaps MATLAB 4); save it with -v7"
                                     : ": is not a MATLAB 5 file, or is cut short; fetch or save it again"));
  }
  const bool is_little = order == "IM";
  const auto version = static_cast<unsigned char>(bytes[is_little ? 125 : 124]);
  if (version != 1) {
    refuse("{}: is a MATLAB file of version {}, only version 1 is supported; save it with -v7", text.where,
           version);
  }
  return is_little != (std::endian::native == std::endian::little);
}

/// A name that is safe to show in a message.
std::string printable(std::string_view name) {
  std::string out(name.substr(0, 63));
  std::replace_if(
      out.begin(), out.end(), [](unsigned char c) { return c < 32 || c > 126; }, '?');
  return out;
}

Csr sparse_of(const MatMatrix& full) {
  Csr out;
  out.rows = full.rows;
  out.cols = full.cols;
  for (Index r = 0; r < full.rows; ++r) {
    for (Index c = 0; c < full.cols; ++c) {
      const double value = full.value[static_cast<std::size_t>(r * full.cols + c)];
      if (value == 0) continue;
      out.col.push_back(static_cast<std::int32_t>(c));
      out.value.push_back(value);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

/// MATLAB's columns as the rows of a Csr: checked, and without zeros.
Csr compressed_columns(const std::string& where, MatFile::Shape shape, const std::vector<Index>& row,
                       const std::vector<Index>& col_start, const std::vector<double>& value) {
  const auto fail = [&](const std::string& what) {
    refuse("{}: {}; the file is damaged, fetch it again", where, what);
  };
  if (static_cast<Index>(col_start.size()) != shape.cols + 1)
    fail(fmt::format("{} columns have {} starts", shape.cols, col_start.size()));
  const auto entries = static_cast<Index>(std::min(row.size(), value.size()));
  if (col_start.front() != 0 || col_start.back() > entries)
    fail(
        fmt::format("columns run from {} to {} of {} entries", col_start.front(), col_start.back(), entries));
  Csr out;
  out.rows = shape.cols;
  out.cols = shape.rows;
  out.row_start.reserve(col_start.size());
  for (std::size_t c = 0; c + 1 < col_start.size(); ++c) {
    if (col_start[c + 1] < col_start[c] || col_start[c + 1] > entries)
      fail(fmt::format("column {} runs from {} to {}", c + 1, col_start[c], col_start[c + 1]));
    for (auto k = static_cast<std::size_t>(col_start[c]); k < static_cast<std::size_t>(col_start[c + 1]);
         ++k) {
      if (row[k] < 0 || row[k] >= shape.rows)
        fail(fmt::format("entry {} refers to row {} of {} (counted from 0)", k, row[k], shape.rows));
      if (value[k] == 0) continue;
      out.col.push_back(static_cast<std::int32_t>(row[k]));
      out.value.push_back(value[k]);
    }
    out.row_start.push_back(out.nonzeros());
  }
  return out;
}

}  // namespace

/// The unpacked elements with the entries of a matrix.
struct MatFile::Parts {
  Parts(const MatFile& file, const Variable& variable) {
    const std::string at = file.where(variable.name);
    std::string_view body = variable.element.data;
    if (variable.element.type == MatType::compressed) {
      unpacked = inflate_mat(at, body, file.swapped_);
      body = std::string_view(unpacked).substr(8);
    }
    MatCursor cursor(at, body, file.swapped_, MatCursor::Padding::eight);
    for (int k = 0; k < 3; ++k) cursor.next();  // flags, shape and name
    const int wanted = variable.kind == sparse_class ? 3 : 1;
    for (int k = 0; k < wanted; ++k) elements.push_back(cursor.next());
  }
  Parts(const Parts&) = delete;  // elements point into it
  Parts& operator=(const Parts&) = delete;

  std::string unpacked;
  std::vector<MatElement> elements;
};

MatFile::MatFile(const Text& text) : text_(&text), swapped_(read_header(text)) {
  MatCursor file(text.where, std::string_view(text.bytes).substr(header_size), swapped_,
                 MatCursor::Padding::none);
  while (!file.at_end()) {
    const MatElement element = file.next();
    if (element.type == MatType::matrix || element.type == MatType::compressed) add_variable(element);
  }
}

void MatFile::add_variable(const MatElement& element) {
  const std::string at = fmt::format("{}: variable number {}", text_->where, variables_.size() + 1);
  std::string start;
  std::string_view body = element.data;
  if (element.type == MatType::compressed) {
    start = inflate_mat_start(at, element.data, preamble_size);
    if (start.size() < 8) refuse(at + ": is cut short; fetch the file again");
    body = std::string_view(start).substr(8);
  }
  MatCursor parts(at, body, swapped_, MatCursor::Padding::eight);
  const auto flags = parts.next().numbers<Index>(at);
  if (flags.size() != 2) refuse(at + ": has no array flags; the file is damaged, fetch it again");
  Variable out;
  out.kind = static_cast<std::uint32_t>(flags[0] & 0xFF);
  out.is_complex = (flags[0] & 0x800) != 0;
  out.element = element;
  if (out.kind <= last_numeric_class) {  // the others, functions and opaque objects, have no shape
    out.shape = parts.next().numbers<Index>(at);
    for (const Index size : out.shape) {
      if (size < 0) refuse("{}: has size {}; the file is damaged, fetch it again", at, size);
    }
    out.name = parts.next().data;
  }
  variables_.push_back(std::move(out));
}

std::vector<std::string> MatFile::names() const {
  std::vector<std::string> out;
  for (const Variable& variable : variables_) {
    if (!variable.name.empty()) out.push_back(variable.name);
  }
  return out;
}

bool MatFile::contains(std::string_view name) const {
  return std::any_of(variables_.begin(), variables_.end(), [&](const Variable& v) { return v.name == name; });
}

std::string MatFile::where(std::string_view name) const {
  return fmt::format("{}: variable '{}'", text_->where, printable(name));
}

const MatFile::Variable& MatFile::find(std::string_view name) const {
  const auto found =
      std::find_if(variables_.rbegin(), variables_.rend(), [&](const Variable& v) { return v.name == name; });
  if (found != variables_.rend()) return *found;
  std::string present;
  for (const std::string& other : names()) {
    if (present.size() > 60) break;
    present += (present.empty() ? "" : ", ") + printable(other);
  }
  refuse("{} is missing (the file has {}); save it there", where(name), present.empty() ? "none" : present);
}

const MatFile::Variable& MatFile::find_numeric(std::string_view name) const {
  const Variable& out = find(name);
  if (out.kind != sparse_class && (out.kind < first_numeric_class || out.kind > last_numeric_class))
    refuse(where(name) + ": is not a numeric matrix; save it as one");
  if (out.is_complex) refuse(where(name) + ": is complex; save its real part");
  if (out.shape.size() != 2)
    refuse("{}: has {} dimensions; save a matrix, which has 2", where(name), out.shape.size());
  return out;
}

MatFile::Shape MatFile::shape(std::string_view name) const {
  const Variable& variable = find_numeric(name);
  return {variable.shape[0], variable.shape[1]};
}

Csr MatFile::sparse(std::string_view name) const {
  const Variable& variable = find_numeric(name);
  const std::string at = where(name);
  const Shape size = shape(name);
  if (size.rows > most_indices || size.cols > most_indices)
    refuse("{}: has size {} x {}, the limit is {}; save a part of it", at, size.rows, size.cols,
           most_indices);
  // Every row takes memory, and nothing else in the file confirms the number of rows.
  const Index bytes = static_cast<Index>(variable.element.data.size());
  if (size.rows > std::max({Index{1} << 23, bytes, size.cols}))
    refuse("{}: states {} rows, but has only {} bytes; the file is damaged, fetch it again", at, size.rows,
           bytes);
  if (variable.kind != sparse_class) return sparse_of(dense(name));
  const Parts parts(*this, variable);
  const auto row = parts.elements[0].numbers<Index>(at), col_start = parts.elements[1].numbers<Index>(at);
  Csr out = transpose(compressed_columns(at, size, row, col_start, parts.elements[2].numbers<double>(at)));
  for (Index r = 0; r < out.rows; ++r) {
    for (Index k = out.row_start[r] + 1; k < out.row_start[r + 1]; ++k) {
      if (out.col[k] != out.col[k - 1]) continue;
      refuse("{}: row {}, column {} occurs twice; the file is damaged, fetch it again", at, r + 1,
             out.col[k] + 1);
    }
  }
  return out;
}

MatMatrix MatFile::dense(std::string_view name) const {
  const Variable& variable = find_numeric(name);
  const std::string at = where(name);
  if (variable.kind == sparse_class) refuse(at + ": is sparse; save it as full(" + printable(name) + ")");
  const auto stored = Parts(*this, variable).elements[0].numbers<double>(at);
  MatMatrix out{variable.shape[0], variable.shape[1], {}};
  const auto entries = static_cast<Index>(stored.size());
  const bool fits = out.cols == 0 ? entries == 0 : entries % out.cols == 0 && entries / out.cols == out.rows;
  if (!fits) {
    refuse("{}: states {} x {} entries, but has {}; the file is damaged, fetch it again", at, out.rows,
           out.cols, entries);
  }
  out.value.resize(stored.size());
  for (Index c = 0; c < out.cols; ++c) {
    for (Index r = 0; r < out.rows; ++r)
      out.value[static_cast<std::size_t>(r * out.cols + c)] =
          stored[static_cast<std::size_t>(c * out.rows + r)];
  }
  return out;
}

}  // namespace gdkm
