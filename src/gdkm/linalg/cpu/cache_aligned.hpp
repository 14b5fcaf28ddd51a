#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace gdkm {

/// Memory aligned to cache lines, so that no vector of a panel crosses two of them.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, line); }
  bool operator==(const CacheLineAllocator&) const = default;
};

template <class T>
using CacheAligned = std::vector<T, CacheLineAllocator<T>>;

}  // namespace gdkm
