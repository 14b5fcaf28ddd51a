#include "gdkm/cli/run.hpp"

int main(int argc, char** argv) {
  return gdkm::cli::run_command_line({argv, argv + argc}, gdkm::cli::this_program(argv[0]));
}
