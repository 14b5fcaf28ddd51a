#include "tests/experiments/sweep/sweep_program.hpp"
#include "tests/places.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

namespace gdkm::testing {

void sleep_for(double seconds) {
  ::poll(nullptr, 0, static_cast<int>(seconds * 1000));
}

BackgroundProgram::BackgroundProgram(const std::vector<std::string>& arguments,
                                     const std::filesystem::path& folder, const std::string& output) {
  std::vector<std::string> command{GDKM_BINARY};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<char*> words;
  for (auto& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  pid_ = ::fork();
  if (pid_ != 0) return;
  ::setpgid(0, 0);
  ::signal(SIGINT, SIG_DFL);
  const int out = ::open((folder / output).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int nothing = ::open("/dev/null", O_RDWR);
  if (::chdir(folder.c_str()) != 0) ::_exit(126);
  ::dup2(nothing, 0);
  ::dup2(out, 1);
  ::dup2(nothing, 2);
  ::execv(words[0], words.data());
  ::_exit(127);
}

BackgroundProgram::~BackgroundProgram() {
  if (is_running()) {
    signal_group(SIGKILL);
    wait(10);
  }
}

bool BackgroundProgram::is_running() {
  if (!over_ && ::waitpid(pid_, &status_, WNOHANG) == pid_) over_ = true;
  return !over_;
}

void BackgroundProgram::signal(int number) const {
  ::kill(pid_, number);
}

void BackgroundProgram::signal_group(int number) const {
  if (::kill(-pid_, number) != 0) ::kill(pid_, number);
}

int BackgroundProgram::wait(double seconds) {
  const auto start = std::chrono::steady_clock::now();
  while (is_running()) {
    if (std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() > seconds) {
      ADD_FAILURE() << "the program was still running after " << seconds << " s";
      signal_group(SIGKILL);
      ::waitpid(pid_, &status_, 0);
      over_ = true;
    }
    sleep_for(0.005);
  }
  return WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_);
}

void SweepProgram::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name) << text;
}

void SweepProgram::write_spec(int epochs) const {
  write("spec.toml", fmt::format(R"(
datasets = ["csbm:n=90,classes=3,features=12,degree=6"]
seeds = 2
splits = 2
validate_every = 10
options = {{ epochs = {}, inducing = 12 }}
[[study]]
model = "dkm"
[[study.stage]]
name = "nu"
grid = {{ nu = [0.1, 1, "inf"] }}
[[study.stage]]
name = "architecture"
variants = [{{ arch = "kipf" }}, {{ arch = "kipf", lambda = 0.3 }}, {{ arch = "platonov" }}]
[[study]]
model = "gcn"
options = {{ patience = 0 }}
per = "dropout"
[[study.stage]]
grid = {{ dropout = [0, 0.5], width = [8, 16] }}
)",
                                 epochs));
}

void SweepProgram::write_small_spec(const std::string& options, const std::string& stage) const {
  write("spec.toml", "datasets = ['csbm:n=60,classes=2']\n" + options +
                         "\n[[study]]\nmodel = 'dkm'\n[[study.stage]]\n" + stage + "\n");
}

nlohmann::ordered_json SweepProgram::table(const std::string& text) {
  auto out = nlohmann::ordered_json::parse(text);
  for (auto& line : out) line.erase("seconds");
  return out;
}

std::map<std::int64_t, std::map<std::string, int>> SweepProgram::events() const {
  std::map<std::int64_t, std::map<std::string, int>> out;
  const Store from = store();
  for (const StoredRun& run : from.runs()) {
    out[run.id];
    for (const auto& event : from.events(run.id)) ++out[run.id][event.kind];
  }
  return out;
}

}  // namespace gdkm::testing
