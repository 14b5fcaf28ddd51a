#include "gdkm/linalg/cuda/cuda_backend.hpp"

#include <limits>

#include "gdkm/linalg/cuda/check.hpp"
#include "gdkm/linalg/cuda/cuda_readback.hpp"
#include "gdkm/linalg/cuda/cuda_recording.hpp"
#include "gdkm/linalg/cuda/device_wide.hpp"
#include "gdkm/support/error.hpp"

namespace gdkm {

namespace {

/// The size of the workspace for cuBLAS, in which it stores partial sums over many rows. We allocate it,
/// because cuBLAS must not allocate during a recording and must not change the order of sums between runs.
/// NVIDIA recommends 32 MiB for Hopper; with 8 MiB a step at m = 400 takes 11 % longer. Half is enough for
/// smaller results.
template <class T>
std::size_t workspace_bytes(Index inducing) {
  constexpr Index small = 256 * Index{sizeof(float)} / Index{sizeof(T)};
  return std::size_t(inducing > small ? 32 : 16) << 20;
}

std::string megabytes(std::size_t bytes) {
  return std::to_string((bytes + 999999) / 1000000) + " MB";
}

/// The properties of the GPU; throws an InputError with the reason if it cannot be used.
cudaDeviceProp find_device(int device) {
  const std::string asked = option("device", "cuda:" + std::to_string(device)) + ": ";
  const std::string use_cpu = "use " + option("device", "cpu");
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  static_cast<void>(cudaGetLastError());
  if (status == cudaErrorInsufficientDriver) {
    int driver = 0;
    static_cast<void>(cudaDriverGetVersion(&driver));
    throw InputError(asked +
                     (driver == 0
                          ? "no NVIDIA driver is installed; install one"
                          : "the NVIDIA driver is too old for CUDA " + std::to_string(CUDART_VERSION / 1000) +
                                "." + std::to_string(CUDART_VERSION % 1000 / 10) + "; update it") +
                     ", or " + use_cpu);
  }
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0))
    throw InputError(asked + "this program can see no NVIDIA GPU; " + use_cpu);
  if (status != cudaSuccess)
    throw InputError(asked + cudaGetErrorString(status) + "; check nvidia-smi, or " + use_cpu);
  if (device >= count)
    throw InputError(asked + "no such GPU; the last one is cuda:" + std::to_string(count - 1));
  cudaDeviceProp properties{};
  GDKM_CUDA(cudaGetDeviceProperties(&properties, device));
  if (properties.major < 8)
    throw InputError(asked + properties.name + " is too old: its compute capability is " +
                     std::to_string(properties.major) + "." + std::to_string(properties.minor) +
                     ", and gdkm needs 8.0; " + use_cpu);
  return properties;
}

GpuIdentity identify(const cudaDeviceProp& properties, int device) {
  GpuIdentity out;
  std::copy(std::begin(properties.uuid.bytes), std::end(properties.uuid.bytes), out.uuid.begin());
  GDKM_CUDA(cudaDeviceGetPCIBusId(out.slot.data(), static_cast<int>(out.slot.size()), device));
  return out;
}

__global__ void nothing() {}

/// The architecture that the code was compiled for, 90 for 9.0. A newer GPU can run it, with fewer features.
int compiled_for() {
  cudaFuncAttributes attributes{};
  GDKM_CUDA(cudaFuncGetAttributes(&attributes, nothing));
  return attributes.ptxVersion;
}

}  // namespace

