#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gdkm/data/formats/matlab/mat5_element.hpp"
#include "gdkm/linalg/csr.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// A full matrix of a MATLAB file, row-major (MATLAB's own order is by columns).
struct MatMatrix {
  Index rows = 0, cols = 0;
  std::vector<double> value;
};

/// A MATLAB 5 to 7 file (.mat, as `save -v6` and `-v7` write it), of either byte order. Opening it reads the
/// names alone; a variable is unpacked when it is asked for. Only real numeric and logical matrices can be:
/// others are listed, and refused on request. Failures are InputErrors naming file, variable and remedy.
class MatFile {
 public:
  /// `text` must stay while the file is used.
  explicit MatFile(const Text& text);
  explicit MatFile(Text&&) = delete;

  const std::string& path() const { return text_->where; }
  std::vector<std::string> names() const;
  bool contains(std::string_view name) const;
  /// For messages: file and variable.
  std::string where(std::string_view name) const;

  struct Shape {
    Index rows, cols;
  };
  /// The shape as the file claims it, without unpacking: to be checked before the matrix is asked for.
  Shape shape(std::string_view name) const;

  /// A sparse matrix, or a full one without its zeros. It has no explicit zeros.
  Csr sparse(std::string_view name) const;
  /// A full matrix; a sparse one is refused.
  MatMatrix dense(std::string_view name) const;

 private:
  struct Variable {
    std::string name;
    std::uint32_t kind = 0;  // the format's class of arrays
    bool is_complex = false;
    std::vector<Index> shape;
    MatElement element;  // as it stands in the file, perhaps compressed
  };
  struct Parts;
  void add_variable(const MatElement& element);
  const Variable& find(std::string_view name) const;
  const Variable& find_numeric(std::string_view name) const;

  const Text* text_;
  bool swapped_ = false;
  std::vector<Variable> variables_;
};

}  // namespace gdkm
