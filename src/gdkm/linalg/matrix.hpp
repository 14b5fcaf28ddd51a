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

/// A row-major matrix that another object owns. A vector is a matrix with one row.
template <class T>
struct View {
  T* data = nullptr;
  Index rows = 0, cols = 0, stride = 0;

  View() = default;
  GDKM_HOST_DEVICE View(T* data_, Index rows_, Index cols_)
      : data(data_), rows(rows_), cols(cols_), stride(cols_) {}
  GDKM_HOST_DEVICE View(T* data_, Index rows_, Index cols_, Index stride_)
      : data(data_), rows(rows_), cols(cols_), stride(stride_) {}

  GDKM_HOST_DEVICE operator View<const T>() const requires(!std::is_const_v<T>) {
    return {data, rows, cols, stride};
  }
  GDKM_HOST_DEVICE bool empty() const { return rows == 0 || cols == 0; }
  GDKM_HOST_DEVICE Index size() const { return rows * cols; }
  GDKM_HOST_DEVICE bool contiguous() const { return stride == cols || rows <= 1; }
  GDKM_HOST_DEVICE T* row(Index r) const { return data + r * stride; }
  View block_rows(Index begin, Index count) const {
    assert(begin >= 0 && begin + count <= rows);
    return {data + begin * stride, count, cols, stride};
  }
  View block_cols(Index begin, Index count) const {
    assert(begin >= 0 && begin + count <= cols);
    return {data + begin, rows, count, stride};
  }
};

template <class T>
using ConstView = View<const T>;

/// An owned row-major matrix on a device. Copies share the memory.
template <class T>
class Matrix {
 public:
  Matrix() = default;
  Matrix(Device& device, Index rows, Index cols)
      : buffer_(device, static_cast<std::size_t>(rows * cols)), rows_(rows), cols_(cols) {}
  Matrix(Device& device, Index rows, Index cols, std::span<const T> host)
      : buffer_(device, host), rows_(rows), cols_(cols) {
    assert(static_cast<Index>(host.size()) == rows * cols);
  }
  View<T> view() const { return {buffer_.data(), rows_, cols_}; }
  operator View<T>() const { return view(); }
  operator View<const T>() const { return view(); }
  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  bool empty() const { return rows_ == 0 || cols_ == 0; }
  std::vector<T> to_host() const { return buffer_.to_host(); }

 private:
  Buffer<T> buffer_;
  Index rows_ = 0, cols_ = 0;
};

}  // namespace gdkm
