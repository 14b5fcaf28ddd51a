#pragma once

#include "gdkm/linalg/backend.hpp"

namespace gdkm {

/// The numbers of a matrix on a device. A copy is one of the numbers, too.
class DeviceNumbers {
 public:
  DeviceNumbers() = default;
  /// All zero. An InputError says how much memory is needed if there is not enough.
  DeviceNumbers(Backend<double>& device, Index rows, Index cols);
  DeviceNumbers(const DeviceNumbers& other);
  DeviceNumbers(DeviceNumbers&&) = default;
  DeviceNumbers& operator=(DeviceNumbers other) {
    device_ = other.device_;
    matrix_ = std::move(other.matrix_);
    return *this;
  }
  ~DeviceNumbers() = default;

  Backend<double>* device() const { return device_; }
  double* data() const { return matrix_.view().data; }

 private:
  Backend<double>* device_ = nullptr;
  Matrix<double> matrix_;
};

/// "1.2 GB".
std::string gigabytes(double bytes);

}  // namespace gdkm
