#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/data/files/raw_npz.hpp"

namespace gdkm::testing {

/// What a program that ran to its end left behind. A signal that ended it counts as status 128 + signal.
struct Outcome {
  int status = -1;
  std::string out, err;

  int error_lines() const;
  /// Of standard output; where it is none, it throws, and the test fails.
  nlohmann::ordered_json json() const;
};

struct RunOptions {
  std::map<std::string, std::string> environment;
  double timeout = 120;  // seconds; then it is killed
  /// Sends SIGINT this many seconds after the program began to watch for it.
  std::optional<double> interrupt_after;
  std::string output = "";  // a file to take the place of captured standard output
};

Outcome run_program(const std::vector<std::string>& command, const std::filesystem::path& folder,
                    const RunOptions& options = {});

/// Runs gdkm in a folder of the test's own, away from the user's data sets.
class Program : public ::testing::Test {
 protected:
  Outcome gdkm(const std::vector<std::string>& arguments, const RunOptions& options = {}) const;
  /// The same, and a test failure where it does not end with status 0.
  Outcome done(const std::vector<std::string>& arguments, const RunOptions& options = {}) const;
  /// The program must refuse: status 2, one line on standard error that has all `words`, nothing else.
  void refused(const std::vector<std::string>& arguments, const std::vector<std::string>& words) const;

  std::vector<std::string> files() const;
  std::string read(const std::string& name) const;

  const TemporaryFolder folder_;
};

/// A graph, and options, with which a run takes some milliseconds.
const std::string small_graph = "csbm:n=90,classes=3,features=12,degree=6";
std::vector<std::string> small_train(const std::string& data, const std::vector<std::string>& more = {});

/// Results without what differs from one run to the next.
nlohmann::ordered_json without_seconds(nlohmann::ordered_json results);

}  // namespace gdkm::testing
