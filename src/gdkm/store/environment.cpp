#include "gdkm/store/environment.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

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

/// The library that answers now, which need not be the one that was linked.
std::string blas() {
  if (void* config = dlsym(RTLD_DEFAULT, "openblas_get_config"))
    return reinterpret_cast<const char* (*)()>(config)();
  if (dlsym(RTLD_DEFAULT, "MKL_Set_Num_Threads") != nullptr) return "MKL";
  if (dlsym(RTLD_DEFAULT, "bli_thread_set_num_threads") != nullptr) return "BLIS";
  return "unknown";
}

}  // namespace

nlohmann::json describe_environment() {
  static const std::string cpu = processor(), library = blas();  // OpenBLAS answers one thread at a time
  utsname system{};
  uname(&system);
  return {{"version", std::string(version)},
          {"commit", std::string(git_commit)},
          {"machine",
           fmt::format("{} {} {} {}", system.nodename, system.sysname, system.release, system.machine)},
          {"processor", cpu},
          {"cores", sysconf(_SC_NPROCESSORS_ONLN)},
          {"blas", library}};
}

}  // namespace gdkm
