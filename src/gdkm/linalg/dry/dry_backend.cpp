#include "gdkm/linalg/dry/dry_backend.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace gdkm {

namespace {

class DryRecording final : public Recording {
 public:
  explicit DryRecording(std::function<void()> work) : work_(std::move(work)) {}
  void replay() override { work_(); }

 private:
  std::function<void()> work_;
};

class DryReadback final : public Readback {
 public:
  explicit DryReadback(std::size_t bytes) : zeros_(bytes, 0) {}
  void start(const void*) override {}
  bool ready() const override { return true; }
  const void* wait() override { return zeros_.data(); }

 private:
  std::vector<char> zeros_;
};

}  // namespace

template <class T>
void* DryBackend<T>::allocate(std::size_t bytes) {
  bytes_ += bytes;
  most_ = std::max(most_, bytes_);
  // An address that nothing else has, and that is never read or written.
  void* const out = reinterpret_cast<void*>(next_);  // NOLINT(performance-no-int-to-ptr)
  next_ += (bytes + 255) / 256 * 256;
  return out;
}

template <class T>
void DryBackend<T>::release(void* /*memory*/, std::size_t bytes) noexcept {
  bytes_ -= bytes;
}

template <class T>
void DryBackend<T>::download(const void* /*device*/, void* host, std::size_t bytes) const {
  std::memset(host, 0, bytes);
}

template <class T>
std::unique_ptr<Recording> DryBackend<T>::record(std::function<void()> work) {
  return std::make_unique<DryRecording>(std::move(work));
}

template <class T>
std::unique_ptr<Readback> DryBackend<T>::make_readback(std::size_t bytes) {
  return std::make_unique<DryReadback>(bytes);
}

template <class T>
void DryBackend<T>::spmm(T, Op /*op*/, const Sparse<T>& a, ConstView<T> b, T, View<T> c) {
  const double entries = static_cast<double>(a.nonzeros());
  work_.bytes += entries * (sizeof(T) + sizeof(std::int32_t) + static_cast<double>(b.cols) * sizeof(T)) +
                 2 * static_cast<double>(c.size()) * sizeof(T);
  ++work_.calls;
}

template <class T>
void DryBackend<T>::kernel_times(KernelKind, ConstView<T> f_t, ConstView<T>, ConstView<T> f_i, ConstView<T>,
                                 Fill fill, ConstView<T> s, View<T>, View<T>) {
  product(f_t.rows, f_t.cols, f_i.rows, fill == Fill::lower ? 0.5 : 1);
  product(f_t.rows, f_i.rows, s.cols);
  work_.bytes += kernel_passes * static_cast<double>(f_t.rows * f_i.rows) * sizeof(T);
}

template <class T>
void DryBackend<T>::kernel_times_backward(KernelKind, ConstView<T> f_t, ConstView<T>, ConstView<T> f_i,
                                          ConstView<T>, Fill fill, ConstView<T> s, ConstView<T>, View<T>, T,
                                          View<T>, View<T>, View<T>, View<T>, ConstView<T>) {
  const double share = fill == Fill::lower ? 0.5 : 1;
  product(f_t.rows, f_t.cols, f_i.rows, 3 * share);  // the kernel again, F̄_t and F̄_i
  product(f_t.rows, f_i.rows, s.cols, 2);            // K̄ and S̄
  work_.bytes += 2 * kernel_passes * static_cast<double>(f_t.rows * f_i.rows) * sizeof(T);
}

template class DryBackend<float>;
template class DryBackend<double>;

}  // namespace gdkm
