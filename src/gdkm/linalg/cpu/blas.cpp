#include "gdkm/linalg/cpu/blas.hpp"

#include <dlfcn.h>

extern "C" {
void spotrf_(const char*, const int*, float*, const int*, int*);
void dpotrf_(const char*, const int*, double*, const int*, int*);
void sgeqrf_(const int*, const int*, float*, const int*, float*, float*, const int*, int*);
void dgeqrf_(const int*, const int*, double*, const int*, double*, double*, const int*, int*);
}

namespace gdkm::blas {

namespace {
template <class Function>
Function* symbol(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}
}  // namespace

std::string use_one_thread() {
  // More than one may be there: a BLAS, and a LAPACK that brings its own.
  std::string name = "BLAS";
  if (auto* set = symbol<void(int)>("openblas_set_num_threads")) {
    set(1);
    auto* config = symbol<char*()>("openblas_get_config");
    name = config != nullptr ? std::string(config()) : "OpenBLAS";
  }
  if (auto* set = symbol<void(int)>("MKL_Set_Num_Threads")) {
    set(1);
    name = "MKL";
  }
  if (auto* set = symbol<void(std::int64_t)>("bli_thread_set_num_threads")) {
    set(1);
    name = "BLIS";
  }
  return name;
}

int potrf(View<float> a) {
  const int n = static_cast<int>(a.rows), stride = static_cast<int>(a.stride);
  int info = 0;
  spotrf_("U", &n, a.data, &stride, &info);
  return info;
}
int potrf(View<double> a) {
  const int n = static_cast<int>(a.rows), stride = static_cast<int>(a.stride);
  int info = 0;
  dpotrf_("U", &n, a.data, &stride, &info);
  return info;
}

void geqrf(View<float> a, float* tau, View<float> work) {
  const int m = static_cast<int>(a.cols), n = static_cast<int>(a.rows), stride = static_cast<int>(a.stride),
            size = static_cast<int>(work.size());
  int info = 0;
  sgeqrf_(&m, &n, a.data, &stride, tau, work.data, &size, &info);
}
void geqrf(View<double> a, double* tau, View<double> work) {
  const int m = static_cast<int>(a.cols), n = static_cast<int>(a.rows), stride = static_cast<int>(a.stride),
            size = static_cast<int>(work.size());
  int info = 0;
  dgeqrf_(&m, &n, a.data, &stride, tau, work.data, &size, &info);
}

}  // namespace gdkm::blas
