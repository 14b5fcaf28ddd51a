#include "gdkm/store/stored_run.hpp"

#include "gdkm/support/error.hpp"

namespace gdkm {

std::string name_of(RunStatus status) {
  switch (status) {
    case RunStatus::pending:
      return "pending";
    case RunStatus::running:
      return "running";
    case RunStatus::done:
      return "done";
    case RunStatus::failed:
      break;
  }
  return "failed";
}

RunStatus run_status(const std::string& name) {
  for (const RunStatus status :
       {RunStatus::pending, RunStatus::running, RunStatus::done, RunStatus::failed}) {
    if (name_of(status) == name) return status;
  }
  throw InputError("unknown status '" + name + "'; expected pending, running, done or failed");
}

std::optional<double> StoredRun::val() const {
  return result && result->val ? std::optional(result->val->score()) : std::nullopt;
}

std::optional<double> StoredRun::test() const {
  return result && result->test ? std::optional(result->test->score()) : std::nullopt;
}

}  // namespace gdkm
