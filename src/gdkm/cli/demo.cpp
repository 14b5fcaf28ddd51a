#include "gdkm/cli/command.hpp"
namespace gdkm::cli {
void add_demo(CLI::App&) {}
}  // namespace gdkm::cli
