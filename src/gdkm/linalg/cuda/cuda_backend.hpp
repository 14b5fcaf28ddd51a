#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <vector>

#include "gdkm/linalg/backend.hpp"
#include "gdkm/linalg/cuda/launch.hpp"
#include "gdkm/linalg/cuda/module.hpp"
#include "gdkm/linalg/cuda/split/split_products.hpp"

namespace gdkm {

/// The primitives on an NVIDIA GPU. All work goes to one stream in the order of the calls; only download(),
/// bytes_free() and Readback::wait() wait for it. All runs give bit-identical results, because no
/// floating-point atomics are used.
template <class T>
class CudaBackend final : public Backend<T> {
 public:
  explicit CudaBackend(const CudaOptions& options);
  ~CudaBackend() override;
  CudaBackend(const CudaBackend&) = delete;
  CudaBackend& operator=(const CudaBackend&) = delete;

  const GpuQueue* gpu() const override { return &gpu_; }
  std::string description() const override;
  std::size_t bytes_in_use() const override;
  bool can_spare(std::size_t bytes) const override;
  std::size_t bytes_free() const override;
  void* allocate(std::size_t bytes) override;
  void release(void* memory, std::size_t bytes) noexcept override;
  void upload(const void* host, void* device, std::size_t bytes) override;
  void download(const void* device, void* host, std::size_t bytes) const override;
  std::unique_ptr<Recording> record(std::function<void()> work) override;
  std::unique_ptr<Readback> make_readback(std::size_t bytes) override;
  void reserve(Index inducing, Index width, bool by_qr) override;
  Index rows_at_a_time(Index rows) const override {
    return options_.recompute ? std::clamp((rows + 7) / 8, Index{8192}, Index{32768})
                              : std::clamp((rows + 2) / 3, Index{16384}, Index{65536});
  }

  // gemm.cu
  void gemm(T alpha, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T beta, View<T> c) override;
  void gemm_part(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c,
                 Region wanted = Region::all) override;
  void gram(ConstView<T> f, View<T> g) override;
  void times_lower(ConstView<T> a, Op op, ConstView<T> l, View<T> c) override;
  void lower_product(ConstView<T> a, ConstView<T> b, T beta, View<T> c) override;
  // elementwise.cu
  void add(T alpha, ConstView<T> a, T beta, View<T> c) override;
  void add_exp_scaled(T factor, ConstView<T> exponent, ConstView<T> a, T beta, View<T> c) override;
  void fill(View<T> a, T value) override;
  void identity(View<T> a) override;
  void transpose(ConstView<T> a, View<T> b) override;
  void anti_transpose(ConstView<T> a, View<T> b) override;
  void keep_lower(View<T> a, T diagonal) override;
  void symmetrise(View<T> a) override;
  void dot(T alpha, ConstView<T> a, ConstView<T> b, T beta, View<T> value) override;
  void log_softmax(ConstView<T> raw, View<T> out) override;
  void log_softmax_backward(ConstView<T> out, ConstView<T> out_bar, View<T> raw_bar) override;
  void set_clock(const Clock& now, Clock* clock) override;
  void adam(const AdamStep& step, ConstView<T> gradient, View<T> first, View<T> second,
            View<T> parameter) override;
  // cholesky.cu
  void cholesky(ConstView<T> k, T jitter, View<T> h, View<T> inverse, View<T> used) override;
  void cholesky_of_gram(ConstView<T> f, T jitter, View<T> h, View<T> inverse, View<T> used) override;
  // solve_lower.cu
  void solve_lower(Op op, ConstView<T> l, View<T> b) override;
  // positive_lower.cu
  void positive_lower(ConstView<T> raw, View<T> l) override;
  void lower_parameter(ConstView<T> l, View<T> raw) override;
  void positive_lower_backward(ConstView<T> l, ConstView<T> l_bar, View<T> raw_bar) override;
  void normal_kl(ConstView<T> l, T weight, View<T> l_bar, View<T> value) override;
  // rows.cu
  void row_norms(ConstView<T> f, View<T> s) override;
  void row_norms_backward(ConstView<T> f, ConstView<T> s, ConstView<T> s_bar, View<T> f_bar) override;
  void scale_rows(ConstView<T> s, ConstView<T> a, View<T> out) override;
  void add_row(T alpha, ConstView<T> row, View<T> a) override;
  void column_sums(T alpha, ConstView<T> a, T beta, View<T> sums) override;
  void gather_rows(ConstView<T> a, const std::int32_t* index, View<T> out) override;
  void scatter_rows(ConstView<T> a, const std::int32_t* index, View<T> out) override;
  // spmm.cu
  void spmm(T alpha, Op op, const Sparse<T>& a, ConstView<T> b, T beta, View<T> c) override;
  // kernel_matrix.cu
  void kernel_matrix(KernelKind kind, ConstView<T> g, ConstView<T> s, View<T> k) override;
  void kernel_matrix_backward(KernelKind kind, ConstView<T> g, ConstView<T> s, ConstView<T> k_bar,
                              View<T> g_bar, View<T> s_bar) override;
  // kernel_times.cu
  void kernel_times(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i, ConstView<T> s_i,
                    Fill fill, ConstView<T> s, View<T> out, View<T> kept = {}) override;
  void kernel_times_backward(KernelKind kind, ConstView<T> f_t, ConstView<T> s_t, ConstView<T> f_i,
                             ConstView<T> s_i, Fill fill, ConstView<T> s, ConstView<T> out_bar, View<T> s_bar,
                             T beta, View<T> f_t_bar, View<T> f_i_bar, View<T> s_i_bar, View<T> s_t_bar,
                             ConstView<T> kept = {}) override;
  // likelihood.cu, softmax_likelihood.cu, softmax_expectations.cu
  void normals(const Stream& stream, View<T> out) override;
  void node_log_likelihood(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                           RowNumbers number, Index samples, const Stream& stream, T scale, View<T> value,
                           View<T> mean_bar, View<T> deviation_bar) override;
  void softmax_moments(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                       RowNumbers number, Index pairs, const Stream& stream, View<T> value, View<T> residual,
                       View<T> precision, View<T> curvature) override;
  void softmax_expectations(ConstView<T> mean, ConstView<T> deviation, const std::int32_t* label,
                            View<T> value, View<T> residual, View<T> precision, View<T> curvature) override;
  void softmax_log_likelihood(View<T> logits, const std::int32_t* label, Index samples, T scale,
                              View<T> value) override;
  void gaussian_log_likelihood(ConstView<T> mean, ConstView<T> deviation, ConstView<T> target,
                               ConstView<T> log_noise, T scale, View<T> value, View<T> mean_bar,
                               View<T> deviation_bar, View<T> log_noise_bar) override;
  void mean_softmax(ConstView<T> mean, ConstView<T> deviation, ConstView<T> noise, View<T> out) override;
  // relu.cu
  void relu(double dropout, const Stream& stream, View<T> x) override;
  void relu_backward(ConstView<T> out, double dropout, View<T> x_bar) override;
  // standardise.cu
  void column_moments(ConstView<T> x, View<T> mean, View<T> variance) override;
  void standardise(ConstView<T> mean, ConstView<T> variance, T epsilon, View<T> x) override;
  void standardise_backward(ConstView<T> out, ConstView<T> variance, T epsilon, View<T> x_bar) override;
  // normalise_rows.cu
  void normalise_rows(T epsilon, View<T> x, View<T> length) override;
  void normalise_rows_backward(ConstView<T> out, ConstView<T> length, View<T> x_bar) override;
  // count_correct.cu
  void count_correct(ConstView<T> scores, const std::int32_t* label, View<T> count) override;

