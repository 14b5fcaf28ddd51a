#include "gdkm/cli/invocation.hpp"

#include <filesystem>

namespace gdkm::cli {

Invocation this_program(const std::string& name) {
  std::error_code none;
  const std::filesystem::path file = std::filesystem::read_symlink("/proc/self/exe", none);
  return file.empty() ? Invocation{name} : Invocation{"/proc/self/exe", file.string()};
}

}  // namespace gdkm::cli