template <class T>
CudaBackend<T>::CudaBackend(const CudaOptions& options)
    : options_(options), blas_bytes_(workspace_bytes<T>(0)) {
  const cudaDeviceProp properties = find_device(options.device);
  name_ = properties.name;
  multiprocessors_ = properties.multiProcessorCount;
  cache_bytes_ = static_cast<std::size_t>(properties.l2CacheSize);
  const std::lock_guard lock(cuda::device_wide());
  try {
    enter();
    clusters_ = properties.major >= 9 && compiled_for() >= 90;
    split_ = splits(properties);
    const bool rounds = sizeof(T) == 4 && options.math == MathMode::tf32 && cuda::can_split(properties);
    parts_ = split_ ? 2 : rounds ? 1 : 0;
    stream_.overlaps = clusters_;  // both came with compute capability 9.0
    GDKM_CUDA(cudaStreamCreateWithFlags(&stream_.stream, cudaStreamNonBlocking));
    gpu_ = {options.device, stream_.stream, identify(properties, options.device)};
    cudaMemPoolProps pool{};
    pool.allocType = cudaMemAllocationTypePinned;
    pool.location.type = cudaMemLocationTypeDevice;
    pool.location.id = options.device;
    GDKM_CUDA(cudaMemPoolCreate(&pool_, &pool));
    std::uint64_t keep = std::numeric_limits<std::uint64_t>::max();
    GDKM_CUDA(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
    counters_ = static_cast<unsigned*>(allocate(counter_count * sizeof(unsigned)));
  } catch (...) {
    close();
    throw;
  }
}

template <class T>
bool CudaBackend<T>::splits(const cudaDeviceProp& properties) const {
  if (sizeof(T) == 8 || (options_.math != MathMode::automatic && options_.math != MathMode::split))
    return false;
  if (cuda::can_split(properties)) return true;
  if (options_.math == MathMode::automatic) return false;
  throw OptionError("math", "split", name_ + " cannot do it: it needs compute capability 9.0",
                    "leave it out, or use " + option("math", "strict"));
}

template <class T>
CudaBackend<T>::~CudaBackend() {
  const std::lock_guard lock(cuda::device_wide());
  close();
}

template <class T>
void CudaBackend<T>::close() noexcept {
  static_cast<void>(cudaSetDevice(options_.device));
  if (stream_.stream != nullptr) static_cast<void>(cudaStreamSynchronize(stream_));
  if (blas_ != nullptr) static_cast<void>(cuda::blas_library().destroy(blas_));
  for (const Memory& memory : scratch_) release(memory.data, memory.bytes);
  for (const Memory& memory : blas_memory_) release(memory.data, memory.bytes);
  for (const Memory& memory : rounded_) release(memory.data, memory.bytes);
  for (const auto& slot : slot_) {
    for (const Memory& memory : slot) release(memory.data, memory.bytes);
  }
  if (counters_ != nullptr) release(counters_, counter_count * sizeof(unsigned));
  if (stream_.stream != nullptr) static_cast<void>(cudaStreamSynchronize(stream_));
  if (pool_ != nullptr) static_cast<void>(cudaMemPoolDestroy(pool_));
  if (stream_.stream != nullptr) static_cast<void>(cudaStreamDestroy(stream_));
}

template <class T>
void CudaBackend<T>::enter() const {
  GDKM_CUDA(cudaSetDevice(options_.device));
}

template <class T>
std::string CudaBackend<T>::description() const {
  const std::string version =
      std::to_string(CUDART_VERSION / 1000) + "." + std::to_string(CUDART_VERSION % 1000 / 10);
  const char* precision = sizeof(T) == 8                    ? "float64"
                          : options_.math == MathMode::tf32 ? "float32/TF32"
                          : split_                          ? "float32/split"
                                                            : "float32";
  return "cuda:" + std::to_string(options_.device) + ", " + name_ + ", CUDA " + version + ", " + precision;
}

template <class T>
std::size_t CudaBackend<T>::bytes_in_use() const {
  return bytes_;
}

/// A quarter of what is free: other runs and later batches need some, too.
template <class T>
bool CudaBackend<T>::can_spare(std::size_t bytes) const {
  if (options_.recompute) return false;
  enter();
  std::size_t free = 0, all = 0;
  return cudaMemGetInfo(&free, &all) == cudaSuccess && bytes <= free / 4;
}

/// What no process has, and what the pool keeps of memory that was released. It waits, because memory is
/// released in the order of the stream.
template <class T>
std::size_t CudaBackend<T>::bytes_free() const {
  enter();
  GDKM_CUDA(cudaStreamSynchronize(stream_));
  std::size_t free = 0, all = 0;
  GDKM_CUDA(cudaMemGetInfo(&free, &all));
  std::uint64_t reserved = 0, used = 0;
  GDKM_CUDA(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrReservedMemCurrent, &reserved));
  GDKM_CUDA(cudaMemPoolGetAttribute(pool_, cudaMemPoolAttrUsedMemCurrent, &used));
  return free + static_cast<std::size_t>(reserved - used);
}

template <class T>
void* CudaBackend<T>::allocate(std::size_t bytes) {
  if (recording_) throw std::logic_error("memory was asked for inside of a recording");
  enter();
  void* memory = nullptr;
  const cudaError_t status = cudaMallocFromPoolAsync(&memory, bytes, pool_, stream_);
  if (status == cudaErrorMemoryAllocation) {
    static_cast<void>(cudaGetLastError());
    std::size_t free = 0, all = 0;
    static_cast<void>(cudaMemGetInfo(&free, &all));
    throw std::runtime_error("cuda:" + std::to_string(options_.device) + ", " + name_ +
                             ": out of memory: " + megabytes(bytes) + " more were asked for; this run has " +
                             megabytes(bytes_) + ", " + megabytes(free) + " of " + megabytes(all) +
                             " are free; use fewer inducing points or more batches");
  }
  GDKM_CUDA(status);
  bytes_ += bytes;
  GDKM_CUDA(cudaMemsetAsync(memory, 0, bytes, stream_));
  return memory;
}

