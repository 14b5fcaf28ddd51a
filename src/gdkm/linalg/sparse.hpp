#pragma once

#include <memory>

#include "gdkm/linalg/csr.hpp"
#include "gdkm/linalg/device.hpp"
#include "gdkm/linalg/halo.hpp"

namespace gdkm {

template <class T>
struct RemoteColumns;

/// A sparse matrix on a device, with its transpose (or itself, if it is symmetric). So products with either
/// run over rows: in parallel, without atomics, in a fixed order.
template <class T>
class Sparse {
 public:
  struct Part {
    Index rows = 0, cols = 0;
    Buffer<Index> row_start;
    Buffer<std::int32_t> col;
    Buffer<T> value;
  };

  Sparse() = default;
  Sparse(Device& device, const Csr& csr) : direct_(part(device, csr)) {
    transposed_ = is_symmetric(csr) ? direct_ : part(device, transpose(csr));
  }
  /// What one rank has of a matrix over the nodes of all ranks.
  Sparse(Device& device, const DistributedCsr& csr) : Sparse(device, csr.own) {
    remote_ = std::make_shared<const RemoteColumns<T>>(
        RemoteColumns<T>{Sparse(device, csr.remote), csr.halo, Buffer<std::int32_t>(device, csr.halo.send)});
  }
  Index rows() const { return direct_ ? direct_->rows : 0; }
  Index cols() const { return direct_ ? direct_->cols : 0; }
  Index nonzeros() const { return direct_ ? static_cast<Index>(direct_->col.size()) : 0; }
  bool empty() const { return !direct_; }
  const Part& direct() const { return *direct_; }
  const Part& transposed() const { return *transposed_; }
  /// The columns of other ranks' nodes; null where rows are not those of several ranks.
  const RemoteColumns<T>* remote() const { return remote_.get(); }

 private:
  static std::shared_ptr<const Part> part(Device& device, const Csr& csr) {
    const std::vector<T> value(csr.value.begin(), csr.value.end());
    return std::make_shared<Part>(Part{csr.rows, csr.cols, Buffer<Index>(device, csr.row_start),
                                       Buffer<std::int32_t>(device, csr.col), Buffer<T>(device, value)});
  }
  std::shared_ptr<const Part> direct_, transposed_;
  std::shared_ptr<const RemoteColumns<T>> remote_;
};

template <class T>
struct RemoteColumns {
  Sparse<T> matrix;  // own nodes × rows of the halo
  Halo halo;
  Buffer<std::int32_t> send;  // halo.send on the device
};

}  // namespace gdkm
