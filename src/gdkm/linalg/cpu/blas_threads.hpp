#pragma once

namespace gdkm::blas {

/// Threads of OpenBLAS that wait for work go to sleep soon. By default they offer their core to others for a
/// while, and take turns with every other program that is busy: an eigendecomposition, which is thousands of
/// small products, then takes 20 to 60 times as long as alone. The user's OPENBLAS_THREAD_TIMEOUT holds. It
/// starts the threads anew, so a program calls it first of all; a library leaves them alone.
void sleep_soon();

}  // namespace gdkm::blas
