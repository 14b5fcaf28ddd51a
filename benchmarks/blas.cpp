/// Compares BLAS libraries at the sizes of a step: gdkm_bench_blas [--threads N] LIBRARY.so …
///
/// Each library is loaded by itself and runs on single threads, between which rows are shared, as the backend
/// does; libraries take turns, and the best of the turns counts. Prints a table of GFLOP/s; "–" where a
/// library lacks a routine (BLIS has no LAPACK). MKL as pip installs it is libmkl_rt.so.
#include <dlfcn.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <vector>

#include "gdkm/linalg/matrix.hpp"
#include "gdkm/support/random.hpp"
#include "gdkm/support/thread_pool.hpp"

namespace {

using namespace gdkm;
using Time = std::chrono::steady_clock;

// The values of cblas.h, which every library shares.
enum : int { row_major = 101, plain = 111, transposed = 112, lower = 122, non_unit = 131, right_side = 142 };

/// One library and the routines that are measured.
class Library {
 public:
  explicit Library(const std::string& path)
      : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND)) {
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
    for (const char* name : {"openblas_set_num_threads", "MKL_Set_Num_Threads"}) {
      if (auto* set = find<void(int)>(name)) set(1);
    }
    if (auto* set = find<void(std::int64_t)>("bli_thread_set_num_threads")) set(1);
  }
  template <class Function>
  Function* find(const char* name) const {
    return reinterpret_cast<Function*>(dlsym(handle_, name));
  }

 private:
  void* handle_;
};

using Gemm = void(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*,
                  int);
using Syrk = void(int, int, int, int, int, float, const float*, int, float, float*, int);
using Trmm = void(int, int, int, int, int, int, int, float, const float*, int, float*, int);
using Potrf = void(const char*, const int*, float*, const int*, int*);
using Geqrf = void(const int*, const int*, float*, const int*, float*, float*, const int*, int*);

std::vector<float> normals(Index count) {
  std::vector<float> out(static_cast<std::size_t>(count));
  Random random(Stream{});
  for (float& value : out) value = static_cast<float>(random.normal());
  return out;
}

/// The memory that all measurements work on: tall n×m and square m×m matrices.
struct Field {
  Field(int n_, int m_)
      : n(n_), m(m_), tall(normals(Index{n_} * m_)), square(normals(Index{m_} * m_)), out(tall) {
    definite = square;
    for (int j = 0; j < m; ++j) definite[static_cast<std::size_t>(j) * m + j] += static_cast<float>(m);
  }
  int n, m;
  std::vector<float> tall, square, out, definite, result = square, tau = normals(m),
                                                  work = normals(Index{64} * m);
};

struct Routine {
  std::string name;
  double operations;
  /// The work of rows [begin, end), or false where the library has no such routine.
  std::function<bool(const Library&, Field&, int begin, int end)> run;
  bool shared;  // over threads, by rows
};

