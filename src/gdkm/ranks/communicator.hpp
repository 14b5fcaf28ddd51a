#pragma once

#include <cstddef>
#include <cstdint>
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

  const Traffic& traffic() const { return traffic_; }

 protected:
  virtual void do_add_up(std::span<float> values) = 0;
  virtual void do_add_up(std::span<double> values) = 0;
  virtual void do_broadcast(void* data, std::size_t bytes) = 0;
  virtual void do_all_gather(const void* mine, std::size_t bytes, void* out) = 0;
  virtual void do_start(std::span<const Message> send, std::span<const Message> receive) = 0;
  virtual void do_finish() = 0;

 private:
  Traffic traffic_;
};

}  // namespace gdkm
