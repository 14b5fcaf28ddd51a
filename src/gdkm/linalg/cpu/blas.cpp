#include "gdkm/linalg/cpu/blas.hpp"

#include <thread>
#include <vector>

#include "gdkm/linalg/cpu/linked_function.hpp"

extern "C" {
void spotrf_(const char*, const int*, float*, const int*, int*);
void dpotrf_(const char*, const int*, double*, const int*, int*);
void sgeqrf_(const int*, const int*, float*, const int*, float*, float*, const int*, int*);
void dgeqrf_(const int*, const int*, double*, const int*, double*, double*, const int*, int*);
}

namespace gdkm::blas {

std::string use_one_thread() {
  // There may be several: a BLAS, and a LAPACK with a BLAS of its own.
  std::string name = "BLAS";
  if (auto* set = linked_function<void(int)>("openblas_set_num_threads")) {
    set(1);
    auto* config = linked_function<char*()>("openblas_get_config");
    name = config != nullptr ? std::string(config()) : "OpenBLAS";
  }
  if (auto* set = linked_function<void(int)>("MKL_Set_Num_Threads")) {
    set(1);
    name = "MKL";
  }
  if (auto* set = linked_function<void(std::int64_t)>("bli_thread_set_num_threads")) {
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
void dsytrd_(const char*, const int*, double*, const int*, double*, double*, double*, double*, const int*,
             int*);
void dormtr_(const char*, const char*, const char*, const int*, const int*, const double*, const int*,
             const double*, double*, const int*, double*, const int*, int*);
void dpttrf_(const int*, double*, double*, int*);
void dpttrs_(const int*, const int*, const double*, const double*, double*, const int*, int*);
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

void sytrd(View<double> a, double* diagonal, double* beside, double* factors) {
  const int n = static_cast<int>(a.rows), stride = static_cast<int>(a.stride), ask = -1;
  int info = 0;
  double numbers = 0;
  dsytrd_("L", &n, a.data, &stride, diagonal, beside, factors, &numbers, &ask, &info);
  std::vector<double> work(static_cast<std::size_t>(numbers));
  const int size = static_cast<int>(work.size());
  dsytrd_("L", &n, a.data, &stride, diagonal, beside, factors, work.data(), &size, &info);
}

void ormtr(Op op, ConstView<double> reflectors, const double* factors, View<double> b) {
  // LAPACK reads B column-major: our rows are its columns.
  const int n = static_cast<int>(b.cols), count = static_cast<int>(b.rows),
            stride = static_cast<int>(b.stride), reflector_stride = static_cast<int>(reflectors.stride),
            ask = -1;
  const char* flag = op == Op::none ? "N" : "T";
  int info = 0;
  double numbers = 0;
  dormtr_("L", "L", flag, &n, &count, reflectors.data, &reflector_stride, factors, b.data, &stride, &numbers,
          &ask, &info);
  std::vector<double> work(static_cast<std::size_t>(numbers));
  const int size = static_cast<int>(work.size());
  dormtr_("L", "L", flag, &n, &count, reflectors.data, &reflector_stride, factors, b.data, &stride,
          work.data(), &size, &info);
}

int pttrf(std::vector<double>& diagonal, double* beside) {
  const int n = static_cast<int>(diagonal.size());
  int info = 0;
  dpttrf_(&n, diagonal.data(), beside, &info);
  return info;
}

void pttrs(const std::vector<double>& diagonal, const double* beside, View<double> b) {
  const int n = static_cast<int>(diagonal.size()), count = static_cast<int>(b.rows),
            stride = static_cast<int>(b.stride);
  int info = 0;
  dpttrs_(&n, &count, diagonal.data(), beside, b.data, &stride, &info);
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
  if (auto* get = linked_function<int()>("openblas_get_num_threads")) return get();
  if (auto* get = linked_function<int()>("MKL_Get_Max_Threads")) return get();
  if (auto* get = linked_function<std::int64_t()>("bli_thread_get_num_threads"))
    return static_cast<int>(get());
  return 1;
}

namespace {
void use_threads(int count) {
  if (auto* set = linked_function<void(int)>("openblas_set_num_threads")) set(count);
  if (auto* set = linked_function<void(int)>("MKL_Set_Num_Threads")) set(count);
  if (auto* set = linked_function<void(std::int64_t)>("bli_thread_set_num_threads")) set(count);
}
}  // namespace

Threads::Threads(int count) : before_(threads()) {
  use_threads(count > 0 ? count : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
}
Threads::~Threads() {
  use_threads(before_);
}

}  // namespace gdkm::blas
