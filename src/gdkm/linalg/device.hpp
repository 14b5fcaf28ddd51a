#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace gdkm {

/// Work that is repeated with the same arguments.
class Recording {
 public:
  virtual ~Recording() = default;
  virtual void replay() = 0;
};

/// A copy of numbers to the host that runs while the device goes on working.
class Readback {
 public:
  virtual ~Readback() = default;
  /// Starts a copy of the bytes as they are after all work before this call.
  virtual void start(const void* device) = 0;
  /// Whether the copy is complete; it is after wait().
  virtual bool ready() const = 0;
  virtual const void* wait() = 0;
};

/// Memory on a device, and copies from and to the host.
class Device {
 public:
  virtual ~Device() = default;
  virtual std::string description() const = 0;
  /// The number of bytes allocated now, including workspaces.
  virtual std::size_t bytes_in_use() const = 0;
  /// Whether so many bytes more may be spent to save time.
  virtual bool can_spare(std::size_t /*bytes*/) const { return false; }
  /// The number of bytes that can still be allocated; no limit where nobody knows one.
  virtual std::size_t bytes_free() const { return std::numeric_limits<std::size_t>::max(); }
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory, std::size_t bytes) noexcept = 0;
  virtual void upload(const void* host, void* device, std::size_t bytes) = 0;
  virtual void download(const void* device, void* host, std::size_t bytes) const = 0;
  /// Records `work`, which must call only primitives: it may be called once, or on every replay.
  virtual std::unique_ptr<Recording> record(std::function<void()> work) = 0;
  virtual std::unique_ptr<Readback> make_readback(std::size_t bytes) = 0;
};

/// An owned array on a device.
template <class T>
class Buffer {
 public:
  Buffer() = default;
  Buffer(Device& device, std::size_t size) : device_(&device), size_(size) {
    if (size > 0)
      data_.reset(static_cast<T*>(device.allocate(size * sizeof(T))), Release{&device, size * sizeof(T)});
  }
  Buffer(Device& device, std::span<const T> host) : Buffer(device, host.size()) {
    if (size_ > 0) device.upload(host.data(), data(), size_ * sizeof(T));
  }
  T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    if (size_ > 0) device_->download(data(), host.data(), size_ * sizeof(T));
    return host;
  }

 private:
  struct Release {
    Device* device;
    std::size_t bytes;
    void operator()(T* memory) const noexcept { device->release(memory, bytes); }
  };
  Device* device_ = nullptr;
  std::shared_ptr<T> data_;
  std::size_t size_ = 0;
};

}  // namespace gdkm
