#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/store/owner.hpp"

namespace gdkm {

/// Child processes that work on runs, one run at a time each: a crash takes one run with it and nothing else.
/// A number goes down a child's standard input and a line comes back from its standard output (see
/// sweep_worker.hpp). When this process ends, however it ends, their input does too, and they stop.
class WorkerPool {
 public:
  struct Report {
    enum class Kind { epoch, done, failed, taken, released, died };
    Kind kind = Kind::done;
    std::int64_t run = 0;
    int epoch = 0;
    /// Of a death: whose it was, whether it would come again, and how it is put into words.
    Owner owner;
    bool deterministic = false;
    std::string message;
  };

  /// Workers run `program` with the words `command`; at most `jobs` live at a time.
  WorkerPool(std::string program, std::vector<std::string> command, int jobs);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  bool has_idle() const;
  bool is_busy() const;
  /// Gives a run to an idle worker, which is started where there is none yet.
  void start(std::int64_t run);
  /// What workers report within `seconds`; fewer where a report or a signal comes.
  std::vector<Report> wait(double seconds);
  /// Who is at work.
  std::vector<Owner> busy() const;

  /// Asks all to stop after their epoch and waits for that; those that do not within `seconds` are killed,
  /// which the store finds out.
  void stop(double seconds);

 private:
  struct Worker {
    pid_t pid = 0;
    Owner owner;
    int input = -1, output = -1, error = -1;
    std::int64_t run = 0;  // 0: idle
    std::string line, said;
  };

  void launch(Worker& worker) const;
  void read_output(Worker& worker, std::vector<Report>& reports);
  void read_error(Worker& worker) const;
  Report bury(Worker& worker) const;
  static void close_pipes(Worker& worker);

  std::string program_;
  std::vector<std::string> command_;
  std::vector<Worker> workers_;
};

}  // namespace gdkm
