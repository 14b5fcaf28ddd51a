#pragma once

#include <cassert>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "gdkm/linalg/device.hpp"
#include "gdkm/support/host_device.hpp"

namespace gdkm {

using Index = std::int64_t;

/// Who has what of a matrix, where several processes (ranks) share the nodes of one graph. With one process
/// there is no difference.
enum class Space : std::uint8_t {
  shared,  // every rank has all of it, and the same numbers
  nodes,   // its rows (the entries of a vector) belong to nodes or items; a rank has those of its own
  terms    // a sum over nodes, of which a rank has the terms of its own nodes: see Backend::total
};

/// A row-major matrix that another object owns. A vector is a matrix with one row.
template <class T>
struct View {
  T* data = nullptr;
  Index rows = 0, cols = 0, stride = 0;
  Space space = Space::shared;

  View() = default;
  GDKM_HOST_DEVICE View(T* data_, Index rows_, Index cols_)
      : data(data_), rows(rows_), cols(cols_), stride(cols_) {}
  GDKM_HOST_DEVICE View(T* data_, Index rows_, Index cols_, Index stride_, Space space_ = Space::shared)
      : data(data_), rows(rows_), cols(cols_), stride(stride_), space(space_) {}

  GDKM_HOST_DEVICE operator View<const T>() const requires(!std::is_const_v<T>) {
    return {data, rows, cols, stride, space};
  }
  GDKM_HOST_DEVICE bool empty() const { return rows == 0 || cols == 0; }
  GDKM_HOST_DEVICE Index size() const { return rows * cols; }
  GDKM_HOST_DEVICE bool contiguous() const { return stride == cols || rows <= 1; }
  GDKM_HOST_DEVICE T* row(Index r) const { return data + r * stride; }
  View block_rows(Index begin, Index count) const {
    assert(begin >= 0 && begin + count <= rows);
    return {data + begin * stride, count, cols, stride, space};
  }
  View block_cols(Index begin, Index count) const {
    assert(begin >= 0 && begin + count <= cols);
    return {data + begin, rows, count, stride, space};
  }
  /// The first rows·cols numbers in another shape.
  View reshaped(Index rows_, Index cols_) const {
    assert(contiguous() && rows_ * cols_ <= size());
    return {data, rows_, cols_, cols_, space};
  }
  View in(Space other) const { return {data, rows, cols, stride, other}; }
};

template <class T>
using ConstView = View<const T>;

/// An owned row-major matrix on a device. Copies share the memory.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(Device& device, Index rows, Index cols, Space space = Space::shared)
      : buffer_(device, static_cast<std::size_t>(rows * cols)), rows_(rows), cols_(cols), space_(space) {}
  Matrix(Device& device, Index rows, Index cols, std::span<const T> host, Space space = Space::shared)
      : buffer_(device, host), rows_(rows), cols_(cols), space_(space) {
    assert(static_cast<Index>(host.size()) == rows * cols);
  }
  View<T> view() const { return {buffer_.data(), rows_, cols_, cols_, space_}; }
  operator View<T>() const { return view(); }
  operator View<const T>() const { return view(); }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  bool empty() const { return rows_ == 0 || cols_ == 0; }
  std::vector<T> to_host() const { return buffer_.to_host(); }

 private:
  Buffer<T> buffer_;
  Index rows_ = 0, cols_ = 0;
  Space space_ = Space::shared;
};

}  // namespace gdkm
