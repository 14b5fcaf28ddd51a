#include "gdkm/ranks/communicator.hpp"

#include <chrono>

namespace gdkm {

namespace {

/// Adds the time that it lives to a number of seconds.
class Waiting {
 public:
  explicit Waiting(double& seconds) : seconds_(seconds), start_(Clock::now()) {}
  ~Waiting() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Waiting(const Waiting&) = delete;
  Waiting& operator=(const Waiting&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& seconds_;
  Clock::time_point start_;
};

}  // namespace

void Communicator::add_up(std::span<float> values) {
  count_sum(values.size_bytes());
  const Waiting waiting(traffic_.waited);
  do_add_up(values);
}

void Communicator::add_up(std::span<double> values) {
  count_sum(values.size_bytes());
  const Waiting waiting(traffic_.waited);
  do_add_up(values);
}

void Communicator::broadcast(void* data, std::size_t bytes) {
  const Waiting waiting(traffic_.waited);
  do_broadcast(data, bytes);
}

void Communicator::all_gather(const void* mine, std::size_t bytes, void* out) {
  const Waiting waiting(traffic_.waited);
  do_all_gather(mine, bytes, out);
}

void Communicator::start(std::span<const Message> send, std::span<const Message> receive) {
  count_sent(send);
  do_start(send, receive);
}

void Communicator::finish() {
  const Waiting waiting(traffic_.waited);
  do_finish();
}

}  // namespace gdkm
