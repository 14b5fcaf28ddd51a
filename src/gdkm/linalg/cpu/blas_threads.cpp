#include "gdkm/linalg/cpu/blas_threads.hpp"

#include <cstdlib>

#include "gdkm/linalg/cpu/linked_function.hpp"

namespace gdkm::blas {

void sleep_soon() {
  constexpr const char* wait = "OPENBLAS_THREAD_TIMEOUT";  // the logarithm of a number of cycles
  auto* stop = linked_function<int()>("blas_thread_shutdown_");
  auto* read = linked_function<void()>("openblas_read_env");
  auto* start = linked_function<int()>("blas_thread_init");
  if (std::getenv(wait) != nullptr || stop == nullptr || read == nullptr || start == nullptr) return;
  setenv(wait, "10", 0);
  stop();
  read();
  start();
  unsetenv(wait);  // of no other program that this one starts
}

}  // namespace gdkm::blas
