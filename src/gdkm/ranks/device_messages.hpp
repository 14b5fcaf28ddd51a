#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "gdkm/ranks/communicator.hpp"

namespace gdkm {

/// What ranks send each other out of the memory of their devices, past the host. The calls return at once:
/// the work goes to `queue`, behind all that the caller's device has been asked for (a cudaStream_t, where
/// the devices are GPUs), and later work on that queue sees its results.
///
/// Every rank makes the same calls in the same order, as with a Communicator.
class DeviceMessages {
 public:
  DeviceMessages() = default;
  DeviceMessages(const DeviceMessages&) = delete;
  DeviceMessages& operator=(const DeviceMessages&) = delete;
  virtual ~DeviceMessages() = default;

  /// Who carries them, for people.
  virtual std::string description() const = 0;
  /// The device whose memory it reads and writes, as this process numbers devices.
  virtual int device() const = 0;

  /// Adds up what ranks have, number by number; all get the same bits.
  virtual void add_up(float* values, std::size_t count, void* queue) = 0;
  virtual void add_up(double* values, std::size_t count, void* queue) = 0;

  /// Begins to send and to receive. What is queued after it runs meanwhile, until finish(), for which later
  /// work waits. One exchange at a time, and no sums meanwhile.
  virtual void start(std::span<const Communicator::Message> send,
                     std::span<const Communicator::Message> receive, void* queue) = 0;
  virtual void finish(void* queue) = 0;

  /// Seconds for which queues have stood still for other ranks since the last call, as far as it is known
  /// yet.
  virtual double waited() = 0;
};

}  // namespace gdkm
