#include "gdkm/cli/command.hpp"
namespace gdkm::cli {
void add_runs(CLI::App&) {}
}