std::vector<Routine> routines(const Field& f) {
  const double n = f.n, m = f.m;
  const auto at = [](std::vector<float>& v, int row, int m_) { return v.data() + Index{row} * m_; };
  return {
      {"sgemm n×m×m", 2 * n * m * m,
       [at](const Library& l, Field& f, int begin, int end) {
         auto* gemm = l.find<Gemm>("cblas_sgemm");
         gemm(row_major, plain, plain, end - begin, f.m, f.m, 1, at(f.tall, begin, f.m), f.m, f.square.data(),
              f.m, 0, at(f.out, begin, f.m), f.m);
         return true;
       },
       true},
      {"sgemm 160×m×m blocks", 2 * n * m * m,
       [at](const Library& l, Field& f, int begin, int end) {
         auto* gemm = l.find<Gemm>("cblas_sgemm");
         for (int r = begin; r < end; r += 160) {
           gemm(row_major, plain, plain, std::min(160, end - r), f.m, f.m, 1, at(f.tall, r, f.m), f.m,
                f.square.data(), f.m, 0, at(f.out, r, f.m), f.m);
         }
         return true;
       },
       true},
      {"sgemm m×160×m blocks", 2 * n * m * m,
       [at](const Library& l, Field& f, int begin, int end) {
         auto* gemm = l.find<Gemm>("cblas_sgemm");
         std::vector<float> sum(static_cast<std::size_t>(f.m) * f.m);
         for (int r = begin; r < end; r += 160) {
           gemm(row_major, transposed, plain, f.m, f.m, std::min(160, end - r), 1, at(f.tall, r, f.m), f.m,
                at(f.out, r, f.m), f.m, 1, sum.data(), f.m);
         }
         return true;
       },
       true},
      {"strmm n×m×m", n * m * m,
       [at](const Library& l, Field& f, int begin, int end) {
         auto* trmm = l.find<Trmm>("cblas_strmm");
         for (int r = begin; r < end; r += 160) {
           trmm(row_major, right_side, lower, plain, non_unit, std::min(160, end - r), f.m, 0.01f,
                f.square.data(), f.m, at(f.out, r, f.m), f.m);
         }
         return true;
       },
       true},
      {"ssyrk m×m×m", m * m * m,
       [](const Library& l, Field& f, int, int) {
         l.find<Syrk>("cblas_ssyrk")(row_major, lower, plain, f.m, f.m, 1, f.square.data(), f.m, 0,
                                     f.result.data(), f.m);
         return true;
       },
       false},
      {"spotrf m×m", m * m * m / 3,
       [](const Library& l, Field& f, int, int) {
         auto* potrf = l.find<Potrf>("spotrf_");
         if (potrf == nullptr) return false;
         f.result = f.definite;
         int info = 0;
         potrf("U", &f.m, f.result.data(), &f.m, &info);
         return true;
       },
       false},
      {"sgeqrf m×m", 4 * m * m * m / 3,
       [](const Library& l, Field& f, int, int) {
         auto* geqrf = l.find<Geqrf>("sgeqrf_");
         if (geqrf == nullptr) return false;
         f.result = f.definite;
         int info = 0;
         const int size = static_cast<int>(f.work.size());
         geqrf(&f.m, &f.m, f.result.data(), &f.m, f.tau.data(), f.work.data(), &size, &info);
         return true;
       },
       false},
  };
}

/// Seconds of one run, or none where the library lacks the routine.
double seconds(const Routine& routine, const Library& library, Field& field, ThreadPool& pool) {
  std::atomic<bool> has = true;
  const auto start = Time::now();
  if (routine.shared) {
    pool.share(field.n, 16, [&](std::int64_t begin, std::int64_t end) {
      if (!routine.run(library, field, static_cast<int>(begin), static_cast<int>(end))) has = false;
    });
  } else {
    has = routine.run(library, field, 0, field.m);
  }
  return has ? std::chrono::duration<double>(Time::now() - start).count() : -1;
}

void measure(const std::vector<std::string>& paths, const std::vector<Library>& libraries, int n, int m,
             int turns, ThreadPool& pool) {
  Field field(n, m);
  fmt::print("n = {}, m = {}, {} threads, GFLOP/s\n{:<22}", n, m, pool.size(), "");
  for (const auto& path : paths) fmt::print("{:>24}", path.substr(path.rfind('/') + 1));
  fmt::print("\n");
  for (const Routine& routine : routines(field)) {
    std::vector<double> best(libraries.size(), 1e30);
    for (int turn = 0; turn < turns; ++turn) {
      for (std::size_t k = 0; k < libraries.size(); ++k)
        best[k] = std::min(best[k], seconds(routine, libraries[k], field, pool));
    }
    fmt::print("{:<22}", routine.name);
    for (const double time : best) {
      fmt::print("{:>24}", time > 0 ? fmt::format("{:.1f}", 1e-9 * routine.operations / time) : "–");
    }
    fmt::print("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"BLAS libraries side by side"};
  std::vector<std::string> paths;
  int threads = 0, turns = 15;
  app.add_option("LIBRARY", paths, "Shared libraries")->required();
  app.add_option("--threads", threads, "Threads; 0 for all cores")->capture_default_str();
  app.add_option("--turns", turns, "Times that each library runs each routine")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  setenv("MKL_THREADING_LAYER", "SEQUENTIAL", 0);
  try {
    const std::vector<Library> libraries(paths.begin(), paths.end());
    ThreadPool pool(threads);
    measure(paths, libraries, 2708, 200, turns, pool);
    measure(paths, libraries, 22662, 400, turns, pool);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", argv[0], error.what());
    return 2;
  }
  return 0;
}
