#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gdkm {

/// The program and machine of a run. Text is empty, and a number 0, if it is unknown.
struct Environment {
  std::string version, commit, machine, processor, blas, device;
  int cores = 0, threads = 0;
};

/// That of this process; the caller adds device and threads.
Environment describe_environment();

/// {"version", "commit", …}, without unknown values.
nlohmann::json to_json(const Environment& environment);
Environment environment_from_json(const nlohmann::json& json);

}  // namespace gdkm
