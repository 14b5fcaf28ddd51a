#include "gdkm/ranks/thread_ranks.hpp"

#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>

#include "gdkm/support/thread_pool.hpp"

namespace gdkm {

namespace {

/// Where threads meet.
class Meeting {
 public:
  explicit Meeting(int count) : posts_(static_cast<std::size_t>(count)), count_(count) {}

  int count() const { return count_; }
  /// Waits until all threads are here.
  void wait() {
    std::unique_lock lock(mutex_);
    const std::uint64_t round = round_;
    if (++here_ == count_) {
      here_ = 0;
      ++round_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return round_ != round || failed_; });
    if (failed_) throw RankFailure("another rank failed");
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }

  /// What each thread shows the others between two calls of wait().
  struct Post {
    const void* data = nullptr;
    std::span<const Communicator::Message> send;
  };
  Post& post(int rank) { return posts_[static_cast<std::size_t>(rank)]; }

 private:
  std::vector<Post> posts_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_, here_ = 0;
  std::uint64_t round_ = 0;
  bool failed_ = false;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(Meeting& meeting, int rank) : meeting_(meeting), rank_(rank) {}

  int rank() const override { return rank_; }
  int size() const override { return meeting_.count(); }
  std::string host() const override { return "this process"; }

 protected:
  void do_add_up(std::span<float> values) override { sum(values); }
  void do_add_up(std::span<double> values) override { sum(values); }
  void do_broadcast(void* data, std::size_t bytes) override {
    with_posts(data, [&] {
      if (rank_ != 0 && bytes > 0) std::memcpy(data, meeting_.post(0).data, bytes);
    });
  }
  void do_all_gather(const void* mine, std::size_t bytes, void* out) override {
    with_posts(mine, [&] {
      for (int r = 0; r < size() && bytes > 0; ++r)
        std::memcpy(static_cast<char*>(out) + static_cast<std::size_t>(r) * bytes, meeting_.post(r).data,
                    bytes);
    });
  }
  void do_start(std::span<const Message> send, std::span<const Message> receive) override {
    send_.assign(send.begin(), send.end());
    receive_.assign(receive.begin(), receive.end());
  }
  void do_finish() override {
    meeting_.post(rank_).send = send_;
    meeting_.wait();
    for (const Message& to : receive_) take(to);
    meeting_.wait();
  }

 private:
  /// Calls `use` while the data of all ranks can be read.
  template <class Use>
  void with_posts(const void* data, const Use& use) {
    meeting_.post(rank_).data = data;
    meeting_.wait();
    use();
    meeting_.wait();
  }
  template <class V>
  void sum(std::span<V> values) {
    std::vector<V> total(values.size(), V(0));
    with_posts(values.data(), [&] {
      for (int r = 0; r < size(); ++r) {
        const V* each = static_cast<const V*>(meeting_.post(r).data);
        for (std::size_t k = 0; k < total.size(); ++k) total[k] += each[k];
      }
    });
    std::copy(total.begin(), total.end(), values.begin());
  }
  void take(const Message& to) const {
    for (const Message& from : meeting_.post(to.rank).send) {
      if (from.rank != rank_) continue;
      if (from.bytes != to.bytes) throw std::logic_error("[Communicator] a message has another size");
      std::memcpy(to.data, from.data, to.bytes);
      return;
    }
    throw std::logic_error("[Communicator] a message was never sent");
  }

  Meeting& meeting_;
  int rank_;
  std::vector<Message> send_, receive_;
};

}  // namespace

void run_as_ranks(int count, const std::function<void(Communicator&)>& work) {
  Meeting meeting(count);
  std::mutex mutex;
  std::exception_ptr first;
  ThreadPool(count).run([&](int rank) {
    try {
      ThreadCommunicator ranks(meeting, rank);
      work(ranks);
    } catch (const RankFailure&) {
      meeting.fail();
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!first) first = std::current_exception();
      meeting.fail();
    }
  });
  if (first) std::rethrow_exception(first);
}

}  // namespace gdkm
