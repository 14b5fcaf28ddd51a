#include "tests/cli/run_program.hpp"
#include "tests/places.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace gdkm::testing {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string contents(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

[[noreturn]] void become(const std::vector<std::string>& command, const fs::path& folder,
                         const RunOptions& options, const fs::path& out, const fs::path& err) {
  // A test runner in the background may ignore SIGINT, which a program inherits.
  std::signal(SIGINT, SIG_DFL);
  const int input = ::open("/dev/null", O_RDONLY);
  const int output = ::open(out.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  const int error = ::open(err.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (::chdir(folder.c_str()) != 0 || ::dup2(input, 0) < 0 || ::dup2(output, 1) < 0 || ::dup2(error, 2) < 0) {
    ::_exit(126);
  }
  ::unsetenv("GDKM_DATA");
  ::setenv("XDG_CACHE_HOME", (folder / "no-cache").c_str(), 1);
  for (const auto& [name, value] : options.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::execv(words[0], words.data());
  ::_exit(127);
}

/// Before it watches, SIGINT would just end it.
bool watches_interrupts(pid_t process) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("SigCgt:")) return (std::stoull(line.substr(7), nullptr, 16) >> (SIGINT - 1)) & 1;
  }
  return false;
}

int wait_for(pid_t process, const RunOptions& options) {
  const auto start = Clock::now();
  std::optional<Clock::time_point> interrupt_at;
  bool interrupted = false;
  int status = 0;
  while (::waitpid(process, &status, WNOHANG) == 0) {
    const auto now = Clock::now();
    if (options.interrupt_after && !interrupt_at && watches_interrupts(process)) {
      interrupt_at = now + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(*options.interrupt_after));
    }
    if (interrupt_at && !interrupted && now >= *interrupt_at) {
      ::kill(process, SIGINT);
      interrupted = true;
    }
    if (std::chrono::duration<double>(now - start).count() > options.timeout) {
      ADD_FAILURE() << "the program was still running after " << options.timeout << " s";
      ::kill(process, SIGKILL);
      ::waitpid(process, &status, 0);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string joined(const std::vector<std::string>& words) {
  std::string out = "gdkm";
  for (const auto& word : words) out += " " + word;
  return out;
}

}  // namespace

int Outcome::error_lines() const {
  return static_cast<int>(std::count(err.begin(), err.end(), '\n'));
}

nlohmann::ordered_json Outcome::json() const {
  auto parsed = nlohmann::ordered_json::parse(out, nullptr, false);
  if (parsed.is_discarded()) throw std::runtime_error("standard output is not JSON: " + out);
  return parsed;
}

Outcome run_program(const std::vector<std::string>& command, const fs::path& folder,
                    const RunOptions& options) {
  const TemporaryFolder captured;
  const fs::path out = options.output.empty() ? captured / "out" : fs::path(options.output),
                 err = captured / "err";
  const pid_t process = ::fork();
  if (process == 0) become(command, folder, options, out, err);
  Outcome outcome;
  if (process < 0) return outcome;
  outcome.status = wait_for(process, options);
  if (options.output.empty()) outcome.out = contents(out);
  outcome.err = contents(err);
  return outcome;
}

Outcome Program::gdkm(const std::vector<std::string>& arguments, const RunOptions& options) const {
  std::vector<std::string> command{GDKM_BINARY};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_program(command, folder_.path(), options);
}

Outcome Program::done(const std::vector<std::string>& arguments, const RunOptions& options) const {
  Outcome outcome = gdkm(arguments, options);
  EXPECT_EQ(outcome.status, 0) << joined(arguments) << "\n" << outcome.err;
  return outcome;
}

void Program::refused(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& words) const {
  SCOPED_TRACE(joined(arguments));
  const auto before = files();
  const Outcome outcome = gdkm(arguments);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.error_lines(), 1) << outcome.err;
  EXPECT_TRUE(outcome.err.starts_with("gdkm: ")) << outcome.err;
  for (const auto& word : words)
    EXPECT_NE(outcome.err.find(word), std::string::npos) << word << " not in: " << outcome.err;
  EXPECT_EQ(files(), before);
}

std::vector<std::string> Program::files() const {
  std::vector<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
    out.push_back(fs::relative(entry.path(), folder_.path()).string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::string Program::read(const std::string& name) const {
  return contents(folder_ / name);
}

std::vector<std::string> small_train(const std::string& data, const std::vector<std::string>& more) {
  std::vector<std::string> out{"train", data, "--inducing", "15", "--epochs", "30", "--threads", "2"};
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

nlohmann::ordered_json without_seconds(nlohmann::ordered_json results) {
  for (auto& run : results["runs"]) run.erase("seconds");
  return results;
}

}  // namespace gdkm::testing