 private:
  /// Temporary memory for one primitive: at least `count` numbers, which the next primitive may overwrite. It
  /// grows only outside recordings. Older memory is kept, because a recording may refer to its address.
  template <class U = T>
  U* scratch(Index count) {
    return static_cast<U*>(scratch_bytes(static_cast<std::size_t>(count) * sizeof(U)));
  }
  void* scratch_bytes(std::size_t bytes);
  struct Memory {
    void* data;
    std::size_t bytes;
  };
  /// Memory of at least so many bytes, the last of `kept`.
  void* grown(std::vector<Memory>& kept, std::size_t bytes);
  /// cuBLAS, which is started when it is first used, with the workspace that reserve() asked for. Recordings
  /// keep the workspace that they were made with.
  cublasHandle_t blas();
  void give_blas(std::size_t bytes);
  bool multiply_small(T alpha, const Factor<T>& a, const Factor<T>& b, T beta, View<T> c, Region wanted);
  void multiply(bool tf32, T alpha, Op op_a, ConstView<T> a, Op op_b, ConstView<T> b, T beta, View<T> c);
  /// A right factor that several matrices are multiplied by, split into parts if `split.memory` is set.
  struct Right {
    Factor<T> factor;
    cuda::SplitRight split;
  };
  using Rights = std::array<Right, cuda::most_rights>;
  /// Prepares right factors for products with `rows` rows. The next call overwrites them.
  Rights prepare(std::initializer_list<Factor<T>> factors, Index rows);
  /// C ← α A op(B) + β C.
  void times(T alpha, ConstView<T> a, const Right& right, T beta, View<T> c);
  /// C ← α AᵀB + β C, for matrices of many rows; `wanted`: see gemm_part.
  void sum_over_rows(T alpha, ConstView<T> a, ConstView<T> b, Region wanted, T beta, View<T> c);
  bool tf32_for(Index rows, Index cols, Index inner) const;
  /// Whether the zeros of a lower-triangular matrix are left out of a product over `rows` rows.
  bool by_strips(Index rows, Index cols) const;
  static constexpr Index least_rows_for_strips = 15000;
  Index least_rows(Fill fill, Index m) const;
  /// H and H⁻¹ with all arithmetic in U.
  template <class U>
  void cholesky_by(ConstView<U> k, T jitter, double least_part, View<T> h, View<T> inverse, View<T> used,
                   U* work);
  std::size_t cholesky_bytes(Index m, bool of_gram) const;
  /// Whether this GPU splits factors, as asked.
  bool splits(const cudaDeviceProp& properties) const;
  /// Selects the device, because a new thread starts with device 0.
  void enter() const;
  void close() noexcept;

  CudaOptions options_;
  std::string name_;  // the name of the GPU
  cuda::Queue stream_;
  GpuQueue gpu_;
  cublasHandle_t blas_ = nullptr;  // see blas()
  std::size_t blas_bytes_;         // of its workspace
  cudaMemPool_t pool_ = nullptr;   // keeps released memory for later allocations
  int multiprocessors_ = 0;
  bool clusters_ = false;        // whether blocks can be launched in clusters
  bool split_ = false;           // whether products over nodes split their factors
  int parts_ = 0;                // of factors on our own tensor-core products: two, one in TF32, or none
  bool recording_ = false;       // nothing may be allocated now
  std::size_t cache_bytes_ = 0;  // size of the second-level cache
  /// Counters of finished blocks during a launch; zero between launches.
  static constexpr Index counter_count = 4096;
  unsigned* counters_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<Memory> scratch_, blas_memory_;  // the last ones are in use
  static constexpr int slots = cuda::most_rights + 1;
  std::vector<Memory> slot_[slots];  // right factors, and shares of a sum in the last
  std::vector<Memory> rounded_;      // a matrix that a sparse product reads, in TF32
};

}  // namespace gdkm
