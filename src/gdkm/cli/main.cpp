#include "gdkm/cli/run.hpp"
#include "gdkm/linalg/cpu/blas_threads.hpp"

int main(int argc, char** argv) {
  gdkm::blas::sleep_soon();
  return gdkm::cli::run_command_line({argv, argv + argc}, gdkm::cli::this_program(argv[0]));
}
