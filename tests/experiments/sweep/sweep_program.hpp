#pragma once

#include <sys/types.h>

#include <map>
#include <string>
#include <vector>

#include "gdkm/store/store.hpp"
#include "tests/cli/run_program.hpp"

namespace gdkm::testing {

/// gdkm in the background, the leader of a process group of its own.
class BackgroundProgram {
 public:
  BackgroundProgram(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                    const std::string& output);
  ~BackgroundProgram();
  BackgroundProgram(const BackgroundProgram&) = delete;
  BackgroundProgram& operator=(const BackgroundProgram&) = delete;

  pid_t pid() const { return pid_; }
  bool is_running();
  void signal(int number) const;        // to the program alone
  void signal_group(int number) const;  // to its workers as well
  /// Its status, 128 + signal where one ended it; waits at most `seconds`, which then is a failure.
  int wait(double seconds);

 private:
  pid_t pid_ = 0;
  int status_ = 0;
  bool over_ = false;
};

/// Runs sweeps on generated graphs, in a folder of the test's own.
class SweepProgram : public Program {
 protected:
  /// 36 runs of so many epochs each: two stages of a dkm, one of a gcn.
  void write_spec(int epochs) const;
  /// A dkm on a graph of 60 nodes, in one stage: both texts are lines of TOML.
  void write_small_spec(const std::string& options, const std::string& stage) const;
  void write(const std::string& name, const std::string& text) const;
  Store store(const std::string& name = "runs.db") const { return Store::open(folder_ / name); }
  /// The table as JSON, without times.
  static nlohmann::ordered_json table(const std::string& text);
  /// How often each kind of event befell each run.
  std::map<std::int64_t, std::map<std::string, int>> events() const;
};

void sleep_for(double seconds);

}  // namespace gdkm::testing
