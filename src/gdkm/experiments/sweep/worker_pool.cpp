#include "gdkm/experiments/sweep/worker_pool.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <system_error>

namespace gdkm {

namespace {

/// How long a retired worker may take to end: its runs or its device may be stuck.
constexpr std::chrono::seconds retire_seconds{60};

/// Closed on exec, because a worker would not see its input end while another worker holds it open.
std::array<int, 2> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
  return ends;
}

std::string exit_text(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return fmt::format("signal {} ({}) ended its process", signal, strsignal(signal));
  }
  return fmt::format("its process ended with status {}", WEXITSTATUS(status));
}

/// Whether something outside killed the process, for example the system when it ran out of memory.
bool was_killed(int status) {
  if (!WIFSIGNALED(status)) return false;
  const int signal = WTERMSIG(status);
  return signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

std::string last_line(std::string text) {
  text.erase(text.find_last_not_of("\n ") + 1);
  return text.substr(text.rfind('\n') + 1);  // npos + 1 is 0
}

}  // namespace

WorkerPool::WorkerPool(std::string program, std::vector<std::string> command, int processes, int slots,
                       std::vector<std::string> environment)
    : program_(std::move(program)),
      command_(std::move(command)),
      environment_(std::move(environment)),
      slots_(static_cast<std::size_t>(slots)),
      workers_(static_cast<std::size_t>(processes)) {
  // `wait` notices when a worker has ended.
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &former_pipe_action_);
}

WorkerPool::~WorkerPool() {
  stop(0);
  ::sigaction(SIGPIPE, &former_pipe_action_, nullptr);
}

/// A retired worker, whose input is closed, gets no more runs.
bool WorkerPool::has_room(const Worker& worker) const {
  return worker.pid == 0 || (worker.input >= 0 && worker.runs.size() < slots_);
}

bool WorkerPool::has_idle() const {
  return std::any_of(workers_.begin(), workers_.end(), [&](const Worker& w) { return has_room(w); });
}

bool WorkerPool::is_busy() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const Worker& w) { return !w.runs.empty(); });
}

std::vector<Owner> WorkerPool::busy() const {
  std::vector<Owner> out;
  for (const Worker& worker : workers_) {
    if (!worker.runs.empty()) out.push_back(worker.owner);
  }
  return out;
}

void WorkerPool::launch(Worker& worker) const {
  const auto input = make_pipe(), output = make_pipe(), error = make_pipe();
  std::vector<char*> words, variables;
  for (const auto& word : command_) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  for (const auto& variable : environment_) variables.push_back(const_cast<char*>(variable.c_str()));
  for (char** variable = environ; *variable != nullptr; ++variable) variables.push_back(*variable);
  variables.push_back(nullptr);
  const pid_t pid = ::fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "cannot start a worker");
  if (pid == 0) {
    // Ctrl-C, or the SIGTERM that a batch system sends to all processes of a job, is for the parent, which
    // then closes this worker's input.
    ::signal(SIGINT, SIG_IGN);
    ::signal(SIGTERM, SIG_IGN);
    ::dup2(input[0], 0);
    ::dup2(output[1], 1);
    ::dup2(error[1], 2);
    ::execve(program_.c_str(), words.data(), variables.data());
    ::_exit(127);
  }
  ::close(input[0]);
  ::close(output[1]);
  ::close(error[1]);
  worker = Worker{};
  worker.pid = pid;
  worker.owner = local_process(pid);
  worker.input = input[1];
  worker.output = output[0];
  worker.error = error[0];
  ::fcntl(worker.error, F_SETFL, O_NONBLOCK);
}

void WorkerPool::start(std::int64_t run) {
  // Prefer a worker that is already running.
  auto chosen = std::find_if(workers_.begin(), workers_.end(),
                             [&](const Worker& w) { return w.pid != 0 && has_room(w); });
  if (chosen == workers_.end()) {
    chosen = std::find_if(workers_.begin(), workers_.end(), [](const Worker& w) { return w.pid == 0; });
    launch(*chosen);
  }
  Worker& worker = *chosen;
  worker.runs.push_back(run);
  const std::string line = fmt::format("{}\n", run);
  // If this fails, the worker is dead, and `wait` notices.
  [[maybe_unused]] const auto written = ::write(worker.input, line.data(), line.size());
}

