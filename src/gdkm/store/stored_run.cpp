#include "gdkm/store/stored_run.hpp"

#include "gdkm/support/error.hpp"

namespace gdkm {

RunStatus run_status(const std::string& name) {
  if (const auto status = value_named<RunStatus>(name)) return *status;
  throw InputError("unknown status '" + name + "'; expected pending, running, done or failed");
}

std::optional<double> StoredRun::val() const {
  return result && result->val ? std::optional(result->val->score()) : std::nullopt;
}

std::optional<double> StoredRun::test() const {
  return result && result->test ? std::optional(result->test->score()) : std::nullopt;
}

RunValue run_value(const StoredRun& run, double value) {
  return {static_cast<std::int64_t>(run.configuration.seed), run.configuration.split, value};
}

}  // namespace gdkm
