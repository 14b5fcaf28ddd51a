#pragma once

#include <signal.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "gdkm/store/owner.hpp"

namespace gdkm {

/// Child processes that execute runs, each as many at a time as it has slots. A crash ends only the runs of
/// one process. A worker receives run numbers on its standard input and reports on its standard output (see
/// sweep_worker.hpp). When this process ends in any way, the workers' input ends, and they stop.
class WorkerPool {
 public:
  struct Report {
    enum class Kind { began, epoch, done, failed, taken, released, retry_alone, none, lacks, died };
    Kind kind = Kind::done;
    std::int64_t run = 0;
    int epoch = 0;
    /// For `died`: which worker died, which runs it was executing, whether it would die again, whether it
    /// crashed, and why. For `lacks`: what the machine lacks.
    Owner owner;
    std::vector<std::int64_t> runs;
    bool deterministic = false, crashed = false;
    std::string message;
  };

  /// Workers run `program` with the arguments `command`; at most `processes` at a time, with `slots` each.
  /// `environment` has what they get beside this process's own, as NAME=value.
  WorkerPool(std::string program, std::vector<std::string> command, int processes, int slots = 1,
             std::vector<std::string> environment = {});
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  bool has_idle() const;
  bool is_busy() const;
  /// Gives a run to a worker with an idle slot; starts a worker if there is none. `any_run` lets the worker
  /// choose one in the store.
  void start(std::int64_t run);
  static constexpr std::int64_t any_run = 0;
  /// Waits up to `seconds` for reports; returns early on a report or a signal.
  std::vector<Report> wait(double seconds);
  /// The workers that have runs.
  std::vector<Owner> busy() const;

  /// Asks all workers to stop after their current epoch, and kills those that do not within `seconds`. The
  /// runs of a killed worker can be claimed again.
  void stop(double seconds);

 private:
  struct Worker {
    pid_t pid = 0;
    Owner owner;
    int input = -1, output = -1, error = -1;
    std::vector<std::int64_t> runs;
    std::chrono::steady_clock::time_point retired_at;  // when its input was closed
    std::string line, errors;
  };

  bool has_room(const Worker& worker) const;
  void launch(Worker& worker) const;
  void read_output(Worker& worker, std::vector<Report>& reports);
  static void read_line(const std::string& line, Worker& worker, std::vector<Report>& reports);
  void read_error(Worker& worker) const;
  void reap(Worker& worker, std::vector<Report>& reports) const;
  static void close_pipes(Worker& worker);

  std::string program_;
  std::vector<std::string> command_, environment_;
  std::size_t slots_;
  std::vector<Worker> workers_;
  struct sigaction former_pipe_action_ {};
};

}  // namespace gdkm
