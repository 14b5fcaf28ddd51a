#include "gdkm/cli/options.hpp"

#include <unistd.h>

#include <algorithm>

#include "gdkm/store/store_location.hpp"
#include "gdkm/support/atomic_file.hpp"

namespace gdkm::cli {

namespace fs = std::filesystem;

CLI::Option* add_threads(CLI::App& command, int& threads) {
  return add_number(command, "--threads", "N", threads, 0, 4096, "Threads; 0 for one per core");
}

void add_data_dir(CLI::App& command, std::string& data_dir) {
  add_text(command, "--data-dir", "DIR", data_dir,
           "Folder of data sets (default: $GDKM_DATA, else the\nuser's cache)")
      ->group("Data");
}

std::optional<fs::path> folder(const std::string& data_dir) {
  return data_dir.empty() ? std::nullopt : std::optional<fs::path>(data_dir);
}

CLI::Option* add_output(CLI::App& command, std::string& output, const std::string& help) {
  return add_text(command, "--output,-o", "FILE|-", output, help)->capture_default_str();
}

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
  try {
    check_writable(file);  // permissions do not tell all: a full or special file system, a name too long
  } catch (const InputError& error) {
    throw InputError(option + " " + error.message());
  }
  if (!input.empty() && fs::equivalent(file, input, ignored)) {
    throw InputError(given + "this would replace a file that the command reads; choose another name");
  }
}

void check_store(const std::string& store, const std::string& input) {
  if (!StoreLocation(store).is_server()) check_output("--store", store, input);
}

void write_output(const std::string& file, const std::string& bytes) {
  if (file == "-") return fmt::print("{}", bytes);
  write_file_atomically(file, bytes);
}

std::string command_line_spelling(std::string_view name, std::string_view value) {
  std::string out = "--" + std::string(name);
  std::replace(out.begin(), out.end(), '_', '-');
  return value.empty() || value == "true" ? out : out.append(" ").append(value);
}

}  // namespace gdkm::cli
