#include "gdkm/store/environment.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "gdkm/support/version.hpp"

namespace gdkm {

namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

/// The BLAS that is loaded, which may differ from the one that was linked.
std::string blas() {
  if (void* config = dlsym(RTLD_DEFAULT, "openblas_get_config"))
    return reinterpret_cast<const char* (*)()>(config)();
  if (dlsym(RTLD_DEFAULT, "MKL_Set_Num_Threads") != nullptr) return "MKL";
  if (dlsym(RTLD_DEFAULT, "bli_thread_set_num_threads") != nullptr) return "BLIS";
  return "unknown";
}

constexpr std::pair<const char*, std::string Environment::*> texts[] = {
    {"version", &Environment::version}, {"commit", &Environment::commit},
    {"machine", &Environment::machine}, {"processor", &Environment::processor},
    {"blas", &Environment::blas},       {"device", &Environment::device}};
constexpr std::pair<const char*, int Environment::*> numbers[] = {{"cores", &Environment::cores},
                                                                  {"threads", &Environment::threads}};

}  // namespace

Environment describe_environment() {
  static const std::string cpu = processor(), library = blas();  // openblas_get_config is not thread-safe
  utsname system{};
  uname(&system);
  Environment out;
  out.version = version;
  out.commit = git_commit;
  out.machine = fmt::format("{} {} {} {}", system.nodename, system.sysname, system.release, system.machine);
  out.processor = cpu;
  out.blas = library;
  out.cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return out;
}

nlohmann::json to_json(const Environment& environment) {
  auto out = nlohmann::json::object();
  for (const auto& [name, member] : texts) {
    if (!(environment.*member).empty()) out[name] = environment.*member;
  }
  for (const auto& [name, member] : numbers) {
    if (environment.*member != 0) out[name] = environment.*member;
  }
  return out;
}

Environment environment_from_json(const nlohmann::json& json) {
  Environment out;
  for (const auto& [name, member] : texts) out.*member = json.value(name, "");
  for (const auto& [name, member] : numbers) out.*member = json.value(name, 0);
  return out;
}

}  // namespace gdkm