template <class T>
void CudaBackend<T>::release(void* memory, std::size_t bytes) noexcept {
  static_cast<void>(cudaSetDevice(options_.device));
  static_cast<void>(cudaFreeAsync(memory, stream_));
  bytes_ -= bytes;
}

template <class T>
void CudaBackend<T>::upload(const void* host, void* device, std::size_t bytes) {
  enter();
  // The memory is not pinned, so CUDA has copied it when the call returns.
  GDKM_CUDA(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_));
}

template <class T>
void CudaBackend<T>::download(const void* device, void* host, std::size_t bytes) const {
  enter();
  GDKM_CUDA(cudaMemcpyAsync(host, device, bytes, cudaMemcpyDeviceToHost, stream_));
  GDKM_CUDA(cudaStreamSynchronize(stream_));
}

template <class T>
void CudaBackend<T>::reserve(Index inducing, Index /*width*/, bool by_qr) {
  scratch_bytes(cholesky_bytes(inducing, by_qr));
  blas_bytes_ = std::max(blas_bytes_, workspace_bytes<T>(inducing));
  if (blas_ != nullptr) give_blas(blas_bytes_);
}

template <class T>
cublasHandle_t CudaBackend<T>::blas() {
  if (blas_ != nullptr) return blas_;
  if (recording_) throw cuda::LibraryNeeded("cuBLAS");
  enter();
  const cuda::BlasLibrary& library = cuda::blas_library();
  const std::lock_guard lock(cuda::device_wide());
  GDKM_CUDA(library.create(&blas_));
  try {
    GDKM_CUDA(library.set_stream(blas_, stream_));
    give_blas(blas_bytes_);
  } catch (...) {
    static_cast<void>(library.destroy(blas_));
    blas_ = nullptr;  // it must not be used without its stream and its workspace
    throw;
  }
  return blas_;
}

template <class T>
void CudaBackend<T>::give_blas(std::size_t bytes) {
  if (!blas_memory_.empty() && blas_memory_.back().bytes >= bytes) return;
  blas_memory_.push_back({allocate(bytes), bytes});
  GDKM_CUDA(cuda::blas_library().set_workspace(blas_, blas_memory_.back().data, bytes));
}

template <class T>
void* CudaBackend<T>::scratch_bytes(std::size_t bytes) {
  return grown(scratch_, bytes);
}

template <class T>
void* CudaBackend<T>::grown(std::vector<Memory>& kept, std::size_t bytes) {
  if (kept.empty() || kept.back().bytes < bytes) {
    constexpr std::size_t grain = std::size_t(1) << 18;
    bytes = (bytes + grain - 1) / grain * grain;
    kept.push_back({allocate(bytes), bytes});
  }
  return kept.back().data;
}

template <class T>
std::unique_ptr<Recording> CudaBackend<T>::record(std::function<void()> work) {
  return std::make_unique<CudaRecording>(options_.device, stream_, recording_, std::move(work),
                                         [this] { blas(); });
}

template <class T>
std::unique_ptr<Readback> CudaBackend<T>::make_readback(std::size_t bytes) {
  return std::make_unique<CudaReadback>(options_.device, stream_, bytes);
}

#define GDKM_INSTANTIATE(T)                                                          \
  template CudaBackend<T>::CudaBackend(const CudaOptions&);                          \
  template CudaBackend<T>::~CudaBackend();                                           \
  template std::string CudaBackend<T>::description() const;                          \
  template std::size_t CudaBackend<T>::bytes_in_use() const;                         \
  template bool CudaBackend<T>::can_spare(std::size_t) const;                        \
  template std::size_t CudaBackend<T>::bytes_free() const;                           \
  template void* CudaBackend<T>::allocate(std::size_t);                              \
  template void CudaBackend<T>::release(void*, std::size_t) noexcept;                \
  template void CudaBackend<T>::upload(const void*, void*, std::size_t);             \
  template void CudaBackend<T>::download(const void*, void*, std::size_t) const;     \
  template std::unique_ptr<Recording> CudaBackend<T>::record(std::function<void()>); \
  template std::unique_ptr<Readback> CudaBackend<T>::make_readback(std::size_t);     \
  template void CudaBackend<T>::reserve(Index, Index, bool);                         \
  template cublasHandle_t CudaBackend<T>::blas();                                    \
  template void CudaBackend<T>::give_blas(std::size_t);                              \
  template void* CudaBackend<T>::scratch_bytes(std::size_t);                         \
  template void* CudaBackend<T>::grown(std::vector<Memory>&, std::size_t);
GDKM_INSTANTIATE(float)
GDKM_INSTANTIATE(double)

}  // namespace gdkm
