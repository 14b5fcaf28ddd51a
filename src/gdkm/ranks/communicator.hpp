#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace gdkm {

/// Another rank failed, and nothing that needs it can go on. Who failed says why.
class RankFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a rank has sent and how long it has waited for others.
struct Traffic {
  std::int64_t sent_bytes = 0;    // in messages to single ranks
  std::int64_t summed_bytes = 0;  // of numbers that were added up, counted once
  std::int64_t messages = 0, sums = 0;
  double waited = 0;  // seconds in calls that need other ranks
};

class DeviceMessages;

/// The processes (ranks) that share one graph, as one of them sees them. All memory is the host's.
///
/// Every rank makes the same calls in the same order; only start() may differ in what it sends.
class Communicator {
 public:
  struct Message {
    int rank = 0;  // to whom, or from whom
    void* data = nullptr;
    std::size_t bytes = 0;
  };

  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  virtual ~Communicator() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  bool is_first() const { return rank() == 0; }
  /// The machine, for messages.
  virtual std::string host() const = 0;

  /// Adds up what ranks have, number by number; all get the same bits.
  void add_up(std::span<float> values);
  void add_up(std::span<double> values);
  /// What rank 0 has, for all.
  void broadcast(void* data, std::size_t bytes);
  /// `bytes` of every rank, in the order of ranks; `out` has size() times as many.
  void all_gather(const void* mine, std::size_t bytes, void* out);

  /// Begins to send and to receive. Sizes agree on both sides, and the memory stays until finish(), which
  /// waits. One exchange at a time; sums and the like wait until it is finished.
  void start(std::span<const Message> send, std::span<const Message> receive);
  void finish();

  /// What goes past the host, from device to device; null until there is something. It is kept here because
  /// it takes all ranks, and a second, to make it, and all ranks to end it.
  const std::shared_ptr<DeviceMessages>& device_messages() const { return device_messages_; }
  void keep(std::shared_ptr<DeviceMessages> messages) { device_messages_ = std::move(messages); }

  const Traffic& traffic() const { return traffic_; }
  /// Counts what went past the host.
  void count_sum(std::size_t bytes) {
    traffic_.summed_bytes += static_cast<std::int64_t>(bytes);
    ++traffic_.sums;
  }
  void count_sent(std::span<const Message> messages) {
    for (const Message& message : messages) traffic_.sent_bytes += static_cast<std::int64_t>(message.bytes);
    traffic_.messages += static_cast<std::int64_t>(messages.size());
  }
  void count_wait(double seconds) { traffic_.waited += seconds; }

 protected:
  virtual void do_add_up(std::span<float> values) = 0;
  virtual void do_add_up(std::span<double> values) = 0;
  virtual void do_broadcast(void* data, std::size_t bytes) = 0;
  virtual void do_all_gather(const void* mine, std::size_t bytes, void* out) = 0;
  virtual void do_start(std::span<const Message> send, std::span<const Message> receive) = 0;
  virtual void do_finish() = 0;

 private:
  Traffic traffic_;
  std::shared_ptr<DeviceMessages> device_messages_;
};

}  // namespace gdkm
