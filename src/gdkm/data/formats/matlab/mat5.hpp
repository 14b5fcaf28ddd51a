#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gdkm/data/formats/matlab/mat5_element.hpp"
#include "gdkm/linalg/csr.hpp"
#include "gdkm/support/text.hpp"

namespace gdkm {

/// A full matrix, row-major (MATLAB itself stores columns).
struct MatMatrix {
  Index rows = 0, cols = 0;
  std::vector<double> value;
};

/// A MATLAB 5 to 7 file (.mat, written by `save -v6` or `-v7`) of either byte order. Opening it reads only
/// the names; a variable is unpacked on request. Only real numeric and logical matrices are supported; other
/// variables are listed, but refused on request. Failures are InputErrors that name file, variable and
/// remedy.
class MatFile {
 public:
  /// `text` must outlive the file.
  explicit MatFile(const Text& text);
  explicit MatFile(Text&&) = delete;

  const std::string& path() const { return text_->where; }
  std::vector<std::string> names() const;
  bool contains(std::string_view name) const;
  /// File and variable, for messages.
  std::string where(std::string_view name) const;

  struct Shape {
    Index rows, cols;
  };
  /// The shape that the file states, without unpacking, so that it can be checked first.
  Shape shape(std::string_view name) const;

  /// A sparse matrix, or a full one as sparse. It has no explicit zeros.
  Csr sparse(std::string_view name) const;
  /// A full matrix. A sparse one is refused.
  MatMatrix dense(std::string_view name) const;

 private:
  struct Variable {
    std::string name;
    std::uint32_t kind = 0;  // array class of the format
    bool is_complex = false;
    std::vector<Index> shape;
    MatElement element;  // as stored, perhaps compressed
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
