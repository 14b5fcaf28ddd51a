#include "gdkm/linalg/device_numbers.hpp"

#include <fmt/format.h>

#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {
/// To ask how much is free takes as long as some small operations.
constexpr std::size_t worth_asking = std::size_t{1} << 26;

Backend<double>& with_room(Backend<double>& device, Index rows, Index cols) {
  const std::size_t bytes = static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols) * sizeof(double);
  if (bytes < worth_asking) return device;
  const std::size_t free = device.bytes_free();
  if (bytes <= free) return device;
  throw InputError(fmt::format(
      "{}: a matrix of {} x {} numbers needs {}, and {} are free; use {} in place of {}, or {}",
      device.description(), rows, cols, gigabytes(static_cast<double>(bytes)),
      gigabytes(static_cast<double>(free)), option("landmarks"), option("exact"), option("device", "cpu")));
}
}  // namespace

DeviceNumbers::DeviceNumbers(Backend<double>& device, Index rows, Index cols)
    : device_(&device), matrix_(with_room(device, rows, cols), rows, cols) {}

DeviceNumbers::DeviceNumbers(const DeviceNumbers& other) : device_(other.device_) {
  if (device_ == nullptr) return;
  matrix_ = DeviceNumbers(*device_, other.matrix_.rows(), other.matrix_.cols()).matrix_;
  if (!matrix_.empty()) device_->add(1, other.matrix_, 0, matrix_);
}

std::string gigabytes(double bytes) {
  return fmt::format("{:.1f} GB", bytes / 1e9);
}

}  // namespace gdkm