std::vector<WorkerPool::Report> WorkerPool::wait(double seconds) {
  std::vector<pollfd> watched;
  std::vector<Worker*> whose;
  for (Worker& worker : workers_) {
    if (worker.pid == 0) continue;
    if (worker.input < 0 && std::chrono::steady_clock::now() > worker.retired_at + retire_seconds)
      ::kill(worker.pid, SIGKILL);
    watched.push_back({worker.output, POLLIN, 0});
    watched.push_back({worker.error, POLLIN, 0});
    whose.push_back(&worker);
  }
  std::vector<Report> out;
  if (::poll(watched.data(), watched.size(), static_cast<int>(seconds * 1000)) <= 0) return out;
  for (std::size_t k = 0; k < whose.size(); ++k) {
    if (watched[2 * k + 1].revents != 0) read_error(*whose[k]);
    if (watched[2 * k].revents != 0) read_output(*whose[k], out);
  }
  return out;
}

void WorkerPool::read_error(Worker& worker) const {
  std::array<char, 4096> buffer{};
  for (ssize_t got = 0; (got = ::read(worker.error, buffer.data(), buffer.size())) > 0;) {
    worker.errors.append(buffer.data(), static_cast<std::size_t>(got));
    if (worker.errors.size() > 16384) worker.errors.erase(0, worker.errors.size() - 8192);
  }
}

void WorkerPool::read_output(Worker& worker, std::vector<Report>& reports) {
  std::array<char, 4096> buffer{};
  const auto got = ::read(worker.output, buffer.data(), buffer.size());
  if (got <= 0) {
    if (got == 0 || errno != EINTR) reap(worker, reports);
    return;
  }
  worker.line.append(buffer.data(), static_cast<std::size_t>(got));
  for (std::size_t end = 0; (end = worker.line.find('\n')) != std::string::npos;) {
    const std::string line = worker.line.substr(0, end);
    worker.line.erase(0, end + 1);
    read_line(line, worker, reports);
  }
}

void WorkerPool::read_line(const std::string& line, Worker& worker, std::vector<Report>& reports) {
  std::istringstream words(line);
  std::string kind;
  Report report;
  words >> kind >> report.run >> report.epoch;
  if (kind == "retire") {
    if (worker.input >= 0) ::close(worker.input);
    worker.input = -1;
    worker.retired_at = std::chrono::steady_clock::now();
    return;
  }
  using enum Report::Kind;
  report.kind = kind == "epoch"         ? epoch
                : kind == "began"       ? began
                : kind == "done"        ? done
                : kind == "failed"      ? failed
                : kind == "taken"       ? taken
                : kind == "retry_alone" ? retry_alone
                : kind == "none"        ? none
                : kind == "lacks"       ? lacks
                                        : released;
  if (report.kind == lacks) report.message = line.substr(line.find(' ', kind.size() + 1) + 1);
  if (report.kind == began) {
    const auto asked = std::find(worker.runs.begin(), worker.runs.end(), any_run);
    if (asked != worker.runs.end()) *asked = report.run;
  } else if (report.kind != epoch && report.kind != lacks) {
    const auto ended = std::find(worker.runs.begin(), worker.runs.end(), report.run);
    if (ended != worker.runs.end()) worker.runs.erase(ended);
  }
  reports.push_back(std::move(report));
}

void WorkerPool::reap(Worker& worker, std::vector<Report>& reports) const {
  read_error(worker);
  int status = 0;
  while (::waitpid(worker.pid, &status, 0) < 0 && errno == EINTR) {
  }
  // A retired worker has given its runs back, so a crash at its end does no harm.
  const bool retired = worker.input < 0 && worker.runs.empty();
  if (!retired) {
    Report out;
    out.kind = Report::Kind::died;
    out.runs = worker.runs;
    out.owner = worker.owner;
    out.deterministic = !was_killed(status);
    out.crashed = WIFSIGNALED(status) && !was_killed(status);
    const std::string error = last_line(worker.errors);
    out.message = exit_text(status) + (error.empty() ? "" : ": " + error);
    reports.push_back(std::move(out));
  }
  close_pipes(worker);
  worker = Worker{};
}

void WorkerPool::close_pipes(Worker& worker) {
  for (int* end : {&worker.input, &worker.output, &worker.error}) {
    if (*end >= 0) ::close(*end);
    *end = -1;
  }
}

void WorkerPool::stop(double seconds) {
  for (Worker& worker : workers_) {
    if (worker.input >= 0) ::close(worker.input);
    worker.input = -1;
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  for (Worker& worker : workers_) {
    if (worker.pid == 0) continue;
    int status = 0;
    while (::waitpid(worker.pid, &status, WNOHANG) == 0) {
      if (std::chrono::steady_clock::now() >= deadline) {
        ::kill(worker.pid, SIGKILL);
        ::waitpid(worker.pid, &status, 0);
        break;
      }
      ::poll(nullptr, 0, 10);
    }
    close_pipes(worker);
    worker = Worker{};
  }
}

}  // namespace gdkm
