#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/store/owner.hpp"

namespace gdkm {

/// Child processes that work on runs, each on as many at a time as it has slots: a crash takes the runs of
/// one process with it and nothing else. A number goes down a child's standard input and a line comes back
/// from its standard output (see sweep_worker.hpp). When this process ends, however it ends, their input does
/// too, and they stop.
class WorkerPool {
 public:
  struct Report {
    enum class Kind { epoch, done, failed, taken, released, crowded, died };
    Kind kind = Kind::done;
    std::int64_t run = 0;
    int epoch = 0;
    /// Of a death: whose it was, the runs it had, whether it would come again, and how it is put into words.
    Owner owner;
    std::vector<std::int64_t> runs;
    bool deterministic = false;
    std::string message;
  };

  /// Workers run `program` with the words `command`; at most `processes` live at a time, with `slots` each.
  WorkerPool(std::string program, std::vector<std::string> command, int processes, int slots = 1);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  bool has_idle() const;
  bool is_busy() const;
  /// Gives a run to a worker with an idle slot, which is started where there is none yet.
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
    std::vector<std::int64_t> runs;
    std::chrono::steady_clock::time_point asked_to_leave;  // where its input was closed
    std::string line, said;
  };

  bool has_room(const Worker& worker) const;
  void launch(Worker& worker) const;
  void read_output(Worker& worker, std::vector<Report>& reports);
  static void read_line(const std::string& line, Worker& worker, std::vector<Report>& reports);
  void read_error(Worker& worker) const;
  void bury(Worker& worker, std::vector<Report>& reports) const;
  static void close_pipes(Worker& worker);

  std::string program_;
  std::vector<std::string> command_;
  std::size_t slots_;
  std::vector<Worker> workers_;
};

}  // namespace gdkm
