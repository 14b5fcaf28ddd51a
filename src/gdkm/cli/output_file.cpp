#include "gdkm/cli/output_file.hpp"

#include <unistd.h>

#include <filesystem>

#include "gdkm/support/error.hpp"

namespace gdkm::cli {

namespace fs = std::filesystem;

void check_output(const std::string& option, const std::string& file, const std::string& input) {
  if (file.empty() || file == "-") return;
  const std::string given = option + " " + file + ": ";
  std::error_code ignored;
  if (fs::is_directory(file, ignored)) throw InputError(given + "this is a folder; name a file in it");
  const fs::path folder = fs::absolute(file).parent_path();
  if (!fs::is_directory(folder, ignored)) {
    throw InputError(given + "no folder " + folder.string() + "; create it first");
  }
  const bool replaces_device = fs::exists(file, ignored) && !fs::is_regular_file(file, ignored);
  if (!replaces_device && ::access(folder.c_str(), W_OK | X_OK) != 0) {
    throw InputError(given + "no permission to write to " + folder.string() + "; choose another folder");
  }
  if (!input.empty() && fs::equivalent(file, input, ignored)) {
    throw InputError(given + "this would replace a file that the command reads; choose another name");
  }
}

}  // namespace gdkm::cli
