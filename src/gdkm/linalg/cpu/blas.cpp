#include "gdkm/linalg/cpu/blas.hpp"

#include <dlfcn.h>

#include <thread>
#include <vector>

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
  // There may be several: a BLAS, and a LAPACK with a BLAS of its own.
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

extern "C" {
void dpotri_(const char*, const int*, double*, const int*, int*);
void dsyevd_(const char*, const char*, const int*, double*, const int*, double*, double*, const int*, int*,
             const int*, int*);
void dgesdd_(const char*, const int*, const int*, double*, const int*, double*, double*, const int*, double*,
             const int*, double*, const int*, int*, int*);
}

namespace gdkm::blas {

int potri(View<double> a) {
  const int n = static_cast<int>(a.rows), stride = static_cast<int>(a.stride);
  int info = 0;
  dpotri_("U", &n, a.data, &stride, &info);
  return info;
}

int syevd(View<double> a, double* values) {
  const int n = static_cast<int>(a.rows), stride = static_cast<int>(a.stride), ask = -1;
  int info = 0, integers = 0;
  double numbers = 0;
  dsyevd_("V", "U", &n, a.data, &stride, values, &numbers, &ask, &integers, &ask, &info);
  if (info != 0) return info;
  std::vector<double> work(static_cast<std::size_t>(numbers));
  std::vector<int> integer_work(static_cast<std::size_t>(integers));
  const int size = static_cast<int>(work.size());
  dsyevd_("V", "U", &n, a.data, &stride, values, work.data(), &size, integer_work.data(), &integers, &info);
  return info;
}

int gesdd(View<double> a, double* values, View<double> right) {
  // LAPACK reads `a` column-major, as its transpose, so its left singular vectors are the right ones of `a`.
  const int n = static_cast<int>(a.rows), stride = static_cast<int>(a.stride),
            right_stride = static_cast<int>(right.stride), ask = -1;
  int info = 0;
  double numbers = 0;
  std::vector<double> left(static_cast<std::size_t>(a.rows * a.rows));
  std::vector<int> integer_work(static_cast<std::size_t>(8 * a.rows));
  dgesdd_("A", &n, &n, a.data, &stride, values, right.data, &right_stride, left.data(), &n, &numbers, &ask,
          integer_work.data(), &info);
  if (info != 0) return info;
  std::vector<double> work(static_cast<std::size_t>(numbers));
  const int size = static_cast<int>(work.size());
  dgesdd_("A", &n, &n, a.data, &stride, values, right.data, &right_stride, left.data(), &n, work.data(),
          &size, integer_work.data(), &info);
  return info;
}

int threads() {
  if (auto* get = symbol<int()>("openblas_get_num_threads")) return get();
  if (auto* get = symbol<int()>("MKL_Get_Max_Threads")) return get();
  if (auto* get = symbol<std::int64_t()>("bli_thread_get_num_threads")) return static_cast<int>(get());
  return 1;
}

namespace {
void use_threads(int count) {
  if (auto* set = symbol<void(int)>("openblas_set_num_threads")) set(count);
  if (auto* set = symbol<void(int)>("MKL_Set_Num_Threads")) set(count);
  if (auto* set = symbol<void(std::int64_t)>("bli_thread_set_num_threads")) set(count);
}
}  // namespace

Threads::Threads(int count) : before_(threads()) {
  use_threads(count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}
Threads::~Threads() {
  use_threads(before_);
}

}  // namespace gdkm::blas
