#include "gdkm/linalg/cpu/cpu_backend.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "gdkm/linalg/cpu/cholesky.hpp"
#include "gdkm/linalg/cpu/count_correct.hpp"
#include "gdkm/linalg/cpu/elementwise.hpp"
#include "gdkm/linalg/cpu/gemm.hpp"
#include "gdkm/linalg/cpu/kernel_matrix.hpp"
#include "gdkm/linalg/cpu/kernel_times.hpp"
#include "gdkm/linalg/cpu/likelihood.hpp"
#include "gdkm/linalg/cpu/normalise_rows.hpp"
#include "gdkm/linalg/cpu/positive_lower.hpp"
#include "gdkm/linalg/cpu/relu.hpp"
#include "gdkm/linalg/cpu/rows.hpp"
#include "gdkm/linalg/cpu/solve_lower.hpp"
#include "gdkm/linalg/cpu/spmm.hpp"
#include "gdkm/linalg/cpu/standardise.hpp"

namespace gdkm {

namespace {
constexpr std::align_val_t cache_line{64}, huge_page{std::size_t{1} << 21};

/// Large matrices use huge pages if available. Sparse products read rows at random, and with small pages they
/// spend half their time on address translation.
std::align_val_t alignment_of(std::size_t bytes) {
  return bytes < 2 * static_cast<std::size_t>(huge_page) ? cache_line : huge_page;
}

/// A matrix that could be computed again is kept if it is not larger. Reading a larger one from main memory
/// takes about as long as computing it, and the memory of large graphs must not grow.
constexpr std::size_t largest_kept = std::size_t{64} << 20;
/// Enough for the hand-over between threads not to count; few enough for a thread's rows to stay in its
/// second-level cache.
constexpr Index rows_per_thread = 1024;

/// A rank may have no rows at all: then there is nothing to copy, and either address may be null.
void copy_bytes(const void* from, void* to, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}
}  // namespace

template <class T>
CpuBackend<T>::CpuBackend(int threads)
    : pool_(threads), blas_(blas::use_one_thread()), scratch_(static_cast<std::size_t>(pool_.size())) {
  for (int k = 0; k < pool_.size(); ++k) packing_.emplace_back(static_cast<std::size_t>(panels::chunk));
}

template <class T>
std::string CpuBackend<T>::description() const {
  return "cpu, " + std::to_string(pool_.size()) + (pool_.size() == 1 ? " thread, " : " threads, ") + blas_;
}

template <class T>
std::size_t CpuBackend<T>::bytes_in_use() const {
  std::size_t bytes = bytes_;
  for (const auto& memory : scratch_) bytes += memory.capacity() * sizeof(T);
  for (const auto& memory : packing_) bytes += memory.capacity() * sizeof(T);
  return bytes + shared_panels_.capacity() * sizeof(T);
}

template <class T>
void* CpuBackend<T>::allocate(std::size_t bytes) {
  const auto alignment = alignment_of(bytes);
  void* memory = ::operator new(bytes, alignment);
#ifdef MADV_HUGEPAGE
  if (alignment == huge_page) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
  std::memset(memory, 0, bytes);
  bytes_ += bytes;
  return memory;
}

template <class T>
void CpuBackend<T>::release(void* memory, std::size_t bytes) noexcept {
  bytes_ -= bytes;
  ::operator delete(memory, alignment_of(bytes));
}

template <class T>
bool CpuBackend<T>::can_spare(std::size_t bytes) const {
  return bytes <= largest_kept;
}

template <class T>
Index CpuBackend<T>::rows_at_a_time(Index rows) const {
  const Index most = rows_per_thread * pool_.size(), blocks = std::max<Index>(1, (rows + most - 1) / most);
  return std::max<Index>(1, (rows + blocks - 1) / blocks);
}

template <class T>
void CpuBackend<T>::upload(const void* host, void* device, std::size_t bytes) {
  copy_bytes(host, device, bytes);
}

template <class T>
void CpuBackend<T>::download(const void* device, void* host, std::size_t bytes) const {
  copy_bytes(device, host, bytes);
}

namespace {
/// The CPU records nothing: a replay calls the work.
class CalledAgain final : public Recording {
 public:
  explicit CalledAgain(std::function<void()> work) : work_(std::move(work)) {}
  void replay() override { work_(); }

 private:
  std::function<void()> work_;
};

class CopiedAtOnce final : public Readback {
 public:
  explicit CopiedAtOnce(std::size_t bytes) : bytes_(bytes) {}
  void start(const void* device) override { copy_bytes(device, bytes_.data(), bytes_.size()); }
  bool ready() const override { return true; }
  const void* wait() override { return bytes_.data(); }

 private:
  std::vector<std::byte> bytes_;
};
}  // namespace

template <class T>
std::unique_ptr<Recording> CpuBackend<T>::record(std::function<void()> work) {
  return std::make_unique<CalledAgain>(std::move(work));
}

template <class T>
std::unique_ptr<Readback> CpuBackend<T>::make_readback(std::size_t bytes) {
  return std::make_unique<CopiedAtOnce>(bytes);
}

template <class T>
void CpuBackend<T>::reserve(Index inducing, Index width, bool by_qr) {
  // For the sums and blocks of kernel_times_backward, or for a product with the inputs that is split over its
  // terms.
  const Index sums = 2 * inducing * inducing + 2 * inducing;
  const Index blocks = detail::block_rows<T>(inducing) * (2 * inducing + 1);
  const Index product = std::min(inducing * width, detail::largest_shared_sum);
  for (int k = 0; k < pool_.size(); ++k) scratch(k, std::max(sums + blocks, product));
  const auto factors = static_cast<std::size_t>(3 * panels::size<T>(inducing, inducing));
  if (shared_panels_.size() < factors) shared_panels_.resize(factors);
  if (by_qr) scratch(0, inducing * (std::max(width, inducing) + inducing + 65));
}

template <class T>
T* CpuBackend<T>::scratch(int thread, Index count) {
  auto& memory = scratch_[static_cast<std::size_t>(thread)];
  if (static_cast<Index>(memory.size()) < count) memory.resize(static_cast<std::size_t>(count));
  return memory.data();
}

template <class T>
void CpuBackend<T>::sum_scratch(int threads, Index offset, T beta, View<T> out) {
  pool_.share(out.rows, detail::row_grain(out.cols), [&](Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      T* to = out.row(r);
      for (int k = 0; k < threads; ++k) {
        const T* from = scratch_[static_cast<std::size_t>(k)].data() + offset + r * out.cols;
        if (k == 0 && beta == T(0)) {
          for (Index j = 0; j < out.cols; ++j) to[j] = from[j];
        } else if (k == 0) {
          for (Index j = 0; j < out.cols; ++j) to[j] = beta * to[j] + from[j];
        } else {
          for (Index j = 0; j < out.cols; ++j) to[j] += from[j];
        }
      }
    }
  });
}

template class CpuBackend<float>;
template class CpuBackend<double>;

}  // namespace gdkm
