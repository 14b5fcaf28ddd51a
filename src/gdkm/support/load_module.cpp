#include "gdkm/support/load_module.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

namespace gdkm {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> likely_places(const char* module) {
  std::vector<fs::path> files;
  std::error_code ignored;
  if (const fs::path program = fs::read_symlink("/proc/self/exe", ignored); !program.empty())
    files.push_back(program);
  Dl_info here{};
  if (dladdr(reinterpret_cast<void*>(&likely_places), &here) != 0 && here.dli_fname != nullptr)
    files.emplace_back(here.dli_fname);
  std::vector<fs::path> out;
  for (const fs::path& file : files) {
    const fs::path folder = file.parent_path();
    out.push_back(folder / module);
    out.push_back(folder / ".." / "lib" / module);
    out.push_back(folder / ".." / GDKM_LIBDIR / module);
  }
  return out;
}

LoadedModule open(const char* path, bool found, bool named) {
  LoadedModule out{dlopen(path, RTLD_NOW | RTLD_LOCAL), "", found, named};
  if (out.handle == nullptr) out.problem = dlerror();
  return out;
}

}  // namespace

LoadedModule load_module(const char* file, const char* variable) {
  std::error_code ignored;
  if (const char* named = std::getenv(variable); named != nullptr && *named != '\0')
    return open(named, fs::exists(named, ignored), true);
  for (const fs::path& path : likely_places(file)) {
    if (fs::exists(path, ignored)) return open(path.c_str(), true, false);
  }
  return open(file, false, false);
}

}  // namespace gdkm
