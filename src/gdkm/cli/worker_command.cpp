#include "gdkm/cli/worker_command.hpp"

#include <unistd.h>

#include <algorithm>

#include "gdkm/cli/options.hpp"

namespace gdkm::cli {

void settle_workers(SweepOptions& options, const Invocation& self, const std::string& data_dir,
                    const DeviceId& device, int validate_every) {
  int &jobs = options.jobs, &threads = options.threads, &slots = options.slots;
  const auto cores = std::max(1, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
  if (jobs == 0) jobs = device.is_cpu() ? cores : 8;  // one run does not keep a GPU busy
  // Threads of one process share a GPU, while processes take turns. On a CPU threads gain nothing, and a
  // crash would end all runs.
  if (slots == 0) slots = device.is_cpu() ? 1 : jobs;
  if (threads == 0) threads = std::max(1, cores / jobs);
  options.data_dir = folder(data_dir);
  options.program = self.program;
  options.worker_command = {self.name};
  options.worker_command.insert(options.worker_command.end(), self.arguments.begin(), self.arguments.end());
  options.worker_command.insert(options.worker_command.end(), {"sweep", options.store.shown(), "--worker"});
  // Everybody can read the words of a command, but only the user its environment.
  if (!options.store.password().empty())
    options.worker_environment = {"PGPASSWORD=" + options.store.password()};
  const auto pass_on = [&](const std::string& option, const std::string& value) {
    options.worker_command.insert(options.worker_command.end(), {option, value});
  };
  pass_on("--slots", std::to_string(slots));
  pass_on("--threads", std::to_string(threads));
  pass_on("--device", to_string(device));
  pass_on("--validate-every", std::to_string(validate_every));
  if (!data_dir.empty()) pass_on("--data-dir", data_dir);
}

}  // namespace gdkm::cli
